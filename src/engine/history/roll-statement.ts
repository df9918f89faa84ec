import { bucketCount, durationBounds } from './duration-buckets.ts'
import { grains, type RollUp, rollUps } from './roll-up.ts'

/**
 * Takes so many ends out of `engine_finished` ($1) and adds them to everything that is kept, in one statement: a row counts once or is still
 * there. Ends are first added up by the minute, so that a crowd of them costs little more than a few.
 */
export const rollStatement = `
  with taken as materialized (
    delete from engine_finished
    where ctid = any (array(select ctid from engine_finished limit $1 for update skip locked))
    returning execution_id, sign, facts
  ),
  ended as materialized (
    select taken.sign, date_trunc('minute', known.finished_at, 'UTC') as minute, known.*
    from taken
    left join engine_executions as execution on execution.id = taken.execution_id
    cross join lateral (
      select facts.*, facts.error_code as code
      from jsonb_to_record(coalesce(taken.facts, execution.facts)) as facts (
        flow_id text, account_id uuid, status text, error_code text, finished_at timestamptz, queued_ms double precision,
        duration_ms double precision, spent bigint, unpriced boolean, decisions bigint, items bigint,
        cpu_ms double precision, peak_bytes double precision, steps jsonb
      )
    ) as known
    where known.flow_id is not null and known.finished_at is not null
  ),
  ended_steps as materialized (
    select ended.sign, ended.minute, ended.flow_id, step.id as step_id, step.*
    from ended
    cross join lateral jsonb_to_recordset(ended.steps) as step (
      id text, type text, state text, count bigint, ms double precision, attempts bigint, provider text, model text,
      input_tokens bigint, output_tokens bigint, spent bigint, ai_calls bigint, cache_hits bigint, network_requests bigint,
      ai_ms double precision, api_ms double precision, quality_sum double precision, quality_count bigint,
      confidence_sum double precision, confidence_count bigint, agent text
    )
    where step.count > 0
  ),
  ${rollUps.map((rollUp, index) => addStatement(rollUp, `part_${index}`)).join(',\n')}
  select count(*) as taken from taken
`

/** By the minute first; from that the minute, its hour and its day, each of the flow and of all flows together. */
function addStatement(rollUp: RollUp, part: string): string {
  const keys = Object.keys(rollUp.keys)
  const together = Object.entries(rollUp.keys).map(([key, kept]) => {
    if (kept === 'kept') return `${part}.${key}`
    return kept === '*' ? `'*'` : `coalesce(${part}.${kept.of}, '*')`
  })
  const others = Object.values(rollUp.keys).flatMap((kept) => (typeof kept === 'object' ? [kept.of] : []))
  const apart = ['minute', ...keys, ...others].join(', ')
  const columns = ['grain', 'at', ...keys]
  const sums = Object.entries(rollUp.sums)
  const typeOf = (sum: string) => (rollUp.fractions?.includes(sum) ? 'double precision' : 'bigint')
  const { took } = rollUp
  return `
  ${part} as materialized (
    select ${apart},
      ${took === undefined ? 'null::integer' : `width_bucket(${took.ms}, array[${durationBounds.join(', ')}]::double precision[])`} as bucket,
      ${took === undefined ? 'null' : `sum(sign * ${took.times})`} as times,
      ${sums.map(([name, each]) => `sum(sign * ${each}) as ${name}`).join(',\n      ')}
    from ${rollUp.from}
    where ${rollUp.where ?? 'true'}
    group by ${apart}, bucket
  ),
  added_${part} as (
    insert into ${rollUp.table} as known (${[...columns, ...sums.map(([name]) => name), ...(took ? ['took'] : [])].join(', ')})
    select span.grain, date_trunc(span.grain, minute, 'UTC'), ${keys.map((key) => `whole.${key}`).join(', ')},
      ${sums.map(([name]) => `sum(${name})::${typeOf(name)}`).join(', ')}
      ${took ? `, array[${countsOf('times')}]::integer[]` : ''}
    from ${part}
    cross join unnest(array['${grains.join(`', '`)}']) as span (grain)
    cross join lateral (values (${keys.map((key) => `${part}.${key}`).join(', ')}), (${together.join(', ')})) as whole (${keys.join(', ')})
    group by ${columns.map((_, index) => index + 1).join(', ')}
    order by ${columns.map((_, index) => index + 1).join(', ')}
    on conflict (${['flow_id', 'grain', 'at', ...keys.slice(1)].join(', ')}) do update set
      ${sums.map(([name]) => `${name} = known.${name} + excluded.${name}`).join(', ')}
      ${took ? ', took = engine_add_counts(known.took, excluded.took)' : ''}
  )`
}

function countsOf(times: string): string {
  return Array.from(
    { length: bucketCount },
    (_, bucket) => `coalesce(sum(${times}) filter (where bucket = ${bucket}), 0)`,
  ).join(', ')
}
