import { setTimeout as delay } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import { Client, type ClientConfig, type CustomTypesConfig, TypeOverrides, types } from 'pg'
import { UserError } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts'
import type { Database, NoTables, Session } from './database.ts'
import { databaseUnavailable, isConnectionLost, translateConnectionError } from './database-errors.ts'
import { openEmbedded } from './embedded/open-embedded.ts'
import { createListener } from './listener.ts'
import type { DatabaseSettings } from './settings.ts'

interface OpenDatabaseOptions {
  readonly settings: DatabaseSettings
  readonly log: Logger
  /**
   * How this process uses the embedded PostgreSQL. `own`: it supervises the server until it ends; a second owner is refused. `join`: a
   * short command that uses the running server, or starts one for as long as it needs it. Default: `own`.
   */
  readonly embedded?: 'own' | 'join'
}

const pingTimeoutMs = 2000

/**
 * Connects to the server of DATABASE_URL, or to the embedded PostgreSQL of the data folder, which it starts if necessary. Throws a
 * `UserError` when the server cannot be reached or is too old, or when the data folder cannot be used.
 */
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
    // The server cancels a slow statement first; this limit is for a server that no longer responds.
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

/** Throws the error of `work` itself, even when the connection broke before the rollback. */
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
      () => reject(databaseUnavailable(new Error(`no response within ${pingTimeoutMs} ms`))),
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
    // Kysely's type also has cursors, which need a package that is not installed.
    connect: (() => pool.lease()) as unknown as PostgresPool['connect'],
    end: () => pool.close(),
  }
}

/** The type `_int8`, which is missing in the driver's list. */
const int8Array: number = 1016

/**
 * Parses 64-bit integers as numbers. Our sequences, counts and micro-dollars stay far below 2^53, and arithmetic and JSON need numbers.
 * A larger value is an error, never a rounded number. (`sum()` of a bigint is `numeric` and stays text: cast it, `sum(x)::bigint`.)
 */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`the 64-bit integer ${text} does not fit a number`)
  return value
}

/** PostgreSQL writes an array of integers as `{1,NULL,2}`. */
function parseInt8Array(text: string): (number | null)[] {
  if (text === '{}') return []
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item === 'NULL' ? null : parseInt8(item)))
}

/** Type parsers for these connections only; the driver's global parsers stay unchanged. */
function createColumnTypes(): CustomTypesConfig {
  const overrides = new TypeOverrides()
  overrides.setTypeParser(types.builtins.INT8, parseInt8)
  overrides.setTypeParser(int8Array, parseInt8Array)
  return overrides
}

const minMajorVersion = 15

/** Connects to the server of DATABASE_URL once, waiting while it starts, and returns its version. */
async function checkServer(connection: ClientConfig, connectWaitMs: number): Promise<string> {
  const deadline = Date.now() + connectWaitMs
  for (let waitMs = 50; ; waitMs = Math.min(waitMs * 2, 1000)) {
    try {
      const version = await readServerVersion({
        ...connection,
        connectionTimeoutMillis: Math.max(1000, connectWaitMs),
      })
      if (Number.parseInt(version, 10) < minMajorVersion) {
        throw new UserError(
          `DATABASE_URL: PostgreSQL ${version} is too old. Use version ${minMajorVersion} or later.`,
        )
      }
      return version
    } catch (error) {
      if (error instanceof UserError) throw error
      const reason = error instanceof Error ? error.message || error.name : String(error)
      if (!isConnectionLost(error)) throw new UserError(`DATABASE_URL: ${reason}`, { cause: error })
      if (Date.now() + waitMs > deadline) {
        throw new UserError(
          `DATABASE_URL: the PostgreSQL server cannot be reached (${reason}). Check that it is running and that the address is right.`,
          { cause: error },
        )
      }
    }
    await delay(waitMs)
  }
}

async function readServerVersion(config: ClientConfig): Promise<string> {
  const client = new Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
    const { rows } = await client.query<{ server_version: string }>('show server_version')
    // Distributions append their own name: `18.4 (Debian 18.4-1)`.
    return rows[0]?.server_version.split(' ')[0] ?? 'unknown'
  } finally {
    await client.end().catch(() => {})
  }
}

/** Opens one connection outside the pool, without time limits, and closes it when `work` has ended. */
async function withSession<Result>(
  connection: ClientConfig,
  connectWaitMs: number,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const client = await connectWithRetry(withoutLimits(connection), connectWaitMs)
  try {
    return await work({
      async query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]> {
        try {
          const result = await (values === undefined
            ? client.query(text)
            : client.query(text, values as unknown[]))
          return result.rows as Row[]
        } catch (error) {
          throw translateConnectionError(error)
        }
      },
    })
  } finally {
    await client.end().catch(() => {})
  }
}

function withoutLimits(connection: ClientConfig): ClientConfig {
  return {
    ...connection,
    statement_timeout: 0,
    query_timeout: 0,
    lock_timeout: 0,
    idle_in_transaction_session_timeout: 0,
  }
}

async function connectWithRetry(config: ClientConfig, connectWaitMs: number): Promise<Client> {
  const deadline = Date.now() + connectWaitMs
  for (;;) {
    const client = new Client({ ...config, connectionTimeoutMillis: Math.max(1000, connectWaitMs) })
    client.on('error', () => {})
    try {
      await client.connect()
      return client
    } catch (error) {
      await client.end().catch(() => {})
      if (!isConnectionLost(error) || Date.now() >= deadline) throw databaseUnavailable(error)
    }
    await delay(100)
  }
}
