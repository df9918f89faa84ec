import { sql, type Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import { inDisplayOrder, type ServiceName, type ServiceState, serviceNames } from '../services/service.ts'
import { readServices } from '../services/service-rows.ts'
import type {
  Counts,
  History,
  HistoryBar,
  HistoryQuery,
  HistoryRange,
  ServiceHistory,
} from './history-report.ts'

/**
 * The histogram bounds of response times in milliseconds: four per doubling, from one millisecond to a minute, which is longer than any probe.
 * Percentiles read from them are off by a fifth at most. Stored counts depend on the bounds, so they must never change.
 */
const stepsPerDoubling = 4
const doublings = 16

const bounds: readonly number[] = Array.from(
  { length: doublings * stepsPerDoubling },
  (_, step) => 2 ** (step / stepsPerDoubling),
)

/** One bucket below the first bound, one between each two, one above the last. */
export const bucketCount = bounds.length + 1

/** The index of the bucket of a response time. */
export function bucketOf(ms: number): number {
  if (ms < 1) return 0
  return Math.min(bucketCount - 1, Math.floor(Math.log2(ms) * stepsPerDoubling) + 1)
}

/** The percentile of a histogram, interpolated within its bucket; null without counts. */
export function percentileOf(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let passed = 0
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && passed + count >= rank) {
      const from = bounds[bucket - 1] ?? 0
      const to = bounds[bucket] ?? from
      return from + (to - from) * ((rank - passed) / count)
    }
    passed += count
  }
  return null
}

/** The result of one probe. */
interface ObservedService {
  readonly service: ServiceName
  readonly state: ServiceState
  /** Null without a response. */
  readonly responseMs: number | null
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000] as const

/** Bars of each range. Minutes are kept for 25 hours, so that the first bar of the last day is complete. */
const ranges: Readonly<
  Record<HistoryRange, { readonly grain: 'minute' | 'hour'; readonly bars: number; readonly barMs: number }>
> = {
  '24h': { grain: 'minute', bars: 96, barMs: 15 * minuteMs },
  '30d': { grain: 'hour', bars: 30, barMs: dayMs },
  '90d': { grain: 'hour', bars: 90, barMs: dayMs },
}

const keptMs = { minute: 25 * hourMs, hour: 91 * dayMs } as const

const grains = [
  ['minute', minuteMs],
  ['hour', hourMs],
] as const

/** Adds the results of a round to its minute and its hour. */
export async function addToHistory(
  transaction: Transaction<NoTables>,
  at: Date,
  seen: readonly ObservedService[],
): Promise<void> {
  const added = seen.filter(({ state }) => state !== 'unconfigured')
  const buckets = added.map(({ responseMs }) => (responseMs === null ? 0 : bucketOf(responseMs) + 1))
  const times = added.map(({ responseMs }) => responseMs)
  for (const [grain, lengthMs] of grains) {
    const begin = new Date(Math.floor(at.getTime() / lengthMs) * lengthMs)
    await sql`
      insert into status_history as known (
        service, grain, at, online, degraded, offline, timed, sum_ms, max_ms, took
      )
      select service, ${grain}, ${begin}, (state = 'online')::int, (state = 'degraded')::int,
        (state = 'offline')::int, (ms is not null)::int, coalesce(ms, 0), coalesce(ms, 0),
        array(select (number = bucket)::int from generate_series(1, ${bucketCount}::int) as number)
      from unnest(
        ${added.map(({ service }) => service)}::text[], ${added.map(({ state }) => state)}::text[],
        ${times}::float8[], ${buckets}::int[]
      ) as seen (service, state, ms, bucket)
      on conflict (grain, at, service) do update
      set online = known.online + excluded.online,
        degraded = known.degraded + excluded.degraded,
        offline = known.offline + excluded.offline,
        timed = known.timed + excluded.timed,
        sum_ms = known.sum_ms + excluded.sum_ms,
        max_ms = greatest(known.max_ms, excluded.max_ms),
        took = array(
          select one + other from unnest(known.took, excluded.took) as pair (one, other)
        )
    `.execute(transaction)
  }
}

interface TookRow {
  readonly service: ServiceName
  readonly took: readonly number[]
}

const barsStatement = `
  select service, (floor(extract(epoch from at) * 1000 / $4) * $4)::float8 as at,
    sum(online)::int as online, sum(degraded)::int as degraded, sum(offline)::int as offline,
    sum(timed)::int as timed, sum(sum_ms) as sum, max(max_ms) as max
  from status_history
  where grain = $1 and at >= $2 and at < $3 and service = any ($5::text[])
  group by 1, 2
`

