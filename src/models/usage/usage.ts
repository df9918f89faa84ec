import type { Database } from '#kernel/database'
import { firstIdAt } from '#kernel/partitions'
import { readContent } from '../recording/content-store.ts'
import { type CallOutcome, type CallRecord, callColumns } from './call-record.ts'
import { readUsageTotals, type TotalsQuery, type UsageFilter, type UsageReport } from './usage-totals.ts'

/** Reads recorded calls and usage totals. */
export interface Usage {
  totals(query: TotalsQuery): Promise<UsageReport>
  calls(query: CallsQuery): Promise<CallsPage>
  /** A call with its recorded content; undefined when there is none with this id, or it is of another account. */
  call(id: string, query: { readonly account?: string | undefined }): Promise<CallWithContent | undefined>
  /** The usage of all accounts in each minute, hour or day of a period, the earliest first, empty ones included. */
  series(query: SeriesQuery): Promise<readonly UsagePoint[]>
  /** Latency of each model, the model with the most calls first. */
  speeds(query: SpeedsQuery): Promise<readonly ModelSpeed[]>
  /** The models with an answered call since this time. */
  namesSince(moment: Date): Promise<readonly ModelName[]>
}

export function createUsage({ database }: { readonly database: Database }): Usage {
  return {
    totals: (query) => readUsageTotals(database, query),
    calls: (query) => listCalls(database, query),
    call: (id, query) => readCall(database, id, query),
    series: (query) => readSeries(database, query),
    speeds: (query) => readSpeeds(database, query),
    namesSince: (moment) => readNamesSince(database, moment),
  }
}

/** A period and its resolution. */
interface SeriesQuery {
  readonly from: Date
  /** Not included. */
  readonly to: Date
  /** Days are kept for good; minutes and hours as long as the records of calls. */
  readonly grain: 'minute' | 'hour' | 'day'
}

/** The usage of all accounts in one minute, hour or day in UTC. */
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
          firstIdAt(new Date(begin)),
          firstIdAt(new Date(end)),
          grain,
        ])
  const known = new Map(rows.map((row) => [row.at.getTime(), row]))
  return Array.from({ length: Math.max(0, (end - begin) / length) }, (_, index) => {
    const at = begin + index * length
    return known.get(at) ?? { at: new Date(at), calls: 0, inputTokens: 0, outputTokens: 0 }
  })
}

const sortColumns = {
  started: 'id',
  cost: 'micro_dollars',
  duration: 'latency_ms',
  first_token: 'first_token_ms',
  input_tokens: 'input_tokens',
  output_tokens: 'output_tokens',
} as const

type CallSort = keyof typeof sortColumns

export const callSorts = Object.keys(sortColumns) as readonly CallSort[]

/** Calls in another order than that of time: this many of the newest are sorted. */
const maxSorted = 10_000

interface CallsQuery extends UsageFilter {
  readonly outcome?: CallOutcome | undefined
  /** Calls of this execution, and of this step of it. */
  readonly execution?: string | undefined
  readonly step?: string | undefined
  /** Calls that started at this time or later. */
  readonly from?: Date | undefined
  /** Calls that started before this time. */
  readonly to?: Date | undefined
  /** The id of the last call of the previous page. */
  readonly after?: string | undefined
  /** Only calls that had ended at this time, so that calls that end later do not shift the pages. */
  readonly asOf?: Date | undefined
  /** Other than `started`: sorts the newest `maxSorted` matches. */
  readonly sort?: CallSort | undefined
  readonly order?: 'asc' | 'desc' | undefined
  readonly limit: number
  /** Calls to skip. */
  readonly offset?: number | undefined
}

interface CallsPage {
  readonly calls: readonly CallRecord[]
  /** The value of `after` for the next page; null on the last page. */
  readonly next: string | null
  /** Calls that match, on all pages. */
  readonly total: number
  /** More calls match than were sorted: the number of the newest ones that were. */
  readonly sortedAmong: number | null
}

const fields = Object.entries(callColumns)
  .map(([column, [, field]]) => `${column} as "${field}"`)
  .join(', ')

/**
 * A page number counts from the newest call, so callers pin the list with `asOf`; with `after`, a page starts where the
 * previous one ended. Rows are written when a call ends, their ids are created when it starts.
 */
async function listCalls(database: Database, query: CallsQuery): Promise<CallsPage> {
  const { outcome, from, to, after, asOf, sort = 'started', order = 'desc', limit, offset = 0 } = query
  const values: unknown[] = []
  const conditions: string[] = []
  const addCondition = (condition: string, value: unknown) => {
    if (value !== undefined) conditions.push(condition.replace('?', `$${values.push(value)}`))
  }
  addCondition('account_id = ?', query.account)
  addCondition('provider = ?', query.provider)
  addCondition('model = ?', query.model)
  addCondition('source = ?', query.source)
  addCondition('key_id = ?', query.key)
  addCondition('tags @> array[?::text]', query.tag)
  addCondition('outcome = ?', outcome)
  addCondition('execution_id = ?', query.execution)
  addCondition('step_id = ?', query.step)
  addCondition('started_at >= ?', from)
  addCondition('started_at < ?', to)
  addCondition("started_at + coalesce(latency_ms, 0) * interval '1 millisecond' <= ?", asOf)
  const counting = database.query<{ total: number }>(
    `select count(*) as total from model_calls where ${['true', ...conditions].join(' and ')}`,
    [...values],
  )
  const isByTime = sort === 'started'
  addCondition(`id ${order === 'desc' ? '<' : '>'} ?::uuid`, after)
  const matching = `select * from model_calls where ${['true', ...conditions].join(' and ')}`
  const reading = database.query<CallRecord>(
    `
      select ${fields} from (${isByTime ? matching : `${matching} order by id desc limit ${maxSorted}`}) as matching
      order by ${isByTime ? '' : `${sortColumns[sort]} ${order} nulls last, `}id ${order}
      limit $${values.push(limit + 1)} offset $${values.push(offset)}
    `,
    values,
  )
  const [calls, [counted]] = await Promise.all([reading, counting])
  const page = calls.slice(0, limit)
  const total = counted?.total ?? 0
  return {
    calls: page,
    next: isByTime && calls.length > limit ? (page.at(-1)?.id ?? null) : null,
    total,
    sortedAmong: isByTime || total <= maxSorted ? null : maxSorted,
  }
}

interface CallWithContent {
  readonly call: CallRecord
  /** Undefined when the content was not recorded, or is deleted. */
  readonly content: Awaited<ReturnType<typeof readContent>>
}

async function readCall(
  database: Database,
  id: string,
  { account }: { readonly account?: string | undefined },
): Promise<CallWithContent | undefined> {
  const [call] = await database.query<CallRecord>(
    `select ${fields} from model_calls where id = $1::uuid and ($2::text is null or account_id = $2)`,
    [id, account ?? null],
  )
  return call && { call, content: await readContent(database, id) }
}

interface ModelName {
  readonly provider: string
  readonly model: string
}

/** Milliseconds; null without measured calls. */
interface Percentiles {
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
}

/** Latency and usage of a model in a period, without cache hits. */
interface ModelSpeed extends ModelName {
  readonly calls: number
  /** Failed and lost calls. */
  readonly failures: number
  readonly inputTokens: number
  readonly outputTokens: number
  /** Of answered calls. */
  readonly latency: Percentiles
  /** Of calls with a measured first token. */
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
  const rows = await database.query<Row>(speedsStatement, [firstIdAt(from), firstIdAt(to)])
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
    [firstIdAt(moment)],
  )
}
