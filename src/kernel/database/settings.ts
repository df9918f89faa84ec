import { defineSettings, type Setting, type SettingsOf, setting } from '#kernel/config'
import { type ConnectionTarget, parseConnectionUrl } from '#kernel/postgres'

function connectionUrl(variable: string, about: string): Setting<ConnectionTarget | undefined> {
  const text = setting.secretText(variable, { about, optional: true })
  return { ...text, kind: 'address', fallback: undefined, parse: (url) => parseConnectionUrl(variable, url) }
}

/** The settings of the database connection. */
export const databaseSettings = defineSettings({
  databaseUrl: connectionUrl(
    'DATABASE_URL',
    'PostgreSQL server to use instead of the embedded one, or several hosts for failover, as `postgres://USER:PASSWORD@HOST1,HOST2/DATABASE`',
  ),
  directUrl: connectionUrl(
    'DATABASE_DIRECT_URL',
    'Address of PostgreSQL itself, when DATABASE_URL is that of a connection pooler in transaction mode',
  ),
  passwordFile: setting.text('DATABASE_PASSWORD_FILE', {
    about: 'File with the database password, read again for each new connection',
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
    about: 'How long a request waits for a database that is restarting or does not respond',
    default: 10_000,
    min: 100,
  }),
})

export type DatabaseSettings = SettingsOf<typeof databaseSettings>
