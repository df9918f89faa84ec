export {
  createBatchWriter,
  retryWhenUnavailable,
  type StoreOutcome,
  storableJson,
  storeInGroups,
  unwrapOutcome,
} from './batch-writer.ts'
export type { Database, NoTables, Session } from './database.ts'
export { isDatabaseUnavailable, isUniqueViolation } from './database-errors.ts'
export { embeddedDatabaseUrl } from './embedded/layout.ts'
export { type MigrationSet, migrate, migrationState } from './migrate.ts'
export { openDatabase } from './open-database.ts'
export { type DatabaseSettings, databaseSettings } from './settings.ts'
