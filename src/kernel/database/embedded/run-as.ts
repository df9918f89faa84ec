import { spawn } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { chmod, chown } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { UserMistake } from '#kernel/errors'
import { type Account, nearestOrdinaryOwner, readAccounts } from './accounts.ts'
import { type Binaries, copyBinaries, programPath } from './binaries.ts'
import type { Layout } from './layout.ts'

/** How a PostgreSQL program is started so that it runs as somebody it accepts: never root, always a user with a name. */
export interface RunAs {
  /** Words before the program's own: how `unshare` is called, or none. */
  readonly prefix: readonly string[]
  /** The user to become, when it is not the present one. Files of the database are given to it. */
  readonly account: Account | undefined
  readonly binaries: Binaries
}

/**
 * | we are        | and                                      | PostgreSQL runs                                       |
 * |---------------|------------------------------------------|-------------------------------------------------------|
 * | ordinary user | the user has a name                      | as we are                                             |
 * | ordinary user | the number has no name (some containers) | in a user namespace that gives it one                 |
 * | root          | the database belongs to an ordinary user | as that user                                          |
 * | root          | a user namespace can be had, and enters  | in one where root has another name; files stay root's |
 * | root          | else, and an account reaches the folder  | as that account, from copied programs if need be      |
 * | root          | else                                     | not at all: the mistake says what to do               |
 */
export async function chooseRunAs(layout: Layout, binaries: Binaries): Promise<RunAs> {
  const uid = process.getuid?.() ?? -1
  const owner = existsSync(layout.cluster) ? statSync(layout.cluster) : undefined
  if (uid !== 0) {
    if (owner && owner.uid !== uid) {
      throw new UserMistake(
        `${layout.cluster} belongs to another user (number ${owner.uid}). Run as that user, or set TUTTI_DATA_DIR to another folder.`,
      )
    }
    const plain: RunAs = { prefix: [], account: undefined, binaries }
    return hasName() ? plain : ((await tryNamespace(layout, binaries)) ?? plain)
  }
  if (owner && owner.uid !== 0) return becomeAccount(layout, binaries, { uid: owner.uid, gid: owner.gid })
  const namespace = await tryNamespace(layout, binaries)
  if (namespace) return namespace
  const account = ordinaryAccount(layout)
  if (account === undefined) throw cannotRunAsRoot(layout)
  return becomeAccount(layout, binaries, account)
}

function hasName(): boolean {
  try {
    userInfo()
    return true
  } catch {
    return false
  }
}

/** Inside, our own number is mapped to that of a named user; on disk everything stays ours. */
async function tryNamespace(layout: Layout, binaries: Binaries): Promise<RunAs | undefined> {
  const accounts = readAccounts()
  const named = accounts.get('nobody') ?? [...accounts.values()].find((it) => it.uid !== 0)
  if (process.platform !== 'linux' || named === undefined) return undefined
  const prefix = ['unshare', '--user', `--map-user=${named.uid}`, `--map-group=${named.gid}`, '--']
  const runAs: RunAs = { prefix, account: undefined, binaries }
  return (await canReach(runAs, [programPath(binaries, 'postgres'), layout.dataDir])) ? runAs : undefined
}

function ordinaryAccount({ dataDir }: Layout): Account | undefined {
  const accounts = readAccounts()
  const neighbour = nearestOrdinaryOwner(dataDir)
  return (
    [...accounts.values()].find((it) => it.uid === neighbour) ??
    accounts.get('postgres') ??
    accounts.get('nobody')
  )
}

async function becomeAccount(layout: Layout, binaries: Binaries, account: Account): Promise<RunAs> {
  const runAs: RunAs = { prefix: [], account, binaries }
  if (!(await canReach(runAs, [layout.dataDir]))) {
    await openDoor(layout.dataDir, account)
    if (!(await canReach(runAs, [layout.dataDir]))) throw cannotRunAsRoot(layout)
  }
  if (await canReach(runAs, [programPath(binaries, 'postgres')])) return runAs
  return { ...runAs, binaries: await copyBinaries(binaries, layout.dataDir) }
}

/** The account may pass through the data folder, but not look around in it. */
async function openDoor(dataDir: string, { gid }: Account): Promise<void> {
  const folder = statSync(dataDir)
  await chown(dataDir, folder.uid, gid)
  await chmod(dataDir, (folder.mode & 0o700) | 0o010)
}

/** Whether the chosen user may execute, or pass through, all of the paths; also false where we cannot become that user. */
function canReach({ prefix, account }: RunAs, paths: readonly string[]): Promise<boolean> {
  const [command = '', ...args] = [
    ...prefix,
    '/bin/sh',
    '-c',
    'for path; do test -x "$path" || exit 1; done',
    'sh',
    ...paths,
  ]
  return new Promise((resolve) => {
    const child = spawn(command, args, { ...account, cwd: '/', stdio: 'ignore' })
    child.on('error', () => resolve(false))
    child.on('exit', (code) => resolve(code === 0))
  })
}

function cannotRunAsRoot({ dataDir }: Layout): UserMistake {
  return new UserMistake(
    `PostgreSQL refuses to run as root, and no other user can reach ${dataDir} here (user namespaces are closed). ` +
      'Start Tutti as an ordinary user, set TUTTI_DATA_DIR to a folder such as /var/lib/tutti, or set DATABASE_URL to a PostgreSQL server.',
  )
}
