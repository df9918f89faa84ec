/** The primary key of `model_usage_days`. */
const dimensions = ['account_id', 'day', 'provider', 'model', 'source'] as const

/** The stats of a day with the expression that computes each from the rows of its calls. */
const statExpressions = {
  calls: 'count(*)',
  failures: "count(*) filter (where outcome in ('failed', 'lost'))",
  cancelled: "count(*) filter (where outcome = 'cancelled')",
  cache_hits: 'count(*) filter (where cache_hit)',
  unpriced_calls: 'count(*) filter (where micro_dollars is null)',
  input_tokens: 'coalesce(sum(input_tokens), 0)',
  cached_input_tokens: 'coalesce(sum(cached_input_tokens), 0)',
  output_tokens: 'coalesce(sum(output_tokens), 0)',
  micro_dollars: 'coalesce(sum(micro_dollars), 0)',
  latency_ms_sum: "coalesce(sum(latency_ms) filter (where outcome = 'answered' and not cache_hit), 0)",
  first_token_ms_sum: 'coalesce(sum(first_token_ms) filter (where not cache_hit), 0)',
  first_token_count: 'count(first_token_ms) filter (where not cache_hit)',
} as const

export const usageStats = Object.keys(statExpressions) as readonly (keyof typeof statExpressions)[]

/**
 * The statement that adds rows of `model_calls` to their days, or subtracts them. Days are locked in one order to avoid
 * deadlocks between replicas.
 */
export function rollUpFrom(rows: string, sign: '+' | '-'): string {
  return `
    insert into model_usage_days as known (${[...dimensions, ...usageStats].join(', ')})
    select account_id, (started_at at time zone 'utc')::date, provider, model, source,
      ${usageStats.map((stat) => `${sign}${statExpressions[stat]}`).join(', ')}
    from ${rows}
    group by 1, 2, 3, 4, 5
    order by 1, 2, 3, 4, 5
    on conflict (${dimensions.join(', ')}) do update set
      ${usageStats.map((stat) => `${stat} = known.${stat} + excluded.${stat}`).join(', ')}
  `
}
