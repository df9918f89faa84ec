import { stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import { type Database, type DatabaseSettings, migrate, migrationState, openDatabase } from '#kernel/database'
import { Failure, UserError } from '#kernel/errors'
import { createLogger, type Logger } from '#kernel/telemetry'
import { migrationSets } from '../migrations.ts'
import { readPlatformSettings, type Settings } from '../settings.ts'

/** The database for a command that needs no running platform. */
export interface CommandDatabase {
  readonly database: Database
  readonly settings: Settings
  readonly log: Logger
}

interface OpenOptions {
  /** A database with pending migrations is refused otherwise. */
  readonly allowPending?: boolean
  /** What to do when no platform was started on this machine, for a command whose work a platform elsewhere can do. */
  readonly ifMissing?: string
}

/** Opens the database for a command, beside a running platform or alone. */
export async function withDatabase(
  work: (opened: CommandDatabase) => Promise<void>,
  { allowPending = false, ifMissing }: OpenOptions = {},
): Promise<void> {
  const settings = readPlatformSettings(process.env)
  // Standard output belongs to the result, which scripts read.
  const log = createLogger({ level: 'silent', format: 'json' })
  await requireFolder(settings.database, ifMissing)
  try {
    await using database = await openDatabase({ settings: settings.database, log, embedded: 'join' })
    const { pending } = await migrationState(database, migrationSets)
    if (pending.length > 0 && !allowPending) {
      throw new UserError('The database is not up to date. Run npx tutti migrate first.')
    }
    await work({ database, settings, log })
  } catch (error) {
    // The message of a Failure is written for users.
    throw error instanceof Failure ? new UserError(error.message, { cause: error }) : error
  }
}

/** A command that runs in the wrong folder must not create a database there. */
export async function requireFolder(
  { databaseUrl, dataDir }: DatabaseSettings,
  ifMissing?: string,
): Promise<void> {
  if (databaseUrl !== undefined) return
  const exists = await stat(dataDir).then(
    () => true,
    () => false,
  )
  if (exists) return
  const folder = resolve(dataDir)
  if (ifMissing !== undefined)
    throw new UserError(`No platform was started here: there is no ${folder}.\n${ifMissing}`)
  throw new UserError(
    `There is no database at ${folder} yet. Start the platform once, or run npx tutti migrate; ` +
      'is it elsewhere, set DATABASE_URL or TUTTI_DATA_DIR.',
  )
}

/** `tutti migrate`: applies the pending migrations. */
export async function migrateDatabase(): Promise<void> {
  const settings = readPlatformSettings(process.env)
  const log = createLogger({ level: settings.telemetry.logLevel, format: settings.telemetry.logFormat })
  await using database = await openDatabase({ settings: settings.database, log, embedded: 'join' })
  const { ran } = await migrate(database, migrationSets, log)
  const what = ran === 0 ? 'nothing to do' : `${ran} ${ran === 1 ? 'migration' : 'migrations'} ran`
  console.log(`The database is up to date: ${what}.`)
}
