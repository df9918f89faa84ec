import { CompiledQuery, type QueryResult } from 'kysely'
import type { Database } from '#kernel/database'
import { workFailure } from './errors.ts'

export interface QueueDefinition {
  /** The name in logs and metrics. */
  readonly name: string
  readonly table: string
  /** The primary key column. */
  readonly key: string
}

/** A row leased by a worker, until it finishes or releases the row or loses the claim. */
export interface Claim<Row> {
  readonly row: Row
  readonly key: string | number
  readonly fence: number
  readonly workerId: string
  /** 1 for the first claim. Includes claims that ended with a dead worker, so that a row that kills its worker can be detected. */
  readonly attempt: number
  /** Aborts when the worker stops, and soon after the claim ended: lost, cancelled, or finished by the handler itself. */
  readonly signal: AbortSignal
  /**
   * Names the row as the one that the main loop works on, until the loop turns to something else. To be called whenever the handler goes on
   * with work whose processor time depends on the row: should the main loop hang, the row is known (`countHangs`).
   */
  readonly markBusy: () => void
}

type LeasedClaim = Pick<Claim<unknown>, 'key' | 'fence' | 'workerId'>

interface ReleaseOptions {
  /** When the row is due again, by the database's clock. Default: at once. */
  readonly delayMs?: number
  readonly set?: ColumnValues
}

/**
 * A table whose rows are the entries of a queue.
 *
 * | state            | on                                        | next                                             |
 * |------------------|-------------------------------------------|--------------------------------------------------|
 * | queued           | due, and a worker has a free slot         | running; worker set, fence + 1, attempts + 1     |
 * | running          | `finish`                                  | finished                                         |
 * | running          | `release`                                 | queued, due after the given delay                |
 * | running          | its worker stops                          | queued, fence + 1, attempts - 1                  |
 * | running          | its worker dies                           | queued, fence + 1                                |
 * | any but finished | `cancel`                                  | finished, fence + 1; the worker's signal aborts  |
 * | finished         | `requeue`                                 | queued, fence + 1, attempts 0                    |
 *
 * The owner may keep rows in further states, such as `suspended`, which no worker claims; its own statements move rows into and out of
 * them. There is one final state; the owner records the outcome in additional columns. Every write for a claim checks worker, fence and `running`
 * in its own statement. When no row matches, it throws `fenced` and the surrounding transaction rolls back.
 */
export interface Queue<Row extends object> extends QueueDefinition {
  /** Carries the row's type; never set. */
  readonly rowType?: Row
  finish(executor: Executor, claim: LeasedClaim, set?: ColumnValues): Promise<void>
  release(
    executor: Executor,
    claim: LeasedClaim,
    options?: ReleaseOptions & {
      /** The number of attempts to continue from; unchanged by default. For a row whose next attempt is about something else. */
      readonly attempts?: number
    },
  ): Promise<void>
  /** Writes columns while the claim is valid, and locks the row until the transaction ends, so that its other writes are safe. */
  update(executor: Executor, claim: LeasedClaim, set?: ColumnValues): Promise<void>
  /** Finishes a row regardless of its worker. False when it was already finished. */
  cancel(executor: Executor, key: string | number, set?: ColumnValues): Promise<boolean>
  /** Queues a finished row again. False when it is not finished. */
  requeue(executor: Executor, key: string | number, options?: ReleaseOptions): Promise<boolean>
  /** Notifies all workers of a new row when the transaction commits. */
  wake(executor: Executor): Promise<void>
}

