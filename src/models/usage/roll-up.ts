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

/** Tags of an account and a day that have rows of their own. */
export const maxTagsPerDay = 100

/** The label of all further tags. */
export const otherTags = '(other)'

/**
 * Parts of a `with` that add rows of `model_calls` to the totals of their days, keys and tags, or subtract them. Rows are locked in one
 * order to avoid deadlocks between replicas.
 */
export function rollUpFrom(rows: string, sign: '+' | '-'): string {
  return `
    days as (${addUp('model_usage_days', dimensions, `select *, ${day} as day from ${rows}`, sign)}),
    tagged as (
      select distinct account_id, ${day} as day, tag from ${rows} cross join unnest(tags) as tag
    ),
    new_tags as (
      select account_id, day, tag, row_number() over (partition by account_id, day order by tag) + (
        select count(distinct label) from model_usage_labels as known
        where known.account_id = tagged.account_id and known.day = tagged.day and kind = 'tag'
      ) as number
      from tagged
      where not exists (
        select from model_usage_labels as known
        where known.account_id = tagged.account_id and known.day = tagged.day and kind = 'tag' and label = tag
      )
    ),
    other_tags as (select account_id, day, tag from new_tags where number > ${maxTagsPerDay}),
    labelled as (
      select *, ${day} as day, 'key' as kind, key_id as label from ${rows} where key_id is not null
      union all
      select call.*, ${day} as day, 'tag' as kind, label
      from ${rows} as call cross join lateral (
        select distinct case when (call.account_id, (call.started_at at time zone 'utc')::date, tag) in (table other_tags)
          then '${otherTags}' else tag end as label
        from unnest(call.tags) as tag
      ) as labels
    ),
    label_days as (${addUp('model_usage_labels', [...dimensions, 'kind', 'label'], 'table labelled', sign)})
  `
}

const day = "(started_at at time zone 'utc')::date"

function addUp(table: string, columns: readonly string[], rows: string, sign: '+' | '-'): string {
  const groups = columns.map((_, index) => index + 1).join(', ')
  return `
    insert into ${table} as known (${[...columns, ...usageStats].join(', ')})
    select ${columns.join(', ')}, ${usageStats.map((stat) => `${sign}${statExpressions[stat]}`).join(', ')}
    from (${rows}) as call
    group by ${groups}
    order by ${groups}
    on conflict (${columns.join(', ')}) do update set
      ${usageStats.map((stat) => `${stat} = known.${stat} + excluded.${stat}`).join(', ')}
  `
}
