import type { Kysely, Transaction } from 'kysely'
import type { ConnectionTarget } from '#kernel/postgres'
import type { DatabaseClock } from './clock.ts'

/** A connected database. Modules add their tables to the type with `database.kysely.withTables<…>()`. */
export interface Database extends AsyncDisposable {
  /** `embedded` runs under the data folder; `server` is the one of DATABASE_URL. */
  readonly kind: 'embedded' | 'server'
  /** The PostgreSQL version, such as `18.4`. */
  readonly version: string
  readonly kysely: Kysely<NoTables>

  /**
   * Runs one statement on a pooled connection. This is the hot path, without a query builder. With a `name`, unique per text, each
   * connection prepares the statement once. Throws `database_unavailable`, `overloaded` or `shutting_down`, and PostgreSQL's own errors.
   */
  query<Row>(text: string, values?: readonly unknown[], name?: string): Promise<Row[]>

  /** Runs `work` in one transaction; commits when it resolves, rolls back when it throws. */
  transaction<Result>(work: (transaction: Transaction<NoTables>) => Promise<Result>): Promise<Result>

  /**
   * Runs `work` on a connection of its own, outside the pool and without time limits: for migrations and maintenance tasks, where one
   * session has to hold a lock over several transactions.
   */
  withSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result>

  /**
   * Calls `onMessage` for every NOTIFY on the channel, and `onGap` after each reconnect, when messages may have been lost.
   */
  listen(channel: string, onMessage: (payload: string) => void, onGap?: () => void): Promise<AsyncDisposable>

  /**
   * Resolves when the database runs a trivial statement within 1.5 s and has not reported a trouble such as a full disk for 15 s, else
   * throws `database_unavailable` with the reason in its message.
   */
  ping(): Promise<void>

  /** For expiries, codes and schedules, for which every replica needs the same time. */
  readonly clock: DatabaseClock

  /** The address of PostgreSQL itself, as plain data: for a thread, which cannot share the pool. */
  connectionTarget(): ConnectionTarget

  /** Current connections of the pool, and callers waiting for one. */
  poolUsage(): { readonly total: number; readonly idle: number; readonly waiting: number }

  close(): Promise<void>
}

/** One dedicated connection. Without values, `query` takes several statements at once. */
export interface Session {
  query<Row>(text: string, values?: readonly unknown[]): Promise<Row[]>
  /** Runs `copy … to stdout` and yields its rows in batches. A reader that stops early ends the connection. */
  copyOut(statement: string): AsyncIterable<readonly Buffer[]>
  /** Runs `copy … from stdin` and returns the number of rows. */
  copyIn(statement: string, chunks: AsyncIterable<Buffer>): Promise<number>
}

/** The table map before a module has added its own. */
export type NoTables = object
