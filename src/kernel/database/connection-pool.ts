import { setTimeout as delay } from 'node:timers/promises'
import { DatabaseError, type QueryResult } from 'pg'
import { kernelFailure } from '#kernel/errors'
import { type Connection, type Connector, errorCode, isConnectionLost } from '#kernel/postgres'
import type { Logger } from '#kernel/telemetry'
import { databaseUnavailable, serverTroubleOf, translateConnectionError } from './database-errors.ts'
import { watchSilence } from './silence-watch.ts'

export interface ConnectionPoolOptions {
  readonly connector: Connector
  readonly size: number
  readonly connectWaitMs: number
  /** Set behind a pooler: prepared statements have no name there, and each transaction sets its own limits. */
  readonly pooled?: { readonly beginStatement: string } | undefined
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
  /** Why no connection can be opened at the moment; undefined when one can. */
  downReason(): string | undefined
  /** What statements met in the last seconds, such as a full disk; undefined when they met nothing. */
  trouble(): string | undefined
  close(): Promise<void>
}

interface Waiter {
  readonly resolve: (lease: Lease) => void
  readonly reject: (error: Error) => void
}

/** A connection in use, and since when it waits for a response. */
export interface Borrowed {
  readonly connection: Connection
  waitingSince: number | undefined
}

/** How long `close` waits for borrowed connections before it ends them. */
const drainMs = 5000
const idleMs = 30_000
/** How long a caller still waits once the database has been unreachable for longer than `connectWaitMs`. */
const shortWaitMs = 1000
/** A busy server may need this long for a new connection. */
const minQuietMs = 2000
/** How long a trouble that one statement met is still reported: the next statement may not meet it. */
const troubleMs = 15_000
const troubleLogMs = 30_000

/**
 * Lends connections; at most `size` exist. A caller waits in one queue for a connection that is returned or newly opened.
 *
 * | state | on                                  | next                                                                   |
 * |-------|-------------------------------------|------------------------------------------------------------------------|
 * | up    | more callers than free connections  | up; opens one for each waiting caller                                  |
 * | up    | a connection cannot be opened       | down; one attempt at a time, 20 to 500 ms after the last one           |
 * | up    | the server does not respond         | down; the silent connections end (see `silence-watch.ts`)              |
 * | down  | a connection is opened              | up                                                                     |
 * | any   | a connection is lost                | the same; idle connections end, since their server may be gone too     |
 * | any   | the deadline of a waiting caller    | the same; it gets `overloaded` if all connections are in use, else     |
 * |       |                                     | `database_unavailable` with the cause                                  |
 * | any   | `close`                             | closed; waiting callers get `shutting_down`                            |
 *
 * A caller waits `connectWaitMs`. Once the database has been down for that long, it waits a second: a request that makes several
 * statements then fails in about the time of one.
 */
