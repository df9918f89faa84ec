import { spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { chmod, chown } from 'node:fs/promises'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import { UserError } from '#kernel/errors'
import { type Binaries, copyBinaries, programPath } from './binaries.ts'
import type { Layout } from './layout.ts'

/** How PostgreSQL programs are started as a user they accept: never root, always a user with a name. */
export interface RunAs {
  /** The `unshare` command before the program, or empty. */
  readonly prefix: readonly string[]
  /** The user to run as, if not the current one. It becomes the owner of the database files. */
  readonly account: Account | undefined
  readonly binaries: Binaries
}

/**
 * | this process  | condition                                | PostgreSQL runs                                       |
 * |---------------|------------------------------------------|-------------------------------------------------------|
 * | ordinary user | the user has a name                      | as the same user                                      |
 * | ordinary user | the uid has no name (some containers)    | in a user namespace that gives it one                 |
 * | root          | the database belongs to an ordinary user | as that user                                          |
 * | root          | a user namespace works and can access    | in one where root has another name; files stay root's |
 * |               | programs and data folder                 |                                                       |
 * | root          | else, and an account has folder access   | as that account, with copied programs if necessary    |
 * | root          | else                                     | not at all: throws a `UserError`                    |
 */
export async function chooseRunAs(layout: Layout, binaries: Binaries): Promise<RunAs> {
  const uid = process.getuid?.() ?? -1
  const owner = existsSync(layout.cluster) ? statSync(layout.cluster) : undefined
  if (uid !== 0) {
    if (owner && owner.uid !== uid) {
      throw new UserError(
        `${layout.cluster} belongs to another user (uid ${owner.uid}). Run as that user, or set TUTTI_DATA_DIR to another folder.`,
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

/** Maps the current uid to that of a named user inside the namespace; on disk the files keep their owner. */
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
    await allowTraversal(layout.dataDir, account)
    if (!(await canReach(runAs, [layout.dataDir]))) throw cannotRunAsRoot(layout)
  }
  if (await canReach(runAs, [programPath(binaries, 'postgres')])) return runAs
  return { ...runAs, binaries: await copyBinaries(binaries, layout.dataDir) }
}

/** Lets the account traverse the data folder, but not list it. */
async function allowTraversal(dataDir: string, { gid }: Account): Promise<void> {
  const folder = statSync(dataDir)
  await chown(dataDir, folder.uid, gid)
  await chmod(dataDir, (folder.mode & 0o700) | 0o010)
}

/** True when the chosen user may execute or traverse all paths; false when this process cannot become that user. */
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

function cannotRunAsRoot({ dataDir }: Layout): UserError {
  return new UserError(
    `PostgreSQL refuses to run as root, and no other user can reach ${dataDir} here (user namespaces are disabled). ` +
      'Start Tutti as an ordinary user, set TUTTI_DATA_DIR to a folder such as /var/lib/tutti, or set DATABASE_URL to a PostgreSQL server.',
  )
}

/** A user of this machine. */
interface Account {
  readonly uid: number
  readonly gid: number
}

/** Local accounts. Users of a directory service are missing, and not needed here. */
function readAccounts(): Map<string, Account> {
  const accounts = new Map<string, Account>()
  try {
    for (const line of readFileSync('/etc/passwd', 'utf8').split('\n')) {
      const [name, , uid, gid] = line.split(':')
      const account = { uid: Number(uid), gid: Number(gid) }
      // Some systems write the largest uid as a negative number.
      if (name && account.uid >= 0 && account.gid >= 0) accounts.set(name, account)
    }
  } catch {
    // A minimal container image may have no such file.
  }
  return accounts
}

/** The first owner other than root, from the folder upwards: most likely a user who can access it. */
function nearestOrdinaryOwner(folder: string): number | undefined {
  for (let path = folder; ; path = dirname(path)) {
    const { uid } = statSync(path)
    if (uid !== 0) return uid
    if (path === dirname(path)) return undefined
  }
}
