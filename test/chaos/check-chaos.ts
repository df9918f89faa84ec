import { isDeepStrictEqual } from 'node:util'
import type { Database } from '#kernel/database'
import type { ChaosFlow, ExpectedStep } from './chaos-flow.ts'

interface ExecutionRow {
  readonly id: string
  readonly number: number
  readonly flow_id: string
  readonly status: string
  readonly waits: number
  readonly outbox_rows: number
  readonly entries: readonly { readonly seq: number; readonly type: string }[]
  readonly steps: readonly { readonly step_id: string; readonly state: string; readonly output: unknown }[]
}

const executionsStatement = `
  select execution.id, execution.flow_id, (execution.input -> 'context' ->> 'number')::integer as number, execution.status,
    (
      -- A step that waited twice would have a second number.
      select count(*) from engine_waits where execution_id = execution.id and number = 1 and state <> 'open'
    ) as waits,
    (select count(*) from engine_finished where execution_id = execution.id) as outbox_rows,
    (
      select coalesce(json_agg(entry order by first_seq, nth), '[]')
      from engine_events, json_array_elements(entries) with ordinality as it (entry, nth)
      where execution_id = execution.id
    ) as entries,
    (
      select coalesce(json_agg(json_build_object('step_id', step_id, 'state', state, 'output', output)), '[]')
      from engine_outcomes where execution_id = execution.id
    ) as steps
  from engine_executions as execution
`

/** Runs that started although the outcome of their step was committed: detected by themselves, or by the time of that commit. */
const lateStatement = `
  select run.execution_id, run.step_id, run.worker
  from chaos_runs as run
  left join engine_steps as step on step.execution_id = run.execution_id and step.step_id = run.step_id
  where run.was_over or run.started_at > pg_xact_commit_timestamp(step.xmin)
`

/** Checks the final state. Returns its problems, one line each. */
export async function checkChaos(
  database: Database,
  executions: number,
  flows: readonly ChaosFlow[],
): Promise<string[]> {
  const rows = await database.query<ExecutionRow>(executionsStatement)
  const late = await database.query<{ execution_id: string; step_id: string; worker: string }>(lateStatement)
  return [
    ...(rows.length === executions ? [] : [`${rows.length} executions instead of ${executions}`]),
    ...rows.flatMap((row) => problemsOf(row, flows).map((problem) => `execution ${row.id}: ${problem}`)),
    ...late.map(
      ({ execution_id: id, step_id: step, worker }) =>
        `execution ${id}: "${step}" began again at ${worker} though it was over`,
    ),
  ]
}

function problemsOf(row: ExecutionRow, flows: readonly ChaosFlow[]): string[] {
  const { number, flow_id: flowId, status, waits, outbox_rows: outboxRows, entries, steps } = row
  const flow = flows.find(({ definition }) => definition.id === flowId)
  if (flow === undefined) return [`it is of the flow ${flowId}`]
  const problems: string[] = []
  if (waits !== flow.waits) problems.push(`${waits} waits were opened once and closed`)
  if (status !== 'completed') problems.push(`it is ${status}`)
  if (outboxRows !== 1) problems.push(`${outboxRows} rows for the roll-ups`)
  if (entries.some(({ seq }, index) => seq !== index + 1)) {
    problems.push(`its journal is numbered ${entries.map(({ seq }) => seq).join(' ')}`)
  }
  if (entries[0]?.type !== 'execution_started') problems.push('its journal does not begin with its start')
  if (entries.at(-1)?.type !== 'execution_completed') problems.push('its journal does not end with its end')
  const expected = flow.expectedSteps(number)
  for (const path of Object.keys(expected)) {
    const times = steps.filter(({ step_id: id }) => id === path).length
    if (times !== 1) problems.push(`"${path}" has ${times} outcomes`)
  }
  for (const { step_id: id, state, output } of steps) {
    if (!isExpected(expected[id], state, output)) {
      problems.push(`"${id}" is ${state} with ${JSON.stringify(output)}`)
    }
  }
  return problems
}

function isExpected(wanted: ExpectedStep | undefined, state: string, output: unknown): boolean {
  if (wanted?.state !== state) return false
  if ('output' in wanted) return isDeepStrictEqual(wanted.output, output)
  return Object.entries(wanted.contains ?? {}).every(
    ([key, value]) =>
      typeof output === 'object' && output !== null && isDeepStrictEqual(Reflect.get(output, key), value),
  )
}
