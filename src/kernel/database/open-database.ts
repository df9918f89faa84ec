import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import type { ClientConfig } from 'pg'
import type { Logger } from '#kernel/telemetry'
import { checkServer } from './check-server.ts'
import { createColumnTypes } from './column-types.ts'
import { databaseUnavailable } from './connection-errors.ts'
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts'
import type { Database, NoTables } from './database.ts'
import { openEmbedded } from './embedded/open-embedded.ts'
import { createListener } from './listener.ts'
import { withSession } from './session.ts'
import type { DatabaseSettings } from './settings.ts'

export interface OpenDatabaseOptions {
  readonly settings: DatabaseSettings
  readonly log: Logger
  /**
   * Who looks after the embedded PostgreSQL. `own`: this process alone, until it ends; a second owner is refused.
   * `join`: a short command that uses what is running, or starts it for as long as it needs. Default `own`.
   */
  readonly embedded?: 'own' | 'join'
}

const pingTimeoutMs = 2000

/** Connects to the server of DATABASE_URL, or to the embedded PostgreSQL of the data folder, which it starts if need be. */
export async function openDatabase({
  settings,
  log,
  embedded = 'own',
}: OpenDatabaseOptions): Promise<Database> {
  if (settings.databaseUrl !== undefined) {
    const connection: ClientConfig = { connectionString: settings.databaseUrl }
    const version = await checkServer(connection, settings.connectWaitMs)
    return connectDatabase({ kind: 'server', version, connection, settings, log, stop: async () => {} })
  }
  const server = await openEmbedded({ dataDir: settings.dataDir, mode: embedded, log })
  const { version, connection } = server
  return connectDatabase({ kind: 'embedded', version, connection, settings, log, stop: () => server.close() })
}

interface ConnectOptions {
  readonly kind: Database['kind']
  readonly version: string
  readonly connection: ClientConfig
  readonly settings: DatabaseSettings
  readonly log: Logger
  readonly stop: () => Promise<void>
}

function connectDatabase({ kind, version, connection, settings, log, stop }: ConnectOptions): Database {
  const { poolSize, statementTimeoutMs, connectWaitMs } = settings
  const limited: ClientConfig = {
    application_name: 'tutti',
    ...connection,
    types: createColumnTypes(),
    keepAlive: true,
    statement_timeout: statementTimeoutMs,
    // The server ends a slow statement first; ours is for a server that no longer answers at all.
    query_timeout: statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 5000,
    lock_timeout: 10_000,
    idle_in_transaction_session_timeout: 10_000,
  }
  const pool = createConnectionPool({ connection: limited, size: poolSize, connectWaitMs, log })
  const listener = createListener({ connection: limited, connectWaitMs, log })
  const kysely = new Kysely<NoTables>({ dialect: new PostgresDialect({ pool: kyselyPool(pool) }) })

  async function query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]> {
    const lease = await pool.lease()
    try {
      return (await lease.query(text, values, name)).rows as Row[]
    } finally {
      lease.release()
    }
  }

  async function close(): Promise<void> {
    await listener.close()
    await pool.close()
    await stop()
  }

  let closed: Promise<void> | undefined
  const closeOnce = () => (closed ??= close())
  return {
    kind,
    version,
    kysely,
    query,
    transaction: (work) => runTransaction(kysely, work),
    withSession: (work) => withSession(limited, connectWaitMs, work),
    listen: (channel, onMessage, onGap) => listener.listen(channel, onMessage, onGap),
    ping: () => ping(query),
    connectionOptions: () => ({ application_name: 'tutti', ...connection }),
    poolUsage: () => pool.usage(),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  }
}

/** The error of the work itself is what the caller sees, even when the connection broke before the rollback. */
async function runTransaction<Result>(
  kysely: Kysely<NoTables>,
  work: (transaction: Transaction<NoTables>) => Promise<Result>,
): Promise<Result> {
  let workFailed: { readonly error: unknown } | undefined
  try {
    return await kysely.transaction().execute(async (transaction) => {
      try {
        return await work(transaction)
      } catch (error) {
        workFailed = { error }
        throw error
      }
    })
  } catch (error) {
    throw workFailed === undefined ? error : workFailed.error
  }
}

async function ping(query: Database['query']): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(databaseUnavailable(new Error(`no answer within ${pingTimeoutMs} ms`))),
      pingTimeoutMs,
    )
  })
  try {
    await Promise.race([query('select 1'), late])
  } finally {
    clearTimeout(timer)
  }
}

function kyselyPool(pool: ConnectionPool): PostgresPool {
  return {
    options: {},
    // Kysely's type also has cursors, which need a package we do not use.
    connect: (() => pool.lease()) as unknown as PostgresPool['connect'],
    end: () => pool.close(),
  }
}
