import { performance } from 'node:perf_hooks'
import { executionGauges } from '#engine'
import type { Database } from '#kernel/database'
import type { MetricsPoint, MetricsReading, ProcessMetrics } from '#kernel/metrics-history'
import type { WorkerRow } from '#kernel/work'
import type { AnswerCacheFigures, ProviderView } from '#models'
import type { Watched } from '../options.ts'

/** Everything that health is judged by. */
export interface Facts {
  readonly now: Date
  readonly process: ProcessMetrics
  readonly processes: readonly ProcessMetrics[]
  readonly queue: QueueFacts
  readonly providers: readonly ProviderView[]
  readonly database: DatabaseFacts
  readonly cache: AnswerCacheFigures
  /** The last hour, and its minutes. */
  readonly hour: MetricsReading
  readonly minutes: readonly MetricsPoint[]
}

const hourMs = 3_600_000

/** Looks at everything. `check` asks providers now, in place of what the last probe saw. */
export async function gatherFacts(watched: Watched, now: Date, { check = false } = {}): Promise<Facts> {
  const { metricsHistory, models, database } = watched
  const period = { from: new Date(now.getTime() - hourMs), to: now, grain: 'minute' } as const
  const seen = await metricsHistory.now()
  const measured = await measureDatabase(database, seen.process.sample.databaseWaiting)
  const [queue, providers, hour, minutes] = await Promise.all([
    readQueue(watched, now),
    check ? models.providers.check() : models.providers.states(),
    metricsHistory.read(period),
    metricsHistory.series({
      ...period,
      gauges: [
        'cpu_percent',
        'memory_percent',
        'disk_percent',
        'event_loop_delay_ms',
        executionGauges.queued,
      ],
    }),
  ])
  return { now, ...seen, queue, providers, database: measured, cache: models.answerCache(), hour, minutes }
}

interface DatabaseFacts {
  /** The connections now; `waiting` is how many callers waited for one lately, not those of this moment alone. */
  readonly pool: ReturnType<Database['poolUsage']>
  /** How long a query took that reads by a key, with the way there and back. */
  readonly queryMs: number
  /** Of the replica that is furthest behind; null without replicas. */
  readonly replicationLagMs: number | null
}

/** As most statements of the platform are: one row, by its key. */
const queryStatement = 'select last_id from kernel_event_clock'

const lagStatement = `
  select extract(epoch from max(replay_lag)) * 1000 as ms from pg_stat_replication
`

/** To be called while nothing else of the same request runs: its own queries would be measured as load. */
async function measureDatabase(database: Database, waiting: number): Promise<DatabaseFacts> {
  const pool = { ...database.poolUsage(), waiting }
  const startedAt = performance.now()
  await database.query(queryStatement)
  const queryMs = performance.now() - startedAt
  const [lag] = await database.query<{ ms: string | null }>(lagStatement)
  const ms = lag?.ms ?? null
  return { pool, queryMs, replicationLagMs: ms === null ? null : Number(ms) }
}

/** How the queue of executions is. */
interface QueueFacts {
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

async function readQueue({ engine, activity, workers }: Watched, now: Date): Promise<QueueFacts> {
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
