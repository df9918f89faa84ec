import { sql, type Transaction } from 'kysely'
import type { Database, NoTables } from '#kernel/database'
import { type ServiceName, type ServiceState, serviceNames } from '../services/service.ts'
import type { History, HistoryQuery, HistoryRange } from './history-report.ts'
import { type SummedBar, summarise } from './summarise.ts'
import { placeOf, tookLength } from './took.ts'

/** What one probe adds. */
interface SeenService {
  readonly service: ServiceName
  readonly state: ServiceState
  /** Null when nobody answered. */
  readonly responseMs: number | null
}

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000] as const

/** What each range is made of. Of the last day the minutes are kept, and an hour more, so that none is missing at its begin. */
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

/** Adds what a round saw to its minute and its hour. */
export async function addToHistory(
  transaction: Transaction<NoTables>,
  at: Date,
  seen: readonly SeenService[],
): Promise<void> {
  const added = seen.filter(({ state }) => state !== 'unconfigured')
  const places = added.map(({ responseMs }) => (responseMs === null ? 0 : placeOf(responseMs) + 1))
  const times = added.map(({ responseMs }) => responseMs)
  for (const [grain, lengthMs] of grains) {
    const begin = new Date(Math.floor(at.getTime() / lengthMs) * lengthMs)
    await sql`
      insert into status_history as known (
        service, grain, at, online, degraded, offline, timed, sum_ms, max_ms, took
      )
      select service, ${grain}, ${begin}, (state = 'online')::int, (state = 'degraded')::int,
        (state = 'offline')::int, (ms is not null)::int, coalesce(ms, 0), coalesce(ms, 0),
        array(select (number = place)::int from generate_series(1, ${tookLength}::int) as number)
      from unnest(
        ${added.map(({ service }) => service)}::text[], ${added.map(({ state }) => state)}::text[],
        ${times}::float8[], ${places}::int[]
      ) as seen (service, state, ms, place)
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

const tookSums = Array.from({ length: tookLength }, (_, place) => `sum(took[${place + 1}])`).join(', ')

const tookStatement = `
  select service, array[${tookSums}]::bigint[] as took
  from status_history
  where grain = $1 and at >= $2 and at < $3 and service = any ($4::text[])
  group by service
`

export interface HistoryStore extends History {
  /** Forgets what is older than it is kept. */
  prune(now: Date): Promise<void>
}

export function createHistory({ database }: { readonly database: Database }): HistoryStore {
  return {
    async read({ service, range, to = new Date() }: HistoryQuery) {
      const { grain, bars, barMs } = ranges[range]
      // The bar under way is the last one.
      const end = (Math.floor(to.getTime() / barMs) + 1) * barMs
      const begin = end - bars * barMs
      const wanted = service === undefined ? serviceNames : [service]
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
