export {
  createBatchWriter,
  createGroupWriter,
  largeItem,
  retryWhenUnavailable,
  storableJson,
  storeInGroups,
} from './batch-writer.ts'
export { clockWarningMs, declareClockGauge, describeSkew, maxClockSkewMs } from './clock.ts'
export type { Database, NoTables, Session } from './database.ts'
export { isDatabaseUnavailable, isUniqueViolation } from './database-errors.ts'
export { embeddedDatabaseUrl } from './embedded/layout.ts'
export {
  createMigrationCheck,
  type MigrationRecord,
  migrate,
  migrationState,
  migrationTexts,
  recreateSchema,
  tryLockMigrations,
} from './migrate.ts'
export { compatibilityOf, programLevel } from './migration-compatibility.ts'
export { type MigrationSet, readMigrationFiles } from './migration-files.ts'
export { openDatabase, superviseEmbedded } from './open-database.ts'
export { retryConflicts } from './retry-conflicts.ts'
export { type DatabaseSettings, databaseSettings } from './settings.ts'
