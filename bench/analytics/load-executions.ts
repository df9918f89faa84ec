import type { Database, Session } from '#kernel/database'
import { createHistory } from '../../src/engine/history/history.ts'
import { createRetentionTask } from '../../src/engine/retention/retention.ts'
import { quiet } from '../embedded-database.ts'

const flows = 20
const accounts = 200
const days = 60
const chunk = 50_000

/**
 * Executions of three steps, evenly over sixty days and in bursts every quarter of an hour, as schedules start them. One in twelve failed.
 * Their stats are as the engine writes them.
 */
const insertStatement = `
  with numbered as materialized (
    select number, date_bin('15 minutes', $3::timestamptz - ${days} * interval '1 day' * (1 - number::double precision / $4), $3) as burst
    from generate_series($1::bigint, $2::bigint) as number
  ),
  drawn as materialized (
    select number, gen_random_uuid() as id, least($3, burst + random() * interval '50 seconds') as finished_at,
      'flow_' || number % ${flows} as flow_id, (number * 7919) % ${accounts} as account,
      case when number % 12 = 0 then 'failed' else 'completed' end as status,
      (exp(random_normal(7.5, 0.6)) + 100)::integer as ms, (random() * 4000)::integer as spent
    from numbered
  ),
  executions as (
    insert into engine_executions (
      id, flow_id, flow_version, account_id, status, input, facts, spent, created_at, started_at, finished_at, work_state
    )
    select id, flow_id, 1, lpad(account::text, 32, '0')::uuid, status, '{}', jsonb_build_object(
        'flow_id', flow_id, 'flow_version', 1, 'account_id', lpad(account::text, 32, '0')::uuid, 'status', status, 'priority', 'normal',
        'error_code', case when status = 'failed' then 'PROVIDER_UNAVAILABLE' end, 'finished_at', finished_at,
        'queued_ms', 12, 'duration_ms', ms, 'spent', spent, 'unpriced', false, 'peak_bytes', 8192, 'cpu_ms', 2, 'decisions', 0, 'items', 0,
        'steps', jsonb_build_array(
          jsonb_build_object('id', 'write', 'type', 'ai_prompt', 'state', status, 'count', 1, 'ms', ms - 50, 'attempts', 1,
            'provider', case when number % 3 = 0 then 'ollama' else 'openai' end, 'model', 'model-' || number % 4, 'input_tokens', 700,
            'output_tokens', 300, 'spent', spent, 'ai_calls', 1, 'ai_ms', ms - 60, 'quality_sum', 80, 'quality_count', 1),
          jsonb_build_object('id', 'check', 'type', 'conditional', 'state', 'completed', 'count', 1, 'ms', 1, 'attempts', 1),
          jsonb_build_object('id', 'join', 'type', 'data_transform', 'state', 'completed', 'count', 1, 'ms', 2, 'attempts', 1)
        )
      ), spent, finished_at, finished_at, finished_at, 'finished'
    from drawn
    order by number
  )
  insert into engine_finished (execution_id) select id from drawn
`

/** Stores executions and lets the roller aggregate them, as it does when they end. */
export async function loadExecutions(database: Database, count: number): Promise<void> {
  const now = new Date()
  const history = createHistory({ database, findModel: async () => undefined })
  const prune = createRetentionTask({
    database,
    log: quiet,
    settings: { executionRetentionMs: 2 * days * 86_400_000 },
  })
  await database.withSession(async (session) => {
    await addFlows(session)
    for (let from = 1; from <= count; from += chunk) {
      await session.query(insertStatement, [from, Math.min(count, from + chunk - 1), now, count])
      await history.roll({ maxMs: Number.POSITIVE_INFINITY })
    }
    await prune.run(new AbortController().signal)
    await session.query('vacuum analyze')
  })
  await checkLoaded(database, count)
}

async function addFlows(session: Session): Promise<void> {
  await session.query(`
    insert into engine_flows (id, current_version) select 'flow_' || number, 1 from generate_series(0, ${flows - 1}) as number;
    insert into engine_flow_versions (flow_id, version, definition)
    select id, 1, jsonb_build_object('id', id, 'label', 'Flow ' || id, 'steps', '[]'::jsonb) from engine_flows;
  `)
}

/** Throws unless all executions are counted: a fast response without them would be meaningless. */
async function checkLoaded(database: Database, count: number): Promise<void> {
  const [row] = await database.query<{ stored: number; counted: number }>(`
    select (select count(*) from engine_executions) as stored,
      (select sum(executions)::bigint from engine_history_flows where flow_id = '*' and grain = 'day') as counted
  `)
  if (row?.stored !== count || row.counted !== count)
    throw new Error(`of ${count} executions ${row?.stored} are stored and ${row?.counted} counted`)
}
