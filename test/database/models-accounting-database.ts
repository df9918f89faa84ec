import { type Database, migrate } from '#kernel/database'
import { modelsMigrations } from '../../src/models/migrations.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { quiet } from './models-accounting.ts'

/** A database with the empty tables of models. */
export async function createCallAccountingDatabase(): Promise<TestDatabase> {
  const database = await createTestDatabase({ start: 'empty' })
  await migrate(database, [modelsMigrations], quiet)
  return database
}

/** The stored days, and the days recomputed from every call. */
export async function compareDays(
  database: Database,
): Promise<{ readonly kept: readonly unknown[]; readonly counted: readonly unknown[] }> {
  const kept = await database.query(
    'select *, day::text from model_usage_days where calls <> 0 order by 1, 2, 3, 4, 5',
  )
  const counted = await database.query(`
    select account_id, (started_at at time zone 'utc')::date as day, provider, model, source,
      count(*) as calls,
      sum(case when outcome in ('failed', 'lost') then 1 else 0 end)::bigint as failures,
      sum(case when outcome = 'cancelled' then 1 else 0 end)::bigint as cancelled,
      sum(cache_hit::integer)::bigint as cache_hits,
      sum((micro_dollars is null)::integer)::bigint as unpriced_calls,
      sum(coalesce(input_tokens, 0))::bigint as input_tokens,
      sum(coalesce(cached_input_tokens, 0))::bigint as cached_input_tokens,
      sum(coalesce(output_tokens, 0))::bigint as output_tokens,
      sum(coalesce(micro_dollars, 0))::bigint as micro_dollars,
      sum(case when outcome = 'answered' and not cache_hit then latency_ms else 0 end)::bigint as latency_ms_sum,
      sum(case when cache_hit then 0 else coalesce(first_token_ms, 0) end)::bigint as first_token_ms_sum,
      sum(case when cache_hit or first_token_ms is null then 0 else 1 end)::bigint as first_token_count,
      (started_at at time zone 'utc')::date::text as day
    from model_calls
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
  `)
  return { kept, counted }
}
