import { migrate, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { migrationSets } from '../migrations.ts'
import { readPlatformSettings } from '../settings.ts'

/** `tutti migrate`: applies the pending migrations. */
export async function migrateDatabase(): Promise<void> {
  const settings = readPlatformSettings(process.env)
  const log = createLogger({ level: settings.telemetry.logLevel, format: settings.telemetry.logFormat })
  await using database = await openDatabase({ settings: settings.database, log, embedded: 'join' })
  const { ran } = await migrate(database, migrationSets, log)
  const what = ran === 0 ? 'nothing to do' : `${ran} ${ran === 1 ? 'migration' : 'migrations'} ran`
  console.log(`The database is up to date: ${what}.`)
}
