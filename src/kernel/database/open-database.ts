import { Kysely, PostgresDialect, type PostgresPool, type Transaction } from 'kysely'
import { type Failure, kernelFailure } from '#kernel/errors'
import { createConnector, type SessionConfig } from '#kernel/postgres'
import type { Logger } from '#kernel/telemetry'
import { startRunningTimer } from '#kernel/timers'
import { createDatabaseClock } from './clock.ts'
import { createColumnTypes } from './column-types.ts'
import { type ConnectionPool, createConnectionPool } from './connection-pool.ts'
import type { Database, NoTables } from './database.ts'
import { openEmbedded } from './embedded/open-embedded.ts'
import { createListener } from './listener.ts'
import { withSession } from './session.ts'
import type { DatabaseSettings } from './settings.ts'
import { findTargets, refuseServerSettings, type Targets } from './targets.ts'

interface OpenDatabaseOptions {
  readonly settings: DatabaseSettings
  readonly log: Logger
  /**
   * How this process uses the embedded PostgreSQL. `own`: it supervises the server until it ends; a second owner is refused. `join`: a
   * short command that uses the running server, or starts one for as long as it needs it. Default: `own`.
   */
  readonly embedded?: 'own' | 'join'
  /** Called when an owner has to wait for a program of the embedded PostgreSQL, which runs by then. */
  readonly onStarting?: (() => void) | undefined
}

const pingTimeoutMs = 1500
/** Time limit of LISTEN and of the check of its connection. */
const listenTimeoutMs = 4000

/**
 * Connects to the server of DATABASE_URL, or to the embedded PostgreSQL of the data folder, which it starts if necessary. Throws a
 * `UserError` when the server cannot be reached or is too old, or when the data folder cannot be used.
 */
export async function openDatabase({
  settings,
  log,
  embedded = 'own',
  onStarting,
}: OpenDatabaseOptions): Promise<Database> {
  if (settings.databaseUrl !== undefined) {
    const targets = await findTargets(settings, settings.databaseUrl)
    return connectDatabase({ kind: 'server', targets, settings, log, stop: async () => {} })
  }
  refuseServerSettings(settings)
  const server = await openEmbedded({ dataDir: settings.dataDir, mode: embedded, log, onStarting })
  const { version, target } = server
  const targets = { version, pool: target, isPooled: false, direct: target, clock: undefined }
  return connectDatabase({ kind: 'embedded', targets, settings, log, stop: () => server.close() })
}

/** Starts the embedded PostgreSQL and supervises it for processes that join it. Undefined when DATABASE_URL names a server. */
export async function superviseEmbedded({
  settings,
  log,
}: Pick<OpenDatabaseOptions, 'settings' | 'log'>): Promise<AsyncDisposable | undefined> {
  if (settings.databaseUrl !== undefined) return undefined
  const server = await openEmbedded({ dataDir: settings.dataDir, mode: 'own', log })
  return { [Symbol.asyncDispose]: () => server.close() }
}

interface ConnectOptions {
  readonly kind: Database['kind']
  readonly targets: Targets
  readonly settings: DatabaseSettings
  readonly log: Logger
  readonly stop: () => Promise<void>
}

const lockTimeoutMs = 10_000
const idleInTransactionMs = 10_000

function connectDatabase({ kind, targets, settings, log, stop }: ConnectOptions): Database {
  const { poolSize, statementTimeoutMs, connectWaitMs } = settings
  const types = createColumnTypes()
  // The server cancels a slow statement first; this limit is for a server that no longer responds.
  const queryTimeoutMs = statementTimeoutMs === 0 ? 0 : statementTimeoutMs + 5000
  const limits: SessionConfig = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    idle_in_transaction_session_timeout: idleInTransactionMs,
  }
  const pool = createConnectionPool({
    connector: createConnector(targets.pool, {
      types,
      query_timeout: queryTimeoutMs,
      ...(!targets.isPooled && limits),
    }),
    pooled: targets.isPooled ? { beginStatement: beginWithLimits(statementTimeoutMs) } : undefined,
    size: poolSize,
    connectWaitMs,
    log,
  })
  const sessions = createConnector(targets.direct, { types })
  const listener = createListener({
    connector: createConnector(targets.direct, { types, query_timeout: listenTimeoutMs }),
    connectWaitMs,
    log,
  })
  const kysely = new Kysely<NoTables>({ dialect: new PostgresDialect({ pool: kyselyPool(pool) }) })

  async function query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]> {
    const lease = await pool.lease()
    try {
      return (await lease.query(text, values, name)).rows as Row[]
    } finally {
      lease.release()
    }
  }

  const clock = createDatabaseClock({ first: targets.clock, query, log })

  async function close(): Promise<void> {
    clock.stop()
    await listener.close()
    await pool.close()
    await stop()
  }

  let closed: Promise<void> | undefined
  const closeOnce = () => (closed ??= close())
  return {
    kind,
    version: targets.version,
    kysely,
    query,
    transaction: (work) => runTransaction(kysely, work),
    withSession: (work) => withSession(sessions, connectWaitMs, work),
    listen: (channel, onMessage, onGap) => listener.listen(channel, onMessage, onGap),
    ping: () => ping(query, pool),
    clock,
    connectionTarget: () => targets.direct,
    poolUsage: () => pool.usage(),
    close: closeOnce,
    [Symbol.asyncDispose]: closeOnce,
  }
}

/** A pooler gives each transaction another session, so that its limits have to be set with it. */
function beginWithLimits(statementTimeoutMs: number): string {
  return [
    'begin',
    `set local statement_timeout = ${statementTimeoutMs}`,
    `set local lock_timeout = ${lockTimeoutMs}`,
    `set local idle_in_transaction_session_timeout = ${idleInTransactionMs}`,
  ].join('; ')
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

/** Its failure names the trouble, because readiness shows it to operators. */
async function ping(
  query: Database['query'],
  { downReason, trouble }: Pick<ConnectionPool, 'downReason' | 'trouble'>,
): Promise<void> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  using _ = startRunningTimer(
    () => reject(new Error(`no response within ${pingTimeoutMs} ms`)),
    pingTimeoutMs,
  )
  try {
    await Promise.race([query('select 1'), late])
  } catch (error) {
    throw failed(downReason() ?? trouble() ?? (error instanceof Error ? error.message : String(error)), error)
  }
  const found = trouble()
  if (found !== undefined) throw failed(found)
}

function failed(reason: string, cause?: unknown): Failure {
  return kernelFailure('database_unavailable', { message: `The database is unavailable: ${reason}.`, cause })
}

function kyselyPool(pool: ConnectionPool): PostgresPool {
  return {
    options: {},
    // Kysely's type also has cursors, which need a package that is not installed.
    connect: (() => pool.lease()) as unknown as PostgresPool['connect'],
    end: () => pool.close(),
  }
}
