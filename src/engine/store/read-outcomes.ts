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

/** Of steps of the flow itself; all others are inside containers. */
const isOfFlow = `position('/' in step.step_id) = 0`

/**
 * All outcomes of an execution, ordered by `seq`, with those inside containers: with their outputs, or only with those of steps of the
 * flow itself. Outputs in the object store are not read: `LargeOutputs` does that, outside of transactions.
 */
export async function readOutcomes(
  executor: Executor,
  id: string,
  outputs: 'all' | 'of_flow' = 'all',
): Promise<StepOutcome[]> {
  const isRead = outputs === 'all' ? 'true' : isOfFlow
  const rows = await runStatement<OutcomeRow>(
    executor,
    `
      select step_id, item, seq, state, attempts, started_at, finished_at, choice, error, details, spent,
        case when ${isRead} then output end as output, case when output_object is null then null when ${isRead} then output_object end as output_object
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