/** Declares a table as a queue. The table needs the columns listed in the README. Throws a `TypeError` for an invalid name. */
export function defineQueue<Row extends object>(definition: QueueDefinition): Queue<Row> {
  const { name } = definition
  const table = checkIdentifier(definition.table)
  const key = checkIdentifier(definition.key)

  async function writeLeased(
    executor: Executor,
    claim: LeasedClaim,
    change: string,
    set: ColumnValues,
    more: unknown[] = [],
  ) {
    const values = [claim.key, claim.workerId, claim.fence, ...more]
    const statement = `
      update ${table} set ${change}${writeAssignments(set, values)}
      where ${key} = $1 and work_worker = $2 and work_fence = $3 and work_state = 'running'
    `
    if ((await write(executor, statement, values)) === undefined) {
      throw workFailure('fenced', { details: { queue: name, row: claim.key } })
    }
  }

  const wake = (executor: Executor, delayMs = 0) => notify(executor, { kind: 'wake', queue: name, delayMs })

  return {
    ...definition,

    finish: (executor, claim, set = {}) =>
      writeLeased(executor, claim, `work_state = 'finished', work_worker = null`, set),

    async release(executor, claim, { delayMs = 0, set = {}, attempts } = {}) {
      const change = `
        work_state = 'queued', work_worker = null, work_due_at = ${dueIn(4)},
        work_attempts = coalesce($5::integer, work_attempts)
      `
      await writeLeased(executor, claim, change, set, [delayMs, attempts ?? null])
      await wake(executor, delayMs)
    },

    update: (executor, claim, set = {}) => writeLeased(executor, claim, 'work_fence = work_fence', set),

    async cancel(executor, rowKey, set = {}) {
      const values: unknown[] = [rowKey]
      const statement = `
        update ${table}
        set work_state = 'finished', work_worker = null, work_fence = work_fence + 1${writeAssignments(set, values)}
        where ${key} = $1 and work_state <> 'finished'
      `
      const fence = await write(executor, statement, values)
      if (fence === undefined) return false
      await notify(executor, { kind: 'cancel', queue: name, key: String(rowKey), fence })
      return true
    },

    async requeue(executor, rowKey, { delayMs = 0, set = {} } = {}) {
      const values: unknown[] = [rowKey, delayMs]
      const statement = `
        update ${table}
        set work_state = 'queued', work_due_at = ${dueIn(2)}, work_fence = work_fence + 1, work_attempts = 0
          ${writeAssignments(set, values)}
        where ${key} = $1 and work_state = 'finished'
      `
      if ((await write(executor, statement, values)) === undefined) return false
      await wake(executor, delayMs)
      return true
    },

    async wake(executor) {
      await wake(executor)
    },
  }
}

function dueIn(parameter: number): string {
  return `now() + $${parameter} * interval '1 millisecond'`
}

/** Returns the fence of the written row; undefined when no row matched. */
async function write(executor: Executor, statement: string, values: unknown[]): Promise<number | undefined> {
  const [row] = await runStatement<{ fence: number }>(
    executor,
    `${statement} returning work_fence as fence`,
    values,
  )
  return row?.fence
}

function notify(executor: Executor, message: WorkMessage): Promise<unknown> {
  return runStatement(executor, 'select pg_notify($1, $2)', [workChannel, writeMessage(message)])
}

/** Additional columns to write, by name. Objects become JSON; pass a JSON array as text. */
export type ColumnValues = Readonly<Record<string, unknown>>

/** The current time of the database, as a value in `ColumnValues`. */
export const databaseNow: unique symbol = Symbol('now()')

const identifier = /^[a-z_][a-z0-9_]{0,62}$/

/** Names are written into statements unescaped, so they must come from code. Throws a `TypeError` for other names. */
function checkIdentifier(name: string): string {
  if (!identifier.test(name))
    throw new TypeError(`${JSON.stringify(name)} is not a plain lower-case SQL name`)
  return name
}

/** Returns `, a = $4, b = now()` and appends the values to `values`. */
function writeAssignments(set: ColumnValues, values: unknown[]): string {
  return Object.entries(set)
    .map(([column, value]) => {
      if (column.startsWith('work_')) throw new TypeError(`only the queue may write ${column}`)
      return `, ${checkIdentifier(column)} = ${value === databaseNow ? 'now()' : `$${values.push(value)}`}`
    })
    .join('')
}

/** Runs a statement on the database, or inside a transaction of any table type. */
export type Executor =
  | Pick<Database, 'query'>
  | { executeQuery<Row>(query: CompiledQuery<Row>): Promise<QueryResult<Row>> }

/** Runs a statement and returns its rows. Throws the errors of the database. */
export async function runStatement<Row>(
  executor: Executor,
  text: string,
  values: readonly unknown[],
): Promise<Row[]> {
  if ('query' in executor) return executor.query<Row>(text, values)
  const { rows } = await executor.executeQuery<Row>(CompiledQuery.raw(text, [...values]))
  return rows
}

/** The channel of messages from queues to workers. A lost message costs at most one poll interval. */
export const workChannel = 'kernel_work'

type WorkMessage =
  | { readonly kind: 'wake'; readonly queue: string; readonly delayMs: number }
  | {
      readonly kind: 'cancel'
      readonly queue: string
      readonly key: string
      /** The new fence of the row; claims with a lower one are cancelled. */
      readonly fence: number
    }

export function writeMessage(message: WorkMessage): string {
  return JSON.stringify(message)
}

/** Undefined for an unknown message of another version. */
export function readMessage(payload: string): WorkMessage | undefined {
  const message = JSON.parse(payload) as WorkMessage
  return message.kind === 'wake' || message.kind === 'cancel' ? message : undefined
}
