import type { Database } from '#kernel/database'
import { type CallOutcome, type CallRecord, callColumns } from './call-record.ts'
import { firstIdOf } from './first-id-of.ts'
import { readUsageTotals, type TotalsQuery, type UsageFilter, type UsageReport } from './usage-totals.ts'

/** What models were used for, by whom, and what it took. */
export interface Usage {
  totals(query: TotalsQuery): Promise<UsageReport>
  calls(query: CallsQuery): Promise<CallsPage>
  /** What was used in each minute, hour or day of a time, by all accounts; those without anything too, the earliest first. */
  series(query: SeriesQuery): Promise<readonly UsagePoint[]>
  /** How long models took, the busiest first. */
  speeds(query: SpeedsQuery): Promise<readonly ModelSpeed[]>
  /** The models that answered since a moment. */
  namesSince(moment: Date): Promise<readonly ModelName[]>
}

export function createUsage({ database }: { readonly database: Database }): Usage {
  return {
    totals: (query) => readUsageTotals(database, query),
    calls: (query) => listCalls(database, query),
    series: (query) => readSeries(database, query),
    speeds: (query) => readSpeeds(database, query),
    namesSince: (moment) => readNamesSince(database, moment),
  }
}

/** A time, and how fine it is looked at. */
interface SeriesQuery {
  readonly from: Date
  /** Not included. */
  readonly to: Date
  /** Days are kept for good; minutes and hours as long as the calls themselves are. */
  readonly grain: 'minute' | 'hour' | 'day'
}

/** What all accounts used in one minute, hour or day in UTC. */
interface UsagePoint {
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
async function readSeries(
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

interface CallsQuery extends UsageFilter {
  readonly outcome?: CallOutcome | undefined
  /** Calls that began at this time or later. */
  readonly from?: Date | undefined
  /** Calls that began before this time. */
  readonly to?: Date | undefined
  /** Goes on after the call of this id, which was the last of the page before. */
  readonly after?: string | undefined
  /** Calls that had ended at this moment: a call that ends later does not move the pages. */
  readonly asOf?: Date | undefined
  readonly limit: number
  /** Calls to skip. */
  readonly offset?: number | undefined
}

interface CallsPage {
  /** The newest first. */
  readonly calls: readonly CallRecord[]
  /** What to send as `after` for the next page; null when this is the last. */
  readonly next: string | null
  /** Calls that match, on all pages. */
  readonly total: number
}

const fields = Object.entries(callColumns)
  .map(([column, [, field]]) => `${column} as "${field}"`)
  .join(', ')

/**
 * A page by number counts from the newest call, so a caller fixes it with `asOf`; with `after`, a page begins where the one
 * before it ended. Rows are written when a call ends, their ids are from when it began.
 */
async function listCalls(database: Database, query: CallsQuery): Promise<CallsPage> {
  const { outcome, from, to, after, asOf, limit, offset = 0 } = query
  const values: unknown[] = []
  const conditions: string[] = []
  const wants = (condition: string, value: unknown) => {
    if (value !== undefined) conditions.push(condition.replace('?', `$${values.push(value)}`))
  }
  wants('account_id = ?', query.account)
  wants('provider = ?', query.provider)
  wants('model = ?', query.model)
  wants('source = ?', query.source)
  wants('outcome = ?', outcome)
  wants('started_at >= ?', from)
  wants('started_at < ?', to)
  wants("started_at + coalesce(latency_ms, 0) * interval '1 millisecond' <= ?", asOf)
  const counting = database.query<{ total: number }>(
    `select count(*) as total from model_calls where ${['true', ...conditions].join(' and ')}`,
    [...values],
  )
  wants('id < ?::uuid', after)
  const reading = database.query<CallRecord>(
    `
      select ${fields} from model_calls
      where ${['true', ...conditions].join(' and ')}
      order by id desc
      limit $${values.push(limit + 1)} offset $${values.push(offset)}
    `,
    values,
  )
  const [calls, [counted]] = await Promise.all([reading, counting])
  const page = calls.slice(0, limit)
  return {
    calls: page,
    next: calls.length > limit ? (page.at(-1)?.id ?? null) : null,
    total: counted?.total ?? 0,
  }
}

interface ModelName {
  readonly provider: string
  readonly model: string
}

/** The milliseconds that half, most and nearly all calls did not pass; null when none was measured. */
interface Percentiles {
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

/** How long a model took over some time. What was answered from memory says nothing about it, and is left out. */
interface ModelSpeed extends ModelName {
  readonly calls: number
  /** Failed and lost ones. */
  readonly failures: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of the calls that were answered. */
  readonly latency: Percentiles
  /** Of those that said when the first token came. */
  readonly firstToken: Percentiles & { readonly measured: number }
}

interface SpeedsQuery {
  readonly from: Date
  /** Not included. */
  readonly to: Date
}

const maxModels = 100

const speedsStatement = `
  select provider, model, count(*) as calls,
    count(*) filter (where outcome in ('failed', 'lost')) as failures,
    coalesce(sum(input_tokens), 0)::bigint as "inputTokens",
    coalesce(sum(output_tokens), 0)::bigint as "outputTokens",
    percentile_disc(array[0.5, 0.95, 0.99]) within group (order by latency_ms)
      filter (where outcome = 'answered') as latency,
    percentile_disc(array[0.5, 0.95, 0.99]) within group (order by first_token_ms) as "firstToken",
    count(first_token_ms) as measured
  from model_calls
  where id >= $1::uuid and id < $2::uuid and not cache_hit
  group by provider, model
  order by calls desc, provider, model
  limit ${maxModels}
`

interface Row extends Omit<ModelSpeed, 'latency' | 'firstToken'> {
  readonly latency: readonly (number | null)[] | null
  readonly firstToken: readonly (number | null)[] | null
  readonly measured: number
}

async function readSpeeds(database: Database, { from, to }: SpeedsQuery): Promise<readonly ModelSpeed[]> {
  const rows = await database.query<Row>(speedsStatement, [firstIdOf(from), firstIdOf(to)])
  return rows.map(({ latency, firstToken, measured, ...row }) => ({
    ...row,
    latency: percentilesOf(latency),
    firstToken: { ...percentilesOf(firstToken), measured },
  }))
}

function percentilesOf(found: readonly (number | null)[] | null): Percentiles {
  const [p50 = null, p95 = null, p99 = null] = found ?? []
  return { p50, p95, p99 }
}

async function readNamesSince(database: Database, moment: Date): Promise<readonly ModelName[]> {
  return await database.query<ModelName>(
    `select distinct provider, model from model_calls where id >= $1::uuid and outcome = 'answered'`,
    [firstIdOf(moment)],
  )
}
