import { performance } from 'node:perf_hooks'
import { executionGauges } from '#engine'
import type { Database } from '#kernel/database'
import type { MetricsPoint, MetricsReading, ProcessMetrics } from '#kernel/metrics-history'
import type { WorkerRow } from '#kernel/work'
import type { ProviderView, ResponseCacheStats } from '#models'
import type { MonitoringOptions } from '../options.ts'

/** The statistics that the health status is computed from. */
export interface HealthStats {
  readonly now: Date
  readonly process: ProcessMetrics
  readonly processes: readonly ProcessMetrics[]
  readonly queue: QueueStats
  readonly providers: readonly ProviderView[]
  readonly database: DatabaseStats
  readonly cache: ResponseCacheStats
  /** The last hour, and its minutes. */
  readonly hour: MetricsReading
  readonly minutes: readonly MetricsPoint[]
}

const hourMs = 3_600_000

/** Reads the statistics. `check` probes the providers now instead of using the last probe. */
export async function readHealthStats(
  options: MonitoringOptions,
  now: Date,
  { check = false } = {},
): Promise<HealthStats> {
  const { metricsHistory, models, database } = options
  const period = { from: new Date(now.getTime() - hourMs), to: now, grain: 'minute' } as const
  const seen = await metricsHistory.now()
  const measured = await readDatabaseStats(database, seen.process.sample.databaseWaiting)
  const [queue, providers, hour, minutes] = await Promise.all([
    readQueue(options, now),
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
  return { now, ...seen, queue, providers, database: measured, cache: models.responseCache(), hour, minutes }
}

interface DatabaseStats {
  /** The connection pool; `waiting` is the number of callers that waited recently, not only at this moment. */
  readonly pool: ReturnType<Database['poolUsage']>
  /** The round trip of a query by key. */
  readonly queryMs: number
  /** The lag of the slowest replica; null without replicas. */
  readonly replicationLagMs: number | null
}

/** One row by its key, like most statements of the platform. */
const queryStatement = 'select last_id from kernel_event_clock'

const lagStatement = `
  select extract(epoch from max(replay_lag)) * 1000 as ms from pg_stat_replication
`

/** Runs alone: other queries of the same request would count as load. */
async function readDatabaseStats(database: Database, waiting: number): Promise<DatabaseStats> {
  const pool = { ...database.poolUsage(), waiting }
  const startedAt = performance.now()
  await database.query(queryStatement)
  const queryMs = performance.now() - startedAt
  const [lag] = await database.query<{ ms: string | null }>(lagStatement)
  const ms = lag?.ms ?? null
  return { pool, queryMs, replicationLagMs: ms === null ? null : Number(ms) }
}

interface QueueStats {
  readonly running: number
  readonly pending: number
  /** Executions that wait only for a worker. */
  readonly due: number
  /** Executions that finished per minute recently. */
  readonly perMinute: number
  /** The estimated wait of a new execution; null when none has finished recently. */
  readonly waitMs: number | null
  readonly failedLastDay: number
  readonly workers: readonly WorkerRow[]
}

const dayMs = 86_400_000

const executionQueue = 'executions'

async function readQueue({ engine, activity, workers }: MonitoringOptions, now: Date): Promise<QueueStats> {
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
