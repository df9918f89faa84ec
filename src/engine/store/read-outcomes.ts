import { type Executor, runStatement } from '#kernel/work'
import { unpackDetails } from '../execution/stats.ts'
import type { Choice } from '../graph/plan.ts'
import type { StepOutcome, StoredError } from './commit.ts'

interface StepRow {
  readonly step_id: string
  readonly item: number
  readonly seq: number
  readonly state: StepOutcome['state']
  readonly attempts: number
  readonly started_at: Date | null
  readonly finished_at: Date
  readonly output: unknown
  readonly choice: Choice | null
  readonly error: StoredError | null
  readonly details: Readonly<Record<string, unknown>>
  readonly spent: number | null
}

/**
 * The outputs that are read with the outcomes of an execution.
 *
 * | outputs        | of                                                                                                |
 * |----------------|---------------------------------------------------------------------------------------------------|
 * | all            | every step                                                                                        |
 * | of_open_scopes | every step that is not inside a container or scope that has ended: nothing reads those again      |
 * | of_flow        | steps of the flow itself                                                                          |
 */
type ReadOutputs = 'all' | 'of_open_scopes' | 'of_flow'

/** Whether a scope or a container around the step has ended: its own row is stored. Each row is looked up by the primary key. */
const isInEndedScope = `
  position('/' in step.step_id) > 0 and exists (
    select from engine_steps as ended
    where ended.execution_id = step.execution_id and ended.item = step.item and ended.step_id <> step.step_id
      and ended.step_id = any(array(
        select array_to_string(parts[1:n], '/') || case when n % 2 = 0 then '/$end' else '' end
        from string_to_array(step.step_id, '/') as parts, generate_series(1, cardinality(parts) - 1) as n
      ))
  )
`

const outputColumn: Readonly<Record<ReadOutputs, string>> = {
  all: 'step.output',
  of_open_scopes: `case when not (${isInEndedScope}) then step.output end`,
  of_flow: `case when position('/' in step.step_id) = 0 then step.output end`,
}

/** All outcomes of an execution, ordered by `seq`, with those inside containers. */
export async function readOutcomes(
  executor: Executor,
  id: string,
  outputs: ReadOutputs = 'all',
): Promise<StepOutcome[]> {
  const rows = await runStatement<StepRow>(
    executor,
    `
      select step_id, item, seq, state, attempts, started_at, finished_at, ${outputColumn[outputs]} as output, choice, error,
        details, spent
      from engine_outcomes as step where execution_id = $1 order by seq
    `,
    [id],
  )
  return rows.map(({ step_id: stepId, started_at: startedAt, finished_at: finishedAt, ...row }) => ({
    ...row,
    stepId,
    startedAt,
    finishedAt,
    details: unpackDetails(row.state, row.details),
  }))
}
