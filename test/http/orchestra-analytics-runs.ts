import { asks } from './orchestra-model.ts'
import type { OrchestraServer } from './orchestra-server.ts'

/** An ended execution, as stored. */
interface RawExecution {
  readonly id: string
  readonly flow_id: string
  readonly status: string
  readonly spent: number
  readonly started_at: Date
  readonly finished_at: Date
  readonly code: string | null
  /** Of all its steps. */
  readonly tokens: number
}

/** A step of an agent, as stored. */
export interface RawStep {
  readonly execution_id: string
  readonly flow_id: string
  readonly agent: string
  readonly state: string
  readonly ms: number
  readonly spent: number
  readonly tokens: number
  readonly confidence: number | null
  readonly finished_at: Date
}

export interface Raw {
  readonly executions: readonly RawExecution[]
  readonly steps: readonly RawStep[]
}

const reader = {
  description: 'Reads a text.',
  category: 'analysis',
  capabilities: ['reading'],
  supported_languages: ['*'],
  input_types: ['text'],
  output_format: 'json',
  analysers: [{ analyser: 'length' }],
  analysis_output: { words: '{{analysis.length.words}}' },
  output_schema: { type: 'object', properties: { words: { type: 'integer' } } },
}
const configuration = { supports_streaming: false, max_input_length: 50_000, timeout: 60, retry_limit: 0 }

/** An agent with a fee, and one that accepts short texts only. */
async function makeAgents({ agents }: OrchestraServer): Promise<void> {
  await agents.create(
    {
      ...reader,
      id: 'paid_reader',
      label: 'Paid reader',
      configuration,
      pricing: { base_cost: 0.000123, per_token: 0, bulk_discount: 0.5, enterprise_rate: 1 },
    },
    { by: null },
  )
  await agents.create(
    {
      ...reader,
      id: 'short_reader',
      label: 'Short reader',
      category: 'validation',
      configuration: { ...configuration, max_input_length: 40 },
    },
    { by: null },
  )
}

/** Saves three workflows, runs this number of executions to their end, and returns the ids of the workflows. */
export async function runMany(server: OrchestraServer, count: number) {
  await makeAgents(server)
  const flows = {
    both: await server.save([
      { id: 'paid', type: 'agent', agent: 'paid_reader' },
      { id: 'short', type: 'agent', agent: 'short_reader', error_handling: { on_failure: 'continue' } },
    ]),
    strict: await server.save([{ id: 'short', type: 'agent', agent: 'short_reader' }]),
    plain: await server.save([asks('write', 'Say something about {{content}}')]),
  }
  const ids = Object.values(flows)
  const texts = ['A short text.', 'Another one.', 'This text has more characters than some agents take.']
  const enqueue = (index: number) =>
    server.engine.executions.enqueue({
      flowId: ids[index % 3] ?? '',
      flowVersion: 1,
      accountId: server.idOf(index % 2 === 0 ? 'nora' : 'otto'),
      priority: 'normal',
      input: { context: { content: texts[Math.floor(index / 3) % 3] }, options: {}, memory: {} },
    })
  // Of all at once, the last would wait too long for a connection.
  for (let first = 0; first < count; first += 50) {
    const some = Array.from({ length: Math.min(50, count - first) }, (_, index) => enqueue(first + index))
    await Promise.all(some)
  }
  return flows
}

export async function countOpen({ database }: OrchestraServer): Promise<number> {
  const [row] = await database.query<{ open: number }>(
    "select count(*) as open from engine_executions where work_state <> 'finished'",
  )
  return row?.open ?? 0
}

/** Moves the first executions into the past, and aggregates all of them again. */
export async function moveBack({ database }: OrchestraServer, count: number, hours: number): Promise<void> {
  await database.query(
    `
      with moved as (
        select id, make_interval(hours => $2) as by from engine_executions order by id
        limit $1
      ),
      steps as (
        update engine_steps set started_at = started_at - moved.by, finished_at = finished_at - moved.by
        from moved where moved.id = execution_id
      )
      update engine_executions
      set started_at = started_at - moved.by,
        finished_at = finished_at - moved.by,
        facts = (facts::jsonb || jsonb_build_object(
          'started_at', (facts ->> 'started_at')::timestamptz - moved.by,
          'finished_at', (facts ->> 'finished_at')::timestamptz - moved.by
        ))::json
      from moved where moved.id = engine_executions.id
    `,
    [count, hours],
  )
  const tables = ['flows', 'steps', 'models', 'accounts', 'errors'].map((name) => `engine_history_${name}`)
  await database.query(`truncate engine_finished, ${tables.join(', ')}`)
  await database.query('insert into engine_finished (execution_id) select id from engine_executions')
}

/** The input and output tokens of a step. */
const tokens = `(
  coalesce((step.details #>> '{usage,inputTokens}')::double precision, 0)
    + coalesce((step.details #>> '{usage,outputTokens}')::double precision, 0)
)`

/** The expected values, computed from the rows of executions and steps. */
export async function readRaw({ database }: OrchestraServer): Promise<Raw> {
  const executions = await database.query<RawExecution>(`
    select id, flow_id, status, spent, (facts ->> 'started_at')::timestamptz as started_at,
      (facts ->> 'finished_at')::timestamptz as finished_at, error ->> 'code' as code, (
        select coalesce(sum(${tokens}), 0)::double precision from engine_outcomes as step where step.execution_id = execution.id
      ) as tokens
    from engine_executions as execution
  `)
  const steps = await database.query<RawStep>(`
    select step.execution_id, execution.flow_id, defined ->> 'agent' as agent, step.state, coalesce(step.spent, 0) as spent,
      round(extract(epoch from step.finished_at - step.started_at) * 1000)::double precision as ms,
      ${tokens} as tokens,
      (step.details ->> 'confidence')::double precision as confidence,
      (execution.facts ->> 'finished_at')::timestamptz as finished_at
    from engine_outcomes as step
    join engine_executions as execution on execution.id = step.execution_id
    join engine_flow_versions as version on version.flow_id = execution.flow_id and version.version = execution.flow_version
    cross join lateral jsonb_array_elements(version.definition -> 'steps') as defined
    where defined ->> 'id' = step.step_id and defined ->> 'type' = 'agent' and step.state <> 'skipped'
  `)
  return { executions, steps }
}
