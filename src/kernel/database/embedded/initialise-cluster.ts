import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { UserError } from '#kernel/errors'
import { errorCode } from '#kernel/postgres'
import { postgresMajor } from './binaries.ts'
import type { Layout } from './layout.ts'
import { isRunning } from './process-info.ts'
import type { PostgresPrograms } from './programs.ts'
import { databaseName, roleName, tunedSettings } from './server-options.ts'

/**
 * Proves that a server and a data folder belong together: this file and the comment of the database `tutti` contain the same random
 * text. A process that cannot read the folder cannot pose as its server.
 */
const tokenFile = 'tutti.token'

export function readToken(cluster: string): string {
  try {
    return readFileSync(join(cluster, tokenFile), 'utf8').trim()
  } catch (error) {
    throw new UserError(
      `${cluster} was not created by Tutti (${tokenFile} is missing). Set TUTTI_DATA_DIR to another folder, or DATABASE_URL to its server.`,
      { cause: error },
    )
  }
}

/** True when the folder contains a database of this version. Throws a `UserError` when it contains anything else. */
export function hasCluster({ cluster }: Layout): boolean {
  if (!existsSync(cluster)) return false
  let version: string
  try {
    version = readFileSync(join(cluster, 'PG_VERSION'), 'utf8').trim()
  } catch (error) {
    const reason = errorCode(error) === 'EACCES' ? 'cannot be read by this user' : 'is not a database folder'
    throw new UserError(`${cluster} ${reason}. Move it away, or set TUTTI_DATA_DIR to another folder.`, {
      cause: error,
    })
  }
  if (version !== String(postgresMajor)) {
    throw new UserError(
      `${cluster} was written by PostgreSQL ${version}; this version of Tutti needs ${postgresMajor}. ` +
        'Dump it with the old version and restore it, or set DATABASE_URL to a server.',
    )
  }
  return true
}

/**
 * Creates the database in a temporary folder and renames that folder when it is complete, with its token and its `tutti` database.
 * A process killed meanwhile leaves no incomplete database, and of two concurrent processes one rename wins.
 */
export async function initialiseCluster(layout: Layout, programs: PostgresPrograms): Promise<void> {
  await removeAbandoned(layout)
  const draft = `${layout.cluster}.new-${process.pid}-${randomBytes(4).toString('hex')}`
  try {
    await programs.makeFolder(draft)
    await programs.run('initdb', initdbArguments(draft))
    const token = randomBytes(24).toString('base64url')
    await programs.run('postgres', ['--single', '-F', '-j', '-D', draft, 'postgres'], bootstrapSql(token))
    await programs.writeFile(join(draft, tokenFile), `${token}\n`)
    await programs.run('initdb', ['--sync-only', '-D', draft])
    await publish(draft, layout.cluster)
  } finally {
    await rm(draft, { recursive: true, force: true })
  }
}

function initdbArguments(folder: string): string[] {
  return [
    '-D',
    folder,
    `--username=${roleName}`,
    // A user who can open the socket passed its 0700 folder, and could read the files as well.
    '--auth=trust',
    '--encoding=UTF8',
    // PostgreSQL's own collation sorts the same way on every machine, independent of the C library and ICU.
    '--locale-provider=builtin',
    '--builtin-locale=C.UTF-8',
    '--locale=C',
    '--no-instructions',
    // `initdb --sync-only` syncs all files once they are complete.
    '--no-sync',
    ...Object.entries(tunedSettings).flatMap(([name, value]) => ['--set', `${name}=${value}`]),
  ]
}

/** Single-user mode takes one statement at a time, each ended by a semicolon and an empty line. */
function bootstrapSql(token: string): string {
  return [`create database ${databaseName}`, `comment on database ${databaseName} is '${token}'`]
    .map((statement) => `${statement};\n\n`)
    .join('')
}

async function publish(draft: string, cluster: string): Promise<void> {
  try {
    await rename(draft, cluster)
  } catch (error) {
    // Another process was faster; its database is equivalent.
    if (errorCode(error) !== 'ENOTEMPTY' && errorCode(error) !== 'EEXIST') throw error
    return
  }
  await using folder = await open(dirname(cluster), 'r')
  await folder.sync()
}

/** Removes the temporary folders of processes that were killed while they created a database. */
async function removeAbandoned({ dataDir, cluster }: Layout): Promise<void> {
  const prefix = `${basename(cluster)}.new-`
  for (const name of await readdir(dataDir)) {
    if (!name.startsWith(prefix)) continue
    const creatorPid = Number(name.slice(prefix.length).split('-')[0])
    if (isRunning(creatorPid)) continue
    // An initdb that outlived its parent may still be writing; the next start removes the rest.
    await rm(join(dataDir, name), { recursive: true, force: true }).catch(() => {})
  }
}
