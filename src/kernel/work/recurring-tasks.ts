import { type Database, retryWhenUnavailable } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Logger } from '#kernel/telemetry'
import { type Claim, databaseNow, defineQueue } from './queue.ts'
import { type AnyQueueRegistration, serveQueue } from './worker.ts'

export interface RecurringTask {
  readonly name: string
  readonly everyMs: number
  /** Must stop soon after the signal aborts, because another replica may start then. */
  readonly run: (signal: AbortSignal) => Promise<void>
}

interface RecurringTaskRow {
  readonly name: string
  readonly intervalMs: number
  readonly running: boolean
  readonly dueAt: Date
  readonly lastStartedAt: Date | null
  readonly lastFinishedAt: Date | null
  /** The error of the last run; null when it succeeded. */
  readonly lastError: string | null
}

/**
 * Maintenance tasks that one replica at a time runs. A task is a row that is released with its next due time instead of being finished.
 * Intervals that were missed while no worker ran are not made up.
 */
export interface RecurringTasks {
  /** Takes effect when the worker that serves `queue` starts. Throws a `TypeError` for a name that is already used. */
  add(task: RecurringTask): void
  /** All tasks in the database, including those of other versions. */
  list(): Promise<RecurringTaskRow[]>
  /** The queue for a worker. */
  readonly queue: AnyQueueRegistration
}

export interface RecurringTasksOptions {
  readonly database: Database
  readonly log: Logger
}

const addStatement = `
  insert into kernel_tasks (name, interval_ms) values ($1, $2)
  on conflict (name) do update
  set interval_ms = excluded.interval_ms,
    work_due_at = least(kernel_tasks.work_due_at, now() + excluded.interval_ms * interval '1 millisecond')
`

const listStatement = `
  select name, interval_ms as "intervalMs", work_state = 'running' as running, work_due_at as "dueAt",
    last_started_at as "lastStartedAt", last_finished_at as "lastFinishedAt", last_error as "lastError"
  from kernel_tasks
  order by name
`

const taskQueue = defineQueue<{ readonly name: string }>({
  name: 'tasks',
  table: 'kernel_tasks',
  key: 'name',
})

const maxErrorLength = 1000

/** Creates the recurring tasks, which run once a worker serves their queue. Does not throw; `add` does. */
export function createRecurringTasks({ database, log }: RecurringTasksOptions): RecurringTasks {
  const tasks = new Map<string, RecurringTask>()

  async function handle(claim: Claim<{ readonly name: string }>): Promise<void> {
    const { name } = claim.row
    const task = tasks.get(name)
    if (task === undefined) throw new Error(`unknown task ${name}`)
    await taskQueue.update(database, claim, { last_started_at: databaseNow })
    const startedAt = performance.now()
    const error = await runTask(task, claim.signal)
    claim.signal.throwIfAborted()
    const delayMs = Math.max(0, task.everyMs - (performance.now() - startedAt))
    const set = { last_finished_at: databaseNow, last_error: error }
    await retryWhenUnavailable(() => taskQueue.release(database, claim, { delayMs, set }), {
      signal: claim.signal,
    })
  }

  async function addRows(): Promise<void> {
    for (const { name, everyMs } of tasks.values()) await database.query(addStatement, [name, everyMs])
  }

  async function runTask(task: RecurringTask, signal: AbortSignal): Promise<string | null> {
    try {
      await task.run(signal)
      return null
    } catch (error) {
      if (!signal.aborted) log.error({ err: error, task: task.name }, 'a recurring task failed')
      return describeError(error)
    }
  }

  return {
    add(task) {
      if (tasks.has(task.name)) throw new TypeError(`two tasks have the name ${task.name}`)
      tasks.set(task.name, task)
    },
    list: () => database.query<RecurringTaskRow>(listStatement),
    queue: serveQueue({
      queue: taskQueue,
      // More than the number of tasks, so that a short task does not wait for a slot behind a long one.
      concurrency: 20,
      prepare: addRows,
      handle,
      onlyKeys: () => [...tasks.keys()],
    }),
  }
}

function describeError(error: unknown): string {
  const text = error instanceof Failure ? `${error.code}: ${error.message}` : String(error)
  return text.toWellFormed().replaceAll('\0', '').slice(0, maxErrorLength)
}
