import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { UserError } from '#kernel/errors'
import { errorCode } from '#kernel/postgres'
import type { Logger } from '#kernel/telemetry'
import type { Database, Session } from './database.ts'
import { type Compatibility, compatibilityOf, programLevel } from './migration-compatibility.ts'
import { type MigrationFile, type MigrationSet, readMigrationFiles } from './migration-files.ts'

interface AppliedMigration {
  readonly owner: string
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly appliedAt: Date
  /** The lowest program level that works with the migration; null: only programs that know it. */
  readonly minSupported: number | null
}

type MigrationName = Pick<MigrationFile, 'owner' | 'number' | 'name'>

interface MigrationState {
  readonly applied: readonly AppliedMigration[]
  readonly pending: readonly (MigrationName & Pick<Compatibility, 'minSupported'>)[]
  /** Applied by a later version; this program does not know them and works with them. */
  readonly newer: readonly MigrationName[]
}

const insufficientPrivilege = '42501'

/** Key of the advisory lock; every release must use the same one. */
const migrationLock = 7_488_413_001

/**
 * Applies the pending migrations in order, each in its own transaction, and returns how many ran. Replicas that start together wait
 * for the first one and then find nothing pending. A database of a later version is accepted while it supports the level of this
 * program. Throws a `UserError` when it does not, when a file was changed after it ran, when a file fails, and when the role may not create
 * tables.
 */
export async function migrate(
  database: Database,
  sets: readonly MigrationSet[],
  log: Logger,
  { level = programLevel }: { readonly level?: number } = {},
): Promise<{ readonly ran: number }> {
  const files = await readMigrationFiles(sets)
  return database.withSession(async (session) => {
    await takeMigrationLock(session, log)
    await createMigrationTable(session)
    await addLevelColumn(session)
    const { pending, newer } = compare(files, await readApplied(session), level)
    if (newer.length > 0)
      log.info({ migrations: newer.length }, 'the database is of a later version, which supports this one')
    for (const file of pending) {
      await runFile(session, file)
      log.debug({ owner: file.owner, migration: file.name }, 'applied a migration')
    }
    if (pending.length > 0) log.info({ migrations: pending.length }, 'applied the pending migrations')
    return { ran: pending.length }
  })
}

/** Lists applied and pending migrations. Throws a `UserError` as `migrate` does when code and database do not match. */
export async function migrationState(
  database: Pick<Database, 'query'>,
  sets: readonly MigrationSet[],
  options: { readonly level?: number } = {},
): Promise<MigrationState> {
  return await compareWith(database, await readMigrationFiles(sets), options)
}

/** A `migrationState` that reads the files once, for a caller that asks again and again. */
export function createMigrationCheck(
  database: Pick<Database, 'query'>,
  sets: readonly MigrationSet[],
): () => Promise<MigrationState> {
  let files: readonly MigrationFile[] | undefined
  return async () => {
    files ??= await readMigrationFiles(sets)
    return await compareWith(database, files, {})
  }
}

async function compareWith(
  database: Pick<Database, 'query'>,
  files: readonly MigrationFile[],
  { level = programLevel }: { readonly level?: number },
): Promise<MigrationState> {
  const [table] = await database.query<{ exists: boolean }>(
    `select to_regclass('kernel_migrations') is not null as exists`,
  )
  const applied = table?.exists ? await readApplied(database) : []
  const { pending, newer } = compare(files, applied, level)
  const describePending = (file: MigrationFile) => {
    const { minSupported } = compatibilityOf(file)
    return { ...nameOf(file), minSupported }
  }
  return { applied, pending: pending.map(describePending), newer: newer.map(nameOf) }
}

/** What identifies a migration that has run. */
export type MigrationRecord = Pick<AppliedMigration, 'owner' | 'number' | 'name' | 'checksum'>

