import type { Database } from '#kernel/database'
import { firstIdOf } from './first-id-of.ts'

export interface ModelName {
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
export interface ModelSpeed extends ModelName {
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

export interface SpeedsQuery {
  readonly from: Date
  /** Not included. */
  readonly to: Date
}

const mostModels = 100

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
  limit ${mostModels}
`

interface Row extends Omit<ModelSpeed, 'latency' | 'firstToken'> {
  readonly latency: readonly (number | null)[] | null
  readonly firstToken: readonly (number | null)[] | null
  readonly measured: number
}

export async function readSpeeds(
  database: Database,
  { from, to }: SpeedsQuery,
): Promise<readonly ModelSpeed[]> {
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

export async function readNamesSince(database: Database, moment: Date): Promise<readonly ModelName[]> {
  return await database.query<ModelName>(
    `select distinct provider, model from model_calls where id >= $1::uuid and outcome = 'answered'`,
    [firstIdOf(moment)],
  )
}