export function createConnectionPool({
  connector,
  size,
  connectWaitMs,
  pooled,
  log,
}: ConnectionPoolOptions): ConnectionPool {
  const closing = new AbortController()
  const idle = new Map<Connection, number>()
  const ended = new WeakSet<Connection>()
  const borrowed = new Set<Borrowed>()
  const waiters = new Set<Waiter>()
  let opening = 0
  let down: { readonly since: number; cause: unknown } | undefined
  let trouble: { readonly text: string; at: number; readonly loggedAt: number } | undefined
  let whenEmpty: (() => void) | undefined

  const total = () => idle.size + borrowed.size + opening

  function pump(): void {
    for (const waiter of waiters) {
      const connection = takeIdle()
      if (connection === undefined) break
      waiters.delete(waiter)
      waiter.resolve(lend(connection))
    }
    if (down !== undefined || closing.signal.aborted) return
    while (opening < waiters.size && total() < size) void open()
  }

  async function open(): Promise<void> {
    opening += 1
    try {
      const attemptMs = Math.max(1000, connectWaitMs / 2)
      const connection = await connector.open(performance.now() + attemptMs, closing.signal)
      opening -= 1
      if (closing.signal.aborted) return connection.destroy()
      if (down !== undefined) {
        log.info({ downMs: Math.round(performance.now() - down.since) }, 'the database can be reached again')
        down = undefined
      }
      watch(connection)
      idle.set(connection, performance.now())
      pump()
    } catch (error) {
      opening -= 1
      reportDown(error)
    } finally {
      settleClose()
    }
  }

  function watch(connection: Connection): void {
    const remove = () => {
      ended.add(connection)
      if (idle.delete(connection)) settleClose()
    }
    connection.client.on('error', (error) => {
      remove()
      if (errorCode(error) === '25P03')
        log.warn('the database ended a transaction that was idle for too long')
      else log.debug({ err: error }, 'lost a database connection')
    })
    connection.client.once('end', remove)
  }

  function reportDown(cause: unknown, since = performance.now()): void {
    if (closing.signal.aborted) return
    if (down !== undefined) {
      down.cause = cause
      return
    }
    down = { since, cause }
    log.warn({ err: cause }, `the database cannot be reached: ${reasonOf(cause)}`)
    void reopen()
  }

  async function reopen(): Promise<void> {
    for (let waitMs = 20; down !== undefined; waitMs = Math.min(waitMs * 1.6, 500)) {
      await delay(waitMs, undefined, { signal: closing.signal }).catch(() => {})
      if (closing.signal.aborted) return
      // Connections in use may fill the pool while the server refuses more of them.
      if (total() < size) await open()
      else down = undefined
    }
    pump()
  }

  function endIdle(): void {
    for (const connection of idle.keys()) connection.destroy()
    idle.clear()
  }

  function waitMsNow(): number {
    if (down === undefined || borrowed.size > 0) return connectWaitMs
    const remainingMs = down.since + connectWaitMs - performance.now()
    return Math.min(connectWaitMs, Math.max(shortWaitMs, remainingMs))
  }

  function waitForConnection(): Promise<Lease> {
    const { promise, resolve, reject } = Promise.withResolvers<Lease>()
    const timer = setTimeout(() => {
      waiters.delete(waiter)
      if (borrowed.size >= size) reject(kernelFailure('overloaded', { cause: down?.cause }))
      else reject(databaseUnavailable(down?.cause ?? new Error('no connection in time')))
    }, waitMsNow())
    const waiter: Waiter = {
      resolve(lease) {
        clearTimeout(timer)
        resolve(lease)
      },
      reject(error) {
        clearTimeout(timer)
        reject(error)
      },
    }
    waiters.add(waiter)
    pump()
    return promise
  }

  /** The connection that was used last: the others can end when they are not needed. */
  function takeIdle(): Connection | undefined {
    let newest: Connection | undefined
    for (const connection of idle.keys()) newest = connection
    if (newest !== undefined) idle.delete(newest)
    return newest
  }

  function lend(connection: Connection): Lease {
    const loan: Borrowed = { connection, waitingSince: undefined }
    borrowed.add(loan)
    let lost = false
    let pending = 0

    async function run(text: string, values: readonly unknown[] | undefined, name: string | undefined) {
      const { client } = connection
      if (pooled === undefined) {
        if (values === undefined) return await client.query(text)
        return await client.query({ text, values: values as unknown[], ...(name !== undefined && { name }) })
      }
      if (text === 'begin') return await client.query(pooled.beginStatement)
      return values === undefined ? await client.query(text) : await client.query(text, values as unknown[])
    }

    return {
      async query(text, values, name) {
        pending += 1
        loan.waitingSince ??= performance.now()
        try {
          return await run(text, values, name)
        } catch (error) {
          if (isConnectionLost(error)) {
            lost = true
            endIdle()
          }
          throw reportTrouble(error)
        } finally {
          pending -= 1
          loan.waitingSince = pending > 0 ? performance.now() : undefined
        }
      },
      release(destroy = false) {
        if (!borrowed.delete(loan)) return
        if (destroy || lost || ended.has(connection) || closing.signal.aborted) connection.destroy()
        else idle.set(connection, performance.now())
        pump()
        settleClose()
      },
    }
  }

  /** A full disk is logged here, because the statement that meets it may be anyone's. */
  function reportTrouble(error: unknown): unknown {
    const text = error instanceof DatabaseError ? serverTroubleOf(error) : undefined
    if (text !== undefined) {
      if (trouble?.text !== text || performance.now() - trouble.loggedAt > troubleLogMs) {
        log.error({ err: error }, text)
        trouble = { text, at: performance.now(), loggedAt: performance.now() }
      }
      trouble.at = performance.now()
    }
    return translateConnectionError(error)
  }

  function settleClose(): void {
    if (closing.signal.aborted && total() === 0) whenEmpty?.()
  }

  const silence = watchSilence({
    borrowed,
    connector,
    quietMs: Math.max(minQuietMs, connectWaitMs * 0.3),
    signal: closing.signal,
    onSilent(cause, since) {
      endIdle()
      reportDown(cause, since)
    },
  })
  const sweeping = setInterval(() => {
    for (const [connection, since] of idle) {
      if (performance.now() - since < idleMs) continue
      idle.delete(connection)
      void connection.close()
    }
  }, idleMs / 3)
  sweeping.unref()

  return {
    async lease() {
      if (closing.signal.aborted) throw kernelFailure('shutting_down')
      const connection = waiters.size === 0 ? takeIdle() : undefined
      return connection === undefined ? await waitForConnection() : lend(connection)
    },

    downReason: () => (down === undefined ? undefined : reasonOf(down.cause)),

    trouble: () =>
      trouble !== undefined && performance.now() - trouble.at < troubleMs ? trouble.text : undefined,

    usage: () => ({ total: total(), idle: idle.size, waiting: waiters.size }),

    async close() {
      if (closing.signal.aborted) return
      closing.abort()
      clearInterval(sweeping)
      silence.stop()
      for (const waiter of waiters) waiter.reject(kernelFailure('shutting_down'))
      waiters.clear()
      const empty = new Promise<void>((resolve) => {
        whenEmpty = resolve
      })
      const ending = [...idle.keys()].map((connection) => connection.close())
      idle.clear()
      const cut = setTimeout(() => {
        log.warn({ connections: borrowed.size }, 'ending database connections that are still in use')
        for (const { connection } of borrowed) connection.destroy()
      }, drainMs)
      settleClose()
      await empty.finally(() => clearTimeout(cut))
      await Promise.all(ending)
    },
  }
}

function reasonOf(cause: unknown): string {
  return serverTroubleOf(cause) ?? (cause instanceof Error ? cause.message || cause.name : String(cause))
}
