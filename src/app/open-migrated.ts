import { type Database, type DatabaseSettings, migrate, openDatabase } from '#kernel/database'
import type { Logger } from '#kernel/telemetry'
import { migrationSets } from './migrations.ts'

interface OpenMigratedOptions {
  readonly embedded?: 'own' | 'join'
  readonly onStarting?: () => void
}

/** Opens the database of the platform and applies the pending migrations. */
export async function openMigrated(
  settings: DatabaseSettings,
  log: Logger,
  options: OpenMigratedOptions = {},
): Promise<Database> {
  await using closing = new AsyncDisposableStack()
  const database = closing.use(await openDatabase({ settings, log, ...options }))
  await migrate(database, migrationSets, log)
  closing.move()
  return database
}
