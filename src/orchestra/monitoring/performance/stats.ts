import { executionGauges, type timeframes } from '#engine'
import type { Grain, MetricsPoint, MetricsReading } from '#kernel/metrics-history'
import type { MonitoringOptions } from '../options.ts'

type Timeframe = (typeof timeframes)[number]

/** The statistics of a timeframe and of the one before. */
export interface PerformanceStats {
  readonly now: Date
  readonly timeframe: Timeframe
  readonly lengthMs: number
  readonly current: MetricsReading
  readonly before: MetricsReading
  readonly points: readonly MetricsPoint[]
  /** Executions that finished. */
  readonly executions: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The length of each timeframe, and the finest grain that is stored for twice as long. */
const lengths: Readonly<Record<Timeframe, { readonly ms: number; readonly finest: Grain }>> = {
  '1h': { ms: hourMs, finest: 'minute' },
  '24h': { ms: dayMs, finest: 'minute' },
  '7d': { ms: 7 * dayMs, finest: 'hour' },
  '30d': { ms: 30 * dayMs, finest: 'hour' },
}

const stepMs = { minute: 60_000, hour: hourMs, day: dayMs } as const

export async function readPerformanceStats(
  { metricsHistory, activity }: Pick<MonitoringOptions, 'metricsHistory' | 'activity'>,
  { timeframe, granularity, now }: { timeframe: Timeframe; granularity: Grain; now: Date },
): Promise<PerformanceStats> {
  const { ms, finest } = lengths[timeframe]
  const from = new Date(Math.floor((now.getTime() - ms) / stepMs[finest]) * stepMs[finest])
  const [current, before, points, { executions }] = await Promise.all([
    metricsHistory.read({ from, to: now, grain: finest }),
    metricsHistory.read({ from: new Date(from.getTime() - ms), to: from, grain: finest }),
    metricsHistory.series({
      from,
      to: now,
      grain: granularity,
      gauges: ['cpu_percent', executionGauges.running],
    }),
    activity.ended(from),
  ])
  return { now, timeframe, lengthMs: ms, current, before, points, executions }
}
