import type { WorkerRow } from '#kernel/work'
import type { Watched } from './options.ts'

/** How the queue of executions is. */
export interface QueueFacts {
  readonly running: number
  readonly pending: number
  /** Those that wait for nothing but a worker. */
  readonly due: number
  /** Executions that ended in a minute, of late. */
  readonly perMinute: number
  /** How long one that is added now is likely to wait; null when nothing ended lately to measure by. */
  readonly waitMs: number | null
  readonly failedLastDay: number
  readonly workers: readonly WorkerRow[]
}

const dayMs = 86_400_000

/** The name of the queue that executions wait in. */
const executionQueue = 'executions'

export async function readQueue({ engine, activity, workers }: Watched, now: Date): Promise<QueueFacts> {
  const [open, ended, known] = await Promise.all([
    activity.open(),
    activity.ended(minuteOf(now.getTime() - dayMs)),
    workers.list(),
  ])
  const due = open.queued - open.parked
  const pace = await engine.history.waitAt(due + 1)
  return {
    running: open.running,
    pending: open.queued,
    due,
    perMinute: pace.perMinute,
    waitMs: due === 0 ? 0 : pace.waitMs,
    failedLastDay: ended.failed,
    workers: known.filter(({ queues }) => queues.includes(executionQueue)),
  }
}

function minuteOf(ms: number): Date {
  return new Date(Math.floor(ms / 60_000) * 60_000)
}
