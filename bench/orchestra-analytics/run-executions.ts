import { setTimeout } from 'node:timers/promises'
import type { Database } from '#kernel/database'

const workflows = ['content_review', 'publish_ready', 'search_package', 'text_insights'] as const
const days = 30

const content = `
# How a small team ships every day

A team of five has shipped a release on every working day of the last two years. They write down what they want first, keep changes
small, and look at what went wrong without blaming anyone. In 2025 they made 251 releases; 6 were taken back.

[Their handbook](https://example.org/handbook) tells how. It is short, and everybody on the team has changed it at least once.
`

type Call = (path: string, body?: unknown) => Promise<unknown>

/** Runs executions of the built-in workflows with the real engine, and spreads them over the last thirty days. */
export async function runExecutions(call: Call, database: Database, count: number): Promise<void> {
  for (let index = 0; index < count; index += 1) {
    await call('/execute-workflow', {
      workflow_id: workflows[index % workflows.length],
      context: { content },
      options: { async: true },
    })
  }
  while (await exists(database, "select from engine_executions where work_state <> 'finished'"))
    await setTimeout(200)
  await spreadOut(database)
  while (await exists(database, 'select from engine_finished')) await call('/workflow-metrics')
  await database.query('analyze')
  await checkCounted(database, count)
}

async function exists(database: Database, statement: string): Promise<boolean> {
  const [row] = await database.query<{ found: boolean }>(`select exists (${statement}) as found`)
  return row?.found ?? false
}

/** Executions of a single minute would be few rows to read. The roller aggregates the moved executions again. */
async function spreadOut(database: Database): Promise<void> {
  await database.query(`
    with numbered as (
      select id, (row_number() over (order by id) - 1) * interval '${days} days' / count(*) over () as ago from engine_executions
    )
    update engine_executions as execution
    set finished_at = execution.finished_at - ago,
      facts = (execution.facts::jsonb || jsonb_build_object(
        'started_at', (execution.facts ->> 'started_at')::timestamptz - ago,
        'finished_at', (execution.facts ->> 'finished_at')::timestamptz - ago
      ))::json
    from numbered where numbered.id = execution.id
  `)
  const tables = ['flows', 'steps', 'models', 'accounts', 'errors'].map((name) => `engine_history_${name}`)
  await database.query(`truncate engine_finished, ${tables.join(', ')}`)
  await database.query('insert into engine_finished (execution_id) select id from engine_executions')
}

/** Throws unless all executions are counted: a fast response without them would be meaningless. */
async function checkCounted(database: Database, count: number): Promise<void> {
  const [row] = await database.query<{ counted: number; agents: number }>(`
    select (select sum(executions)::bigint from engine_history_flows where flow_id = '*' and grain = 'day') as counted,
      (select count(distinct step_id) from engine_history_steps where flow_id = '*' and type = 'agent') as agents
  `)
  if (row?.counted !== count || row.agents === 0)
    throw new Error(`of ${count} executions ${row?.counted} are counted, by ${row?.agents} agents`)
}
