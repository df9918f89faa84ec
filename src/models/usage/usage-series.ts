import type { Database } from '#kernel/database'
import { firstIdOf } from './first-id-of.ts'

/** A time, and how fine it is looked at. */
export interface SeriesQuery {
  readonly from: Date
  /** Not included. */
  readonly to: Date
  /** Days are kept for good; minutes and hours as long as the calls themselves are. */
  readonly grain: 'minute' | 'hour' | 'day'
}

/** What all accounts used in one minute, hour or day in UTC. */
export interface UsagePoint {
  readonly at: Date
  readonly calls: number
  readonly inputTokens: number
  readonly outputTokens: number
}

const grainMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const

const callsStatement = `
  select date_trunc($3, started_at, 'utc') as at, count(*) as calls,
    coalesce(sum(input_tokens), 0)::bigint as "inputTokens",
    coalesce(sum(output_tokens), 0)::bigint as "outputTokens"
  from model_calls
  where id >= $1::uuid and id < $2::uuid
  group by 1
`

const daysStatement = `
  select day::timestamp at time zone 'utc' as at, sum(calls)::bigint as calls,
    sum(input_tokens)::bigint as "inputTokens", sum(output_tokens)::bigint as "outputTokens"
  from model_usage_days
  where day >= ($1 at time zone 'utc')::date and day < ($2 at time zone 'utc')::date
  group by day
`

/** Every point of a time, also those without a call, the earliest first. */
export async function readSeries(
  database: Database,
  { from, to, grain }: SeriesQuery,
): Promise<readonly UsagePoint[]> {
  const length = grainMs[grain]
  const begin = Math.floor(from.getTime() / length) * length
  const end = Math.ceil(to.getTime() / length) * length
  const rows =
    grain === 'day'
      ? await database.query<UsagePoint>(daysStatement, [new Date(begin), new Date(end)])
      : await database.query<UsagePoint>(callsStatement, [
          firstIdOf(new Date(begin)),
          firstIdOf(new Date(end)),
          grain,
        ])
  const known = new Map(rows.map((row) => [row.at.getTime(), row]))
  return Array.from({ length: Math.max(0, (end - begin) / length) }, (_, index) => {
    const at = begin + index * length
    return known.get(at) ?? { at: new Date(at), calls: 0, inputTokens: 0, outputTokens: 0 }
  })
}
