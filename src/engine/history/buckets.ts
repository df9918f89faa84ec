import { unitMs } from './period.ts'
import type { Grain } from './roll-up.ts'

/** The periods of the overview, each up to now. */
export const overviewTimeframes = ['24h', '7d', '30d'] as const
export type OverviewTimeframe = (typeof overviewTimeframes)[number]

/** The buckets of each period: full quarters of an hour, hours or days in UTC. The last one is not over yet. */
const bucketsOf: Readonly<
  Record<OverviewTimeframe, { readonly grain: Grain; readonly ms: number; readonly count: number }>
> = {
  '24h': { grain: 'minute', ms: 15 * unitMs.minute, count: 96 },
  '7d': { grain: 'hour', ms: unitMs.hour, count: 168 },
  '30d': { grain: 'day', ms: unitMs.day, count: 30 },
}

/** The period of a timeframe that ends with the current bucket, and the start of the one before. */
export interface OverviewPeriod {
  readonly from: Date
  readonly to: Date
  readonly beforeFrom: Date
  readonly grain: Grain
  readonly bucketMs: number
}

/** The last bucket is the one of now, so a period is complete except for its end. */
export function overviewPeriod(timeframe: OverviewTimeframe, now: Date): OverviewPeriod {
  const { grain, ms, count } = bucketsOf[timeframe]
  const to = (Math.floor(now.getTime() / ms) + 1) * ms
  const from = to - ms * count
  return {
    from: new Date(from),
    to: new Date(to),
    beforeFrom: new Date(from - ms * count),
    grain,
    bucketMs: ms,
  }
}

/** The sums of the rows. */
export function addUp<Sum extends string>(
  rows: readonly Readonly<Record<Sum, number>>[],
  sums: readonly Sum[],
): Readonly<Record<Sum, number>> {
  const total = sums.map((sum) => [sum, rows.reduce((value, row) => value + row[sum], 0)])
  return Object.fromEntries(total) as Record<Sum, number>
}

/** One entry for each bucket, including those without executions. */
export function fillBuckets<Sum extends string>(
  rows: readonly (Readonly<Record<Sum, number>> & { readonly at: Date })[],
  sums: readonly Sum[],
  { from, to, bucketMs }: Pick<OverviewPeriod, 'from' | 'to' | 'bucketMs'>,
): readonly (Readonly<Record<Sum, number>> & { readonly at: Date })[] {
  const known = Map.groupBy(rows, ({ at }) => Math.floor(at.getTime() / bucketMs) * bucketMs)
  const count = (to.getTime() - from.getTime()) / bucketMs
  return Array.from({ length: count }, (_, index) => {
    const at = from.getTime() + index * bucketMs
    return { ...addUp(known.get(at) ?? [], sums), at: new Date(at) }
  })
}