/**
 * Runs those files that are in `applied`, on a database without tables and within the caller's transaction, and records none of them:
 * a restore loads the records with the other rows, with their levels if the backup has them. Throws a `UserError` for a file that is unknown, changed, missing or that fails.
 */
export async function recreateSchema(
  session: Session,
  sets: readonly MigrationSet[],
  applied: readonly MigrationRecord[],
  { withLevels }: { readonly withLevels: boolean },
): Promise<void> {
  const files = await readMigrationFiles(sets)
  const { pending: missing, unknown } = match(files, applied)
  const [newer] = unknown
  if (newer !== undefined) throw isNewer(newer, 'The backup')
  const pending = new Set(missing)
  await createMigrationTable(session)
  if (withLevels) await addLevelColumn(session)
  for (const file of files) {
    if (!pending.has(file)) await runStatements(session, file)
  }
}

/** The text of all migrations, in which the names of all tables and functions occur. Throws a `UserError` for an invalid file name. */
export async function migrationTexts(sets: readonly MigrationSet[]): Promise<string[]> {
  return (await readMigrationFiles(sets)).map(({ sql }) => sql)
}

/**
 * Keeps migrations from running until the session ends. `shared` is for readers, of which there may be several. Returns false when
 * migrations run at the moment, or when another session has the lock.
 */
export async function tryLockMigrations(session: Session, mode: 'shared' | 'alone'): Promise<boolean> {
  const take = mode === 'shared' ? 'pg_try_advisory_lock_shared' : 'pg_try_advisory_lock'
  const [lock] = await session.query<{ taken: boolean }>(`select ${take}($1) as taken`, [migrationLock])
  return lock?.taken ?? false
}

/** Polls for the lock instead of waiting in one statement, so that the wait can be logged and no statement hangs. */
async function takeMigrationLock(session: Session, log: Logger): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    if (await tryLockMigrations(session, 'alone')) return
    if (attempt === 20) log.info('waiting for another process that runs migrations, a backup or a restore')
    await delay(100)
  }
}

async function createMigrationTable(session: Session): Promise<void> {
  const creating = session.query(`
    create table if not exists kernel_migrations (
      owner      text        not null,
      number     integer     not null check (number > 0),
      name       text        not null,
      checksum   text        not null,
      applied_at timestamptz not null default now(),
      primary key (owner, number)
    )
  `)
  await creating.catch((error: unknown) => {
    if (errorCode(error) !== insufficientPrivilege) throw error
    throw new UserError(
      'The role of DATABASE_URL may not create tables. Make it the owner of the database, or grant it `create` on the schema `public`.',
      { cause: error },
    )
  })
}

/** Records of programs without levels have null. The catalogue is read first, because a change waits for all readers of the table. */
async function addLevelColumn(session: Session): Promise<void> {
  const [column] = await session.query(`
    select from pg_attribute
    where attrelid = 'kernel_migrations'::regclass and attname = 'min_supported' and not attisdropped
  `)
  if (column === undefined)
    await session.query('alter table kernel_migrations add column min_supported integer')
}

/** Also reads a table that has no levels yet. */
function readApplied(session: Pick<Session, 'query'>): Promise<AppliedMigration[]> {
  return session.query<AppliedMigration>(`
    select owner, number, name, checksum, applied_at as "appliedAt",
      (to_jsonb(kernel_migrations) ->> 'min_supported')::integer as "minSupported"
    from kernel_migrations
    order by applied_at, owner, number
  `)
}

function key({ owner, number }: Pick<MigrationName, 'owner' | 'number'>): string {
  return `${owner}/${number}`
}

function nameOf({ owner, number, name }: MigrationName): MigrationName {
  return { owner, number, name }
}

