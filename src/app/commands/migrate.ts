import { migrate, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { migrationSets } from '../migrations.ts'
import { readPlatformSettings } from '../settings.ts'

/** `tutti migrate`: applies what is pending and says how much that was. */
export async function migrateDatabase(): Promise<void> {
  const settings = readPlatformSettings(process.env)
  const log = createLogger({ level: settings.telemetry.logLevel, format: settings.telemetry.logFormat })
  await using database = await openDatabase({ settings: settings.database, log, embedded: 'join' })
  const { ran } = await migrate(database, migrationSets, log)
  console.log(
    ran === 0 ? 'The database was up to date.' : `The database is up to date: ${ran} migrations ran.`,
  )
}
