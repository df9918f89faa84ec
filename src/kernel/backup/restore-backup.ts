import { promisify } from 'node:util'
import { gunzip } from 'node:zlib'
import {
  type Database,
  type MigrationSet,
  migrationTexts,
  recreateSchema,
  type Session,
  tryLockMigrations,
} from '#kernel/database'
import { UserError } from '#kernel/errors'
import { type ArchiveEntry, damaged, readArchive, sha256 } from './archive.ts'
import {
  listColumns,
  quoteName,
  readForeignKeys,
  readFunctions,
  readTableNames,
  readTables,
} from './catalogue.ts'
import type { InspectedBackup } from './inspect-backup.ts'
import { objectKey, partPrefix } from './manifest.ts'

type PutObject = (key: string, content: Buffer) => Promise<void>

export interface RestoreBackupOptions {
  readonly database: Database
  readonly sets: readonly MigrationSet[]
  readonly backup: InspectedBackup
  /** Deletes what the database contains. */
  readonly replace: boolean
  /** Stores the objects of the backup; by default they are left out. */
  readonly putObject?: PutObject | undefined
}

/**
 * Restores a backup in one transaction: when anything fails, or the process is killed, the database stays as it was. Throws a
 * `UserError` when the database is not empty and `replace` is false, while a platform uses it, when it contains tables of other programs,
 * and when the backup is newer than the program.
 */
export async function restoreBackup({
  database,
  sets,
  backup,
  replace,
  putObject,
}: RestoreBackupOptions): Promise<void> {
  await database.withSession(async (session) => {
    if (!(await tryLockMigrations(session, 'alone')))
      throw new UserError('Migrations, a backup or another restore run on this database. Try again later.')
    await requireUnused(session)
    await session.query('begin')
    try {
      await dropTables(session, sets, replace)
      await recreateSchema(session, sets, backup.manifest.migrations, { withLevels: hasLevels(backup) })
      await loadRows(session, backup, putObject)
      await session.query('commit')
    } catch (error) {
      await session.query('rollback').catch(() => {})
      throw error
    }
    // Without statistics the first queries would be planned for empty tables.
    await session.query('analyze')
  })
}

/** A process that runs would keep what it has in memory, and write into tables that are replaced. */
async function requireUnused(session: Session): Promise<void> {
  const [found] = await session.query<{ connections: number }>(`
    select count(*)::int as connections
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and application_name = 'tutti'
  `)
  if (found === undefined || found.connections === 0) return
  throw new UserError(
    `Tutti is running on this database (${found.connections} connections). Stop all its processes, then restore.`,
  )
}

async function dropTables(session: Session, sets: readonly MigrationSet[], replace: boolean): Promise<void> {
  const tables = await readTableNames(session)
  if (tables.length === 0) return
  if (!replace) {
    throw new UserError(
      `The database is not empty: it has ${tables.length} tables. Restore into an empty one, or delete its contents with --replace.`,
    )
  }
  const words = new Set((await migrationTexts(sets)).join('\n').match(/\w+/g))
  const foreign = tables.filter((name) => name !== 'kernel_migrations' && !words.has(name))
  if (foreign.length > 0) {
    throw new UserError(
      `The database also has tables that this version of Tutti does not know: ${foreign.slice(0, 5).join(', ')}. Restore into a database of its own.`,
    )
  }
  await session.query(`drop table ${tables.map(quoteName).join(', ')} cascade`)
  const functions = (await readFunctions(session)).filter(({ name }) => words.has(name))
  for (const { signature } of functions) await session.query(`drop function if exists ${signature} cascade`)
}

/** Backups of the first programs have migrations without levels. */
function hasLevels({ manifest }: InspectedBackup): boolean {
  const migrations = manifest.tables.find(({ name }) => name === 'kernel_migrations')
  return migrations?.columns.includes('min_supported') ?? false
}

async function loadRows(
  session: Session,
  backup: InspectedBackup,
  putObject: PutObject | undefined,
): Promise<void> {
  await requireSameTables(session, backup)
  const foreignKeys = await readForeignKeys(session)
  const tables = backup.manifest.tables.map(({ name }) => quoteName(name))
  for (const { table, name } of foreignKeys)
    await session.query(`alter table ${table} drop constraint ${quoteName(name)}`)
  // Migrations may have inserted rows, which the backup contains as well.
  await session.query(`truncate ${tables.join(', ')}`)
  // Triggers announce changes to running processes, of which there are none.
  for (const table of tables) await session.query(`alter table ${table} disable trigger user`)
  await copyTables(session, backup, putObject)
  for (const table of tables) await session.query(`alter table ${table} enable trigger user`)
  for (const { table, name, definition } of foreignKeys)
    await session.query(`alter table ${table} add constraint ${quoteName(name)} ${definition}`)
  for (const { name, value, called } of backup.index.sequences)
    await session.query('select setval($1::regclass, $2::bigint, $3)', [quoteName(name), value, called])
}

/** The names in the file become part of statements only when the migrations created the same. */
async function requireSameTables(session: Session, { path, manifest }: InspectedBackup): Promise<void> {
  const columnsOf = new Map((await readTables(session)).map(({ name, columns }) => [name, columns]))
  for (const { name, columns } of manifest.tables) {
    const existing = new Set(columnsOf.get(name))
    const isSame = existing.size === columns.length && columns.every((column) => existing.has(column))
    if (!isSame) throw damaged(path, `its table ${name} differs from the one that its migrations create`)
  }
}

async function copyTables(
  session: Session,
  { path, manifest, index }: InspectedBackup,
  putObject: PutObject | undefined,
): Promise<void> {
  const checksums = new Map(index.parts.map((part) => [part.name, part.sha256]))
  const expectedRows = new Map(index.tables.map(({ name, rows }) => [name, rows]))
  await using entries = readArchive(path)
  let next = await entries.next()

  async function* chunksOf(table: string): AsyncGenerator<Buffer, void> {
    for (; next.done !== true && next.value.name.startsWith(partPrefix(table)); next = await entries.next())
      yield await unpack(path, next.value, checksums)
  }

  while (next.done !== true && !next.value.name.startsWith('rows/')) next = await entries.next()
  for (const { name, columns } of manifest.tables) {
    const statement = `copy ${quoteName(name)} (${listColumns(columns)}) from stdin`
    const rows = await session.copyIn(statement, chunksOf(name))
    if (rows !== expectedRows.get(name))
      throw damaged(path, `the table ${name} has ${rows} rows instead of ${expectedRows.get(name) ?? 0}`)
  }
  if (putObject !== undefined) {
    for (; next.done !== true; next = await entries.next()) {
      const key = objectKey(next.value.name)
      if (key === undefined) continue
      requireChecksum(path, next.value, checksums)
      await putObject(key, next.value.content)
    }
  }
}

const decompress = promisify(gunzip)

/** Compares the checksum again: the file may have changed since it was inspected. */
async function unpack(
  path: string,
  entry: ArchiveEntry,
  checksums: ReadonlyMap<string, string>,
): Promise<Buffer> {
  requireChecksum(path, entry, checksums)
  try {
    return await decompress(entry.content, { maxOutputLength: 64 * 1024 * 1024 })
  } catch (cause) {
    throw damaged(path, `${entry.name} cannot be decompressed`, cause)
  }
}

function requireChecksum(
  path: string,
  { name, content }: ArchiveEntry,
  checksums: ReadonlyMap<string, string>,
): void {
  if (sha256(content) !== checksums.get(name)) throw damaged(path, `the checksum of ${name} is wrong`)
}