const tookSums = Array.from({ length: bucketCount }, (_, bucket) => `sum(took[${bucket + 1}])`).join(', ')

const tookStatement = `
  select service, array[${tookSums}]::bigint[] as took
  from status_history
  where grain = $1 and at >= $2 and at < $3 and service = any ($4::text[])
  group by service
`

export interface HistoryStore extends History {
  /** Deletes entries beyond their retention. */
  prune(now: Date): Promise<void>
}

export function createHistory({ database }: { readonly database: Database }): HistoryStore {
  /** Removed providers keep their history, but are not listed. */
  async function currentServices(): Promise<readonly ServiceName[]> {
    return inDisplayOrder([...serviceNames, ...(await readServices(database)).keys()])
  }

  return {
    async read({ service, range, to = new Date() }: HistoryQuery) {
      const { grain, bars, barMs } = ranges[range]
      // The current bar is the last one.
      const end = (Math.floor(to.getTime() / barMs) + 1) * barMs
      const begin = end - bars * barMs
      const wanted = service === undefined ? await currentServices() : [service]
      const times = [grain, new Date(begin), new Date(end)]
      const [rows, took] = await Promise.all([
        database.query<SummedBar>(barsStatement, [...times, barMs, wanted]),
        database.query<TookRow>(tookStatement, [...times, wanted]),
      ])
      return wanted.map((name) => {
        const own = rows.filter((row) => row.service === name)
        const counts = took.find((row) => row.service === name)?.took ?? []
        const moments = Array.from({ length: bars }, (_, index) => begin + index * barMs)
        return summarise(name, own, counts, moments)
      })
    },

    async prune(now) {
      for (const [grain, ms] of Object.entries(keptMs)) {
        await database.query('delete from status_history where grain = $1 and at < $2', [
          grain,
          new Date(now.getTime() - ms),
        ])
      }
    },
  }
}

/** The summed probes of one bar. */
interface SummedBar extends Omit<Counts, 'checks'> {
  readonly service: ServiceName
  readonly at: number
  readonly timed: number
  readonly sum: number
  readonly max: number
}

/** The history of a service from its bars and its response time histogram. */
export function summarise(
  service: ServiceName,
  rows: readonly SummedBar[],
  took: readonly number[],
  moments: readonly number[],
): ServiceHistory {
  const byTime = new Map(rows.map((row) => [row.at, row]))
  const maxMs = rows.some(({ timed }) => timed > 0) ? Math.max(...rows.map(({ max }) => max)) : null
  const timed = rows.reduce((count, row) => count + row.timed, 0)
  const at = (share: number) => {
    const ms = percentileOf(took, share)
    if (ms === null || maxMs === null) return ms
    // Lower bound: if all other probes took `maxMs`, this one took at least the rest of the sum.
    const atLeastMs = rows.reduce((sum, row) => sum + row.sum, 0) - (timed - 1) * maxMs
    return Math.max(atLeastMs, Math.min(ms, maxMs))
  }
  return {
    service,
    ...statsOf(rows),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    maxMs,
    bars: moments.map((moment) => {
      const row = byTime.get(moment)
      return barOf(new Date(moment), row === undefined ? [] : [row])
    }),
  }
}

function barOf(at: Date, rows: readonly SummedBar[]): HistoryBar {
  const stats = statsOf(rows)
  return { at, ...stats, state: stateOf(stats) }
}

function statsOf(
  rows: readonly SummedBar[],
): Counts & { readonly uptime: number | null; readonly averageMs: number | null } {
  const sumOf = (field: 'online' | 'degraded' | 'offline' | 'timed' | 'sum') =>
    rows.reduce((sum, row) => sum + row[field], 0)
  const [online, degraded, offline, timed] = [
    sumOf('online'),
    sumOf('degraded'),
    sumOf('offline'),
    sumOf('timed'),
  ]
  const checks = online + degraded + offline
  return {
    checks,
    online,
    degraded,
    offline,
    uptime: checks === 0 ? null : (100 * (online + degraded)) / checks,
    averageMs: timed === 0 ? null : sumOf('sum') / timed,
  }
}

/**
 * The state of a bar.
 *
 * | probes of the bar                          | state    |
 * |--------------------------------------------|----------|
 * | none                                       | none     |
 * | more than half were offline                | offline  |
 * | more than one of a hundred were not online | degraded |
 * | otherwise                                  | online   |
 */
function stateOf({ checks, online, offline }: Counts): HistoryBar['state'] {
  if (checks === 0) return 'none'
  if (offline * 2 > checks) return 'offline'
  return (checks - online) * 100 > checks ? 'degraded' : 'online'
}
