import { type Executor, runStatement } from '#kernel/work'
import { unpackDetails } from '../execution/stats.ts'
import type { Choice } from '../graph/plan.ts'
import type { StepOutcome, StoredError } from './commit.ts'

/** A row of the view `engine_outcomes`. */
export interface OutcomeRow {
  readonly step_id: string
  readonly item: number
  readonly seq: number
  readonly state: StepOutcome['state']
  readonly attempts: number
  readonly started_at: Date | null
  readonly finished_at: Date
  readonly output: unknown
  readonly output_object: string | null
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
 * | of_open_scopes | every step that is not inside a container or scope that has ended: nothing reads those again; of |
 * |                | a loop that needs only the result of its last iteration, that one                                 |
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

/** Whether the row is the end of a scope whose result only the next scope needed, which has ended, too. */
const isSuperseded = `
  (step.details -> 'only_last') is not null and exists (
    select from engine_steps as next
    where next.execution_id = step.execution_id and next.item = step.item
      and next.step_id = regexp_replace(step.step_id, '[0-9]+/\\$end$', '')
        || substring(step.step_id from '([0-9]+)/\\$end$')::int + 1 || '/$end'
  )
`

const isRead: Readonly<Record<ReadOutputs, string>> = {
  all: 'true',
  of_open_scopes: `not (${isInEndedScope}) and not (${isSuperseded})`,
  of_flow: `position('/' in step.step_id) = 0`,
}

/**
 * All outcomes of an execution, ordered by `seq`, with those inside containers. Outputs in the object store are not read: `LargeOutputs`
 * does that, outside of transactions.
 */
export async function readOutcomes(
  executor: Executor,
  id: string,
  outputs: ReadOutputs = 'all',
): Promise<StepOutcome[]> {
  const rows = await runStatement<OutcomeRow>(
    executor,
    `
      select step_id, item, seq, state, attempts, started_at, finished_at, choice, error, details, spent,
        case when ${isRead[outputs]} then output end as output, case when output_object is null then null when ${isRead[outputs]} then output_object end as output_object
      from engine_outcomes as step where execution_id = $1 order by seq
    `,
    [id],
  )
  return rows.map(readRow)
}

/** The outcome in a row of the view `engine_outcomes`. */
export function readRow({
  step_id: stepId,
  started_at: startedAt,
  finished_at: finishedAt,
  output_object: outputObject,
  ...row
}: OutcomeRow): StepOutcome {
  return {
    ...row,
    stepId,
    startedAt,
    finishedAt,
    outputObject,
    details: unpackDetails(row.state, row.details),
  }
}