/** The files that have not run, and the migrations that have run and are not among the files. */
function match<Applied extends MigrationRecord>(
  files: readonly MigrationFile[],
  applied: readonly Applied[],
): { readonly pending: readonly MigrationFile[]; readonly unknown: readonly Applied[] } {
  const known = new Map(files.map((file) => [key(file), file]))
  for (const it of applied) {
    const file = known.get(key(it))
    if (file === undefined || file.checksum === it.checksum) continue
    throw new UserError(
      `Migration ${file.owner}/${file.name}.sql was changed after it ran on this database (as ${it.name}). ` +
        'Put the file back as it was and add a new migration for the change.',
    )
  }
  const done = new Set(applied.map(key))
  return {
    pending: files.filter((file) => !done.has(key(file))),
    unknown: applied.filter((it) => !known.has(key(it))),
  }
}

/**
 * Compares the files with a database that may be of another version.
 *
 * | the program lacks migrations | the database lacks migrations | the program                                |
 * |------------------------------|-------------------------------|--------------------------------------------|
 * | no                           | no                            | starts                                     |
 * | no                           | yes                           | starts, and runs them                      |
 * | yes, all support its level   | no                            | starts                                     |
 * | yes, one does not            | no                            | refuses: the database is newer             |
 * | yes                          | yes                           | refuses: neither follows from the other    |
 */
function compare(files: readonly MigrationFile[], applied: readonly AppliedMigration[], level: number) {
  const { pending, unknown } = match(files, applied)
  const refused = unknown.find(
    ({ minSupported }) => pending.length > 0 || minSupported === null || minSupported > level,
  )
  if (refused !== undefined) throw isNewer(refused, 'The database')
  return { pending, newer: unknown }
}

function isNewer({ owner, name }: Pick<MigrationRecord, 'owner' | 'name'>, subject: string): UserError {
  return new UserError(
    `${subject} is newer than this version of Tutti: it has migration ${owner}/${name}, which this version ` +
      'does not know. Start the version that wrote it, or a later one.',
  )
}

/** The lock was not free within `lock_timeout`, or waiting for it was a deadlock. */
const lockFailures = new Set(['55P03', '40P01'])
const maxLockAttempts = 60

/**
 * Runs a file while replicas use its tables. A statement that waits for a lock stops every later statement on the table; so it waits
 * for a second, gives up its turn, and tries again.
 */
async function runFile(session: Session, file: MigrationFile): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await runOnce(session, file)
    } catch (error) {
      const cause = error instanceof UserError ? error.cause : error
      if (!lockFailures.has(errorCode(cause) ?? '') || attempt === maxLockAttempts) throw error
      await delay(500)
    }
  }
}

async function runOnce(session: Session, file: MigrationFile): Promise<void> {
  const { minSupported } = compatibilityOf(file)
  await session.query('begin')
  try {
    await session.query(`set local lock_timeout = '1s'`)
    await runStatements(session, file)
    await session.query(
      'insert into kernel_migrations (owner, number, name, checksum, min_supported) values ($1, $2, $3, $4, $5)',
      [file.owner, file.number, file.name, file.checksum, minSupported],
    )
    await session.query('commit')
  } catch (error) {
    await session.query('rollback').catch(() => {})
    throw error
  }
}

async function runStatements(session: Session, file: MigrationFile): Promise<void> {
  try {
    await session.query(file.sql)
  } catch (error) {
    if (error instanceof DatabaseError) throw explainFailure(file, error)
    throw error
  }
}

function explainFailure(file: MigrationFile, error: DatabaseError): UserError {
  const offset = Number(error.position)
  const position = Number.isNaN(offset) ? '' : ` at ${positionOf(file.sql, offset)}`
  const detail = error.detail === undefined ? '' : ` (${error.detail})`
  return new UserError(
    `Migration ${file.owner}/${file.name}.sql failed${position}: ${error.message}${detail}. ` +
      'The file was rolled back as a whole. Correct it and start again.',
    { cause: error },
  )
}

/** PostgreSQL counts whole characters, from 1. */
function positionOf(text: string, offset: number): string {
  const before = Array.from(text)
    .slice(0, offset - 1)
    .join('')
    .split('\n')
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`
}
