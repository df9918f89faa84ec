import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError } from 'pg'
import { UserError } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import type { Database, Session } from './database.ts'
import { errorCode } from './database-errors.ts'

interface AppliedMigration {
  readonly owner: string
  readonly number: number
  readonly name: string
  readonly checksum: string
  readonly appliedAt: Date
}

interface MigrationState {
  readonly applied: readonly AppliedMigration[]
  readonly pending: readonly { readonly owner: string; readonly number: number; readonly name: string }[]
}

const insufficientPrivilege = '42501'

/** Key of the advisory lock; every release must use the same one. */
const migrationLock = 7_488_413_001

/**
 * Applies the pending migrations in order, each in its own transaction, and returns how many ran. Replicas that start together wait
 * for the first one and then find nothing pending. Throws a `UserError` when a file was changed after it ran, when the database is
 * newer than the code, when a file fails, and when the role may not create tables.
 */
export async function migrate(
  database: Database,
  sets: readonly MigrationSet[],
  log: Logger,
): Promise<{ readonly ran: number }> {
  const files = await readMigrationFiles(sets)
  return database.withSession(async (session) => {
    await takeMigrationLock(session, log)
    await createMigrationTable(session)
    const pending = pendingFiles(files, await readApplied(session))
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
): Promise<MigrationState> {
  const files = await readMigrationFiles(sets)
  const [table] = await database.query<{ exists: boolean }>(
    `select to_regclass('kernel_migrations') is not null as exists`,
  )
  const applied = table?.exists ? await readApplied(database) : []
  const pending = pendingFiles(files, applied).map(({ owner, number, name }) => ({ owner, number, name }))
  return { applied, pending }
}

/** Polls for the lock instead of waiting in one statement, so that the wait can be logged and no statement hangs. */
async function takeMigrationLock(session: Session, log: Logger): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const [lock] = await session.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [
      migrationLock,
    ])
    if (lock?.taken) return
    if (attempt === 20) log.info('waiting for another process that runs the migrations')
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

function readApplied(session: Pick<Session, 'query'>): Promise<AppliedMigration[]> {
  return session.query<AppliedMigration>(`
    select owner, number, name, checksum, applied_at as "appliedAt"
    from kernel_migrations
    order by applied_at, owner, number
  `)
}

function key({ owner, number }: { readonly owner: string; readonly number: number }): string {
  return `${owner}/${number}`
}

function pendingFiles(
  files: readonly MigrationFile[],
  applied: readonly AppliedMigration[],
): MigrationFile[] {
  const known = new Map(files.map((file) => [key(file), file]))
  for (const it of applied) {
    const file = known.get(key(it))
    if (file === undefined) {
      throw new UserError(
        `The database is newer than this version of Tutti: it has migration ${it.owner}/${it.name}, which this version ` +
          'does not know. Start the version that wrote it, or a later one.',
      )
    }
    if (file.checksum !== it.checksum) {
      throw new UserError(
        `Migration ${file.owner}/${file.name}.sql was changed after it ran on this database (as ${it.name}). ` +
          'Put the file back as it was and add a new migration for the change.',
      )
    }
  }
  const done = new Set(applied.map(key))
  return files.filter((file) => !done.has(key(file)))
}

async function runFile(session: Session, file: MigrationFile): Promise<void> {
  await session.query('begin')
  try {
    await session.query(file.sql)
    await session.query(
      'insert into kernel_migrations (owner, number, name, checksum) values ($1, $2, $3, $4)',
      [file.owner, file.number, file.name, file.checksum],
    )
    await session.query('commit')
  } catch (error) {
    await session.query('rollback').catch(() => {})
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

/** The numbered SQL files of one module. */
export interface MigrationSet {
  /** The module that owns the tables, such as `identity`. Must not change once released. */
  readonly owner: string
  readonly folder: URL
}

interface MigrationFile {
  readonly owner: string
  readonly number: number
  /** The file name without its extension: `0001-users`. */
  readonly name: string
  readonly sql: string
  readonly checksum: string
}

const fileName = /^(\d{4})-[a-z0-9]+(?:-[a-z0-9]+)*\.sql$/

/** Reads the files of all sets, in the given order. The numbers of a set must be 1, 2, 3 … without gaps. */
async function readMigrationFiles(sets: readonly MigrationSet[]): Promise<MigrationFile[]> {
  const owners = new Set<string>()
  for (const { owner } of sets) {
    if (owners.has(owner))
      throw new UserError(`Two migration sets have the owner "${owner}". Give each set its own owner.`)
    owners.add(owner)
  }
  return (await Promise.all(sets.map(readSet))).flat()
}

async function readSet({ owner, folder }: MigrationSet): Promise<MigrationFile[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  for (const [index, name] of names.entries()) {
    const number = Number(fileName.exec(name)?.[1])
    if (Number.isNaN(number)) {
      throw new UserError(
        `Migration ${owner}/${name}: the file name is invalid. Use a name like 0001-add-users.sql.`,
      )
    }
    if (number <= index) {
      throw new UserError(
        `Migration ${owner}/${name}: the number ${number} is used twice. Renumber the newer file.`,
      )
    }
    if (number > index + 1) {
      throw new UserError(
        `Migration ${owner}/${name}: migration ${index + 1} is missing. Number the files without gaps.`,
      )
    }
  }
  return Promise.all(names.map((name, index) => readOne(owner, index + 1, name, new URL(name, folder))))
}

async function readOne(owner: string, number: number, name: string, file: URL): Promise<MigrationFile> {
  // Windows line endings must not change the checksum.
  const sql = (await readFile(file, 'utf8')).replaceAll('\r\n', '\n')
  const checksum = createHash('sha256').update(sql).digest('hex')
  return { owner, number, name: name.slice(0, -'.sql'.length), sql, checksum }
}
