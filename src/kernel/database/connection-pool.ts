import { setTimeout as delay } from 'node:timers/promises'
import { Client, type ClientConfig, Pool, type PoolClient, type QueryResult } from 'pg'
import { kernelFailure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { createAvailability } from './availability.ts'
import {
  databaseUnavailable,
  errorCode,
  isConnectionLost,
  translateConnectionError,
} from './connection-errors.ts'

export interface ConnectionPoolOptions {
  readonly connection: ClientConfig
  readonly size: number
  readonly connectWaitMs: number
  readonly log: Logger
}

/** A borrowed connection whose errors already speak our language. Give it back with `release`. */
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

/** How long `close` waits for borrowed connections before it cuts them. */
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

  // The driver emits `error` on a connection that breaks while nobody is waiting on it; unheard, that ends the process.
  const noteLoss = (error: Error) => {
    if (errorCode(error) === '25P03') log.warn('a transaction was left idle too long and has been ended')
    else log.debug({ err: error }, 'a database connection was lost')
  }
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', noteLoss))

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
        // A server that is full still serves the connections we have: no reason to hold everybody back.
        if (errorCode(error) === tooManyConnections) await waitForRoom(deadline, error)
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
        log.warn({ connections: borrowed.size }, 'closing database connections that are still in use')
        for (const client of borrowed) void client.end().catch(() => {})
      }, drainMs)
      await pool.end().finally(() => clearTimeout(cut))
    },
  }
}

async function waitForRoom(deadline: number, cause: unknown): Promise<void> {
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
