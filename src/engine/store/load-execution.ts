import { type Claim, type Executor, runStatement } from '#kernel/work'
import type { HeldExecution } from '../execution/held-execution.ts'
import type { Choice } from '../graph/plan.ts'
import type { StepOutcome, StoredError } from './commit.ts'
import { unpackDetails } from './outcome-details.ts'
import type { ExecutionRow } from './queue.ts'

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

/** Puts together what a worker needs to go on with an execution. One that has not begun has nothing to be read. */
export async function loadExecution(
  database: Executor,
  { row, workerId, fence }: Claim<ExecutionRow>,
  flow: Pick<HeldExecution, 'definition' | 'graph'>,
): Promise<HeldExecution> {
  const { id } = row
  const [outcomes, lastSeq] = isNew(row)
    ? [[], 0]
    : await Promise.all([readOutcomes(database, id), readLastSeq(database, id)])
  return {
    id,
    flowVersion: row.flow_version,
    accountId: row.account_id,
    workerId,
    fence,
    ...flow,
    priority: row.priority,
    input: row.input,
    createdAt: row.created_at,
    startedAt: row.started_at,
    timedFrom: row.timed_from,
    isUnderWay: row.status === 'running',
    spent: row.spent + row.reserved,
    outcomes,
    lastSeq,
  }
}

/** Nothing of it was ever written but its row. A fork begins with what it took over, and an approval is in its journal. */
function isNew({ started_at: startedAt, adopted, forked_from: forkedFrom, approval }: ExecutionRow): boolean {
  return adopted === true || (startedAt === null && forkedFrom === null && approval === null)
}

export async function readOutcomes(executor: Executor, id: string): Promise<StepOutcome[]> {
  const rows = await runStatement<StepRow>(
    executor,
    `
      select step_id, item, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent
      from engine_outcomes where execution_id = $1 order by seq
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

export async function readLastSeq(executor: Executor, id: string): Promise<number> {
  const [row] = await runStatement<{ last: number | null }>(
    executor,
    `
      select first_seq + json_array_length(entries) - 1 as last
      from engine_events where execution_id = $1 order by first_seq desc limit 1
    `,
    [id],
  )
  return row?.last ?? 0
}
