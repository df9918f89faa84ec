import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig, Pool, type PoolClient, type QueryResult } from 'pg'
import { kernelFailure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import {
  databaseUnavailable,
  errorCode,
  isConnectionLost,
  translateConnectionError,
} from './database-errors.ts'

export interface ConnectionPoolOptions {
  readonly connection: ClientConfig
  readonly size: number
  readonly connectWaitMs: number
  readonly log: Logger
}

/** A borrowed connection. Its errors are already translated; return it to the pool with `release`. */
interface Lease {
  query(text: string, values?: readonly unknown[], name?: string): Promise<QueryResult>
  release(destroy?: boolean): void
}

export interface ConnectionPool {
  lease(): Promise<Lease>
  usage(): { readonly total: number; readonly idle: number; readonly waiting: number }
  close(): Promise<void>
}

const tooManyConnections = '53300'

/** How long `close` waits for borrowed connections before it ends them. */
const drainMs = 5000

export function createConnectionPool({
  connection,
  size,
  connectWaitMs,
  log,
}: ConnectionPoolOptions): ConnectionPool {
  const pool = new Pool({
    ...connection,
    max: size,
    idleTimeoutMillis: 30_000,
    connectionTimeoutMillis: connectWaitMs,
  })
  const availability = createAvailability(() => connectOnce({ ...connection, connectionTimeoutMillis: 2000 }))
  const borrowed = new Set<PoolClient>()
  let closed = false

  // The driver emits `error` on an idle connection that breaks; without a listener that would end the process.
  const logLoss = (error: Error) => {
    if (errorCode(error) === '25P03') log.warn('the database ended a transaction that was idle for too long')
    else log.debug({ err: error }, 'lost a database connection')
  }
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', logLoss))

  async function borrow(): Promise<PoolClient> {
    const deadline = Date.now() + connectWaitMs
    for (;;) {
      if (closed) throw kernelFailure('shutting_down')
      const recovery = availability.waitUntilUp(deadline)
      if (recovery !== undefined) await recovery
      try {
        return await pool.connect()
      } catch (error) {
        if (closed) throw kernelFailure('shutting_down', { cause: error })
        if (borrowed.size >= size) throw kernelFailure('overloaded', { cause: error })
        if (!isConnectionLost(error)) throw databaseUnavailable(error)
        // A server at its connection limit still serves the existing connections, so other callers need not wait.
        if (errorCode(error) === tooManyConnections) await waitForFreeConnection(deadline, error)
        else availability.reportDown(error)
      }
    }
  }

  return {
    async lease() {
      const client = await borrow()
      borrowed.add(client)
      return createLease(client, () => borrowed.delete(client))
    },

    usage: () => ({ total: pool.totalCount, idle: pool.idleCount, waiting: pool.waitingCount }),

    async close() {
      if (closed) return
      closed = true
      availability.close()
      const cut = setTimeout(() => {
        log.warn({ connections: borrowed.size }, 'ending database connections that are still in use')
        for (const client of borrowed) void client.end().catch(() => {})
      }, drainMs)
      await pool.end().finally(() => clearTimeout(cut))
    },
  }
}

async function waitForFreeConnection(deadline: number, cause: unknown): Promise<void> {
  if (Date.now() >= deadline) throw databaseUnavailable(cause)
  await delay(50)
}

function createLease(client: PoolClient, onRelease: () => void): Lease {
  let broken = false
  return {
    async query(text, values, name) {
      try {
        if (values === undefined) return await client.query(text)
        return await client.query({ text, values: values as unknown[], ...(name !== undefined && { name }) })
      } catch (error) {
        if (isConnectionLost(error)) broken = true
        throw translateConnectionError(error)
      }
    },
    release(destroy = false) {
      onRelease()
      client.release(destroy || broken)
    },
  }
}

async function connectOnce(config: ClientConfig): Promise<void> {
  const client = new Client(config)
  client.on('error', () => {})
  try {
    await client.connect()
  } finally {
    await client.end().catch(() => {})
  }
}

/**
 * Whether the server can be reached. While it is down, all callers wait for one probe instead of each trying to connect.
 *
 * | state | on                          | next                                                  |
 * |-------|-----------------------------|-------------------------------------------------------|
 * | up    | a connection attempt failed | down; one probe starts, 20 ms to 500 ms between tries |
 * | down  | the probe connects          | up; all waiting callers continue                      |
 * | down  | a caller's deadline passes  | down; that caller gets `database_unavailable`         |
 * | any   | close                       | the probe stops; waiting callers get that failure too |
 */
interface Availability {
  /** Undefined when up, so that the hot path has no await. Rejects with `database_unavailable` at the deadline. */
  waitUntilUp(deadline: number): Promise<void> | undefined
  reportDown(cause: unknown): void
  close(): void
}

function createAvailability(probe: () => Promise<void>): Availability {
  const closing = new AbortController()
  let recovery: { readonly done: Promise<void>; cause: unknown } | undefined

  async function recover(): Promise<void> {
    for (let waitMs = 20; ; waitMs = Math.min(waitMs * 1.6, 500)) {
      await delay(waitMs, undefined, { signal: closing.signal })
      try {
        await probe()
        recovery = undefined
        return
      } catch (error) {
        if (recovery) recovery.cause = error
      }
    }
  }

  return {
    waitUntilUp(deadline) {
      const current = recovery
      if (current === undefined) return undefined
      return waitWithin(deadline, current.done, () => current.cause)
    },
    reportDown(cause) {
      if (recovery !== undefined || closing.signal.aborted) return
      const done = recover()
      done.catch(() => {})
      recovery = { done, cause }
    },
    close() {
      closing.abort()
    },
  }
}

async function waitWithin(deadline: number, done: Promise<void>, lastCause: () => unknown): Promise<void> {
  const settled = new AbortController()
  const timeout = delay(Math.max(0, deadline - Date.now()), 'late', { signal: settled.signal })
  timeout.catch(() => {})
  try {
    if ((await Promise.race([done, timeout])) === 'late') throw databaseUnavailable(lastCause())
  } catch (error) {
    throw error instanceof Error && error.name === 'AbortError' ? databaseUnavailable(lastCause()) : error
  } finally {
    settled.abort()
  }
}
