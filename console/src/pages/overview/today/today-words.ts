import type { Tone } from '../../../parts/Status.tsx'
import { describeDay, describeShortDay } from '../../../time/describe-time.ts'
import type { Timeframe } from '../overview-search.ts'

/** The share of a limit from which on a warning is shown. */
const nearShare = 0.8

/** Describes a usage close to its limit; undefined below the warning threshold. */
export function describeNearness(used: number, limit: number): { tone: Tone; word: string } | undefined {
  if (limit > 0 && used >= limit) return { tone: 'bad', word: 'limit reached' }
  if (limit > 0 && used >= limit * nearShare) return { tone: 'warn', word: 'near limit' }
  return undefined
}

/** Formats a number with its noun in singular or plural. */
export function describeCount(count: number, one: string, many: string): string {
  return `${count.toLocaleString()} ${count === 1 ? one : many}`
}

/** The name of each period, and of the one before it. */
export const periodWords: Readonly<
  Record<Timeframe, { readonly choice: string; readonly whole: string; readonly before: string }>
> = {
  '24h': { choice: '24 h', whole: 'Last 24 hours', before: '24 hours before' },
  '7d': { choice: '7 d', whole: 'Last 7 days', before: '7 days before' },
  '30d': { choice: '30 d', whole: 'Last 30 days', before: '30 days before' },
}

/** The change against the period before: `+12 % vs. before`; undefined without a value before. */
export function describeChange(now: number, before: number): string | undefined {
  if (before === 0) return undefined
  const change = Math.round(((now - before) / before) * 100)
  if (change === 0) return 'as before'
  return `${change > 0 ? '+' : '−'}${Math.abs(change).toLocaleString()} % vs. before`
}

/** The long and the short name of a bucket: quarters and hours in local time, days in UTC. */
export function nameBucket(
  at: string,
  timeframe: Timeframe,
): { readonly name: string; readonly shortName: string } {
  if (timeframe === '30d') return { name: `${describeDay(at)}, UTC`, shortName: describeShortDay(at) }
  const from = new Date(at)
  const to = new Date(from.getTime() + (timeframe === '24h' ? 15 : 60) * 60_000)
  const day = from.toLocaleDateString(undefined, { weekday: 'short', day: 'numeric', month: 'short' })
  return {
    name: `${day}, ${clockTime(from)} to ${clockTime(to)}`,
    shortName:
      timeframe === '24h'
        ? clockTime(from)
        : from.toLocaleDateString(undefined, { weekday: 'short', day: 'numeric' }),
  }
}

/** The positions of a chart over a period. */
export function placesOf({
  timeframe,
  buckets,
}: {
  readonly timeframe: Timeframe
  readonly buckets: ReadonlyArray<{ readonly at: string }>
}) {
  return {
    places: buckets.map(({ at }) => nameBucket(at, timeframe)),
    whole: periodWords[timeframe].whole,
  }
}

function clockTime(at: Date): string {
  return at.toLocaleTimeString(undefined, { hour: '2-digit', minute: '2-digit' })
}
