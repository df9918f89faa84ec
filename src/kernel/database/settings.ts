import { defineSettings, type SettingsOf, setting } from '#kernel/config'

/** The settings of the database connection. */
export const databaseSettings = defineSettings({
  databaseUrl: setting.secretUrl('DATABASE_URL', ['postgres:', 'postgresql:'], {
    about: 'PostgreSQL server to use instead of the embedded one',
    optional: true,
  }),
  dataDir: setting.text('TUTTI_DATA_DIR', {
    about: 'Folder of the embedded database, used when DATABASE_URL is not set',
    default: '.tutti',
  }),
  poolSize: setting.integer('DATABASE_POOL_SIZE', {
    about: 'Maximum number of pooled database connections per process',
    default: 10,
    min: 1,
    max: 200,
  }),
  statementTimeoutMs: setting.durationMs('DATABASE_STATEMENT_TIMEOUT', {
    about: 'Time limit of one statement; a slower one is cancelled, 0 for no limit',
    default: 30_000,
  }),
  connectWaitMs: setting.durationMs('DATABASE_CONNECT_WAIT', {
    about: 'How long a request waits for a database that is restarting',
    default: 10_000,
    min: 100,
  }),
})

export type DatabaseSettings = SettingsOf<typeof databaseSettings>
