import { type ColumnValues, checkIdentifier, writeAssignments } from './column-assignments.ts'
import { workFailure } from './errors.ts'
import { type Executor, runStatement } from './executor.ts'
import { type WorkMessage, workChannel, writeMessage } from './work-channel.ts'

export interface QueueDefinition {
  /** As it appears in logs and metrics. */
  readonly name: string
  readonly table: string
  /** The primary key column. */
  readonly key: string
}

/** A row this worker holds, until it finishes or releases it or the claim is lost. */
export interface Claim<Row> {
  readonly row: Row
  readonly key: string | number
  readonly fence: number
  readonly workerId: string
  /** 1 the first time. Counts claims that ended with a dead worker too, so a row that kills its worker can be told. */
  readonly attempt: number
  /** Aborts when the worker stops, and soon after the claim is over: lost, cancelled, or finished by the handler itself. */
  readonly signal: AbortSignal
}

type Held = Pick<Claim<unknown>, 'key' | 'fence' | 'workerId'>

export interface ReleaseOptions {
  /** When the row is due again, by the database's clock. Default: at once. */
  readonly delayMs?: number
  readonly set?: ColumnValues
}

/**
 * A table whose rows are the entries of a queue.
 *
 * | state           | on                                        | next                                             |
 * |-----------------|-------------------------------------------|--------------------------------------------------|
 * | queued          | due, and a worker has a free place        | running; worker noted, fence + 1, attempts + 1   |
 * | running         | `finish`                                  | finished                                         |
 * | running         | `release`                                 | queued, due when asked                           |
 * | running         | its worker stops                          | queued, fence + 1, attempts - 1                  |
 * | running         | its worker dies                           | queued, fence + 1                                |
 * | queued, running | `cancel`                                  | finished, fence + 1; the worker's signal aborts  |
 * | finished        | `requeue`                                 | queued, fence + 1, attempts 0                    |
 *
 * There is one final state. How it ended is the owner's to tell, in columns of its own that are written along.
 * Whatever writes for a claim names worker, fence and `running` in its own statement; when no row is left to write,
 * it throws `fenced` and the transaction around it rolls back.
 */
export interface Queue<Row extends object> extends QueueDefinition {
  /** Carries the row's type; never set. */
  readonly rowType?: Row
  finish(executor: Executor, claim: Held, set?: ColumnValues): Promise<void>
  release(executor: Executor, claim: Held, options?: ReleaseOptions): Promise<void>
  /** Writes while the claim is held, and holds the row until the transaction ends: what it writes too, it may. */
  update(executor: Executor, claim: Held, set?: ColumnValues): Promise<void>
  /** Ends a row whoever holds it. False when it was over already. */
  cancel(executor: Executor, key: string | number, set?: ColumnValues): Promise<boolean>
  /** Starts a finished row again. False when it is not finished. */
  requeue(executor: Executor, key: string | number, options?: ReleaseOptions): Promise<boolean>
  /** Tells all workers, once the transaction commits, that a row was added. */
  wake(executor: Executor): Promise<void>
}

/** Names a table as a queue. It has the columns that the room's README lists. */
export function defineQueue<Row extends object>(definition: QueueDefinition): Queue<Row> {
  const { name } = definition
  const table = checkIdentifier(definition.table)
  const key = checkIdentifier(definition.key)

  async function writeHeld(
    executor: Executor,
    held: Held,
    change: string,
    set: ColumnValues,
    more: unknown[] = [],
  ) {
    const values = [held.key, held.workerId, held.fence, ...more]
    const statement = `
      update ${table} set ${change}${writeAssignments(set, values)}
      where ${key} = $1 and work_worker = $2 and work_fence = $3 and work_state = 'running'
    `
    if ((await write(executor, statement, values)) === undefined) {
      throw workFailure('fenced', { details: { queue: name, row: held.key } })
    }
  }

  const wake = (executor: Executor, delayMs = 0) => announce(executor, { kind: 'wake', queue: name, delayMs })

  return {
    ...definition,

    finish: (executor, claim, set = {}) =>
      writeHeld(executor, claim, `work_state = 'finished', work_worker = null`, set),

    async release(executor, claim, { delayMs = 0, set = {} } = {}) {
      const change = `work_state = 'queued', work_worker = null, work_due_at = ${dueIn(4)}`
      await writeHeld(executor, claim, change, set, [delayMs])
      await wake(executor, delayMs)
    },

    update: (executor, claim, set = {}) => writeHeld(executor, claim, 'work_fence = work_fence', set),

    async cancel(executor, rowKey, set = {}) {
      const values: unknown[] = [rowKey]
      const statement = `
        update ${table}
        set work_state = 'finished', work_worker = null, work_fence = work_fence + 1${writeAssignments(set, values)}
        where ${key} = $1 and work_state in ('queued', 'running')
      `
      const fence = await write(executor, statement, values)
      if (fence === undefined) return false
      await announce(executor, { kind: 'cancel', queue: name, key: String(rowKey), fence })
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

/** Answers the fence of the row that was written, and undefined when there was none. */
async function write(executor: Executor, statement: string, values: unknown[]): Promise<number | undefined> {
  const [row] = await runStatement<{ fence: number }>(
    executor,
    `${statement} returning work_fence as fence`,
    values,
  )
  return row?.fence
}

function announce(executor: Executor, message: WorkMessage): Promise<unknown> {
  return runStatement(executor, 'select pg_notify($1, $2)', [workChannel, writeMessage(message)])
}
