import { executionGauges, type Timeframe } from '#engine'
import type { Grain, VitalsPoint, VitalsReading } from '#kernel/vitals'
import type { Watched } from '../options.ts'

/** What the performance of some time is told by. */
export interface PerformanceFigures {
  readonly now: Date
  readonly timeframe: Timeframe
  readonly lengthMs: number
  readonly current: VitalsReading
  readonly before: VitalsReading
  readonly points: readonly VitalsPoint[]
  /** Executions that ended. */
  readonly executions: number
}

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** How long each is, and the finest that is kept for twice as long. */
const lengths: Readonly<Record<Timeframe, { readonly ms: number; readonly finest: Grain }>> = {
  '1h': { ms: hourMs, finest: 'minute' },
  '24h': { ms: dayMs, finest: 'minute' },
  '7d': { ms: 7 * dayMs, finest: 'hour' },
  '30d': { ms: 30 * dayMs, finest: 'hour' },
}

const stepMs = { minute: 60_000, hour: hourMs, day: dayMs } as const

export async function readFigures(
  { vitals, activity }: Pick<Watched, 'vitals' | 'activity'>,
  { timeframe, granularity, now }: { timeframe: Timeframe; granularity: Grain; now: Date },
): Promise<PerformanceFigures> {
  const { ms, finest } = lengths[timeframe]
  const from = new Date(Math.floor((now.getTime() - ms) / stepMs[finest]) * stepMs[finest])
  const [current, before, points, { executions }] = await Promise.all([
    vitals.read({ from, to: now, grain: finest }),
    vitals.read({ from: new Date(from.getTime() - ms), to: from, grain: finest }),
    vitals.series({ from, to: now, grain: granularity, gauges: ['cpu_percent', executionGauges.running] }),
    activity.ended(from),
  ])
  return { now, timeframe, lengthMs: ms, current, before, points, executions }
}
