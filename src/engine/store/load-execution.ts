import type { Database } from '#kernel/database'
import type { Claim } from '#kernel/work'
import type { FlowDefinition } from '../definition/flow.ts'
import type { HeldExecution } from '../execution/run-execution.ts'
import type { Choice } from '../graph/plan.ts'
import type { StepOutcome, StoredError } from './commit.ts'
import type { ExecutionRow } from './queue.ts'

interface StepRow {
  readonly step_id: string
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
  database: Pick<Database, 'query'>,
  { row, workerId, fence }: Claim<ExecutionRow>,
  definition: FlowDefinition,
): Promise<HeldExecution> {
  const { id, account_id: accountId, input, spent, reserved, started_at: startedAt } = row
  const isNew = startedAt === null || row.adopted === true
  const [outcomes, lastSeq] = isNew
    ? [[], 0]
    : await Promise.all([readOutcomes(database, id), readLastSeq(database, id)])
  return {
    id,
    accountId,
    workerId,
    fence,
    definition,
    input,
    startedAt,
    isUnderWay: row.status === 'running',
    spent: spent + reserved,
    outcomes,
    lastSeq,
  }
}

async function readOutcomes(database: Pick<Database, 'query'>, id: string): Promise<StepOutcome[]> {
  const rows = await database.query<StepRow>(
    `
      select step_id, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent
      from engine_steps where execution_id = $1 order by seq
    `,
    [id],
  )
  return rows.map(({ step_id: stepId, started_at: startedAt, finished_at: finishedAt, ...row }) => ({
    ...row,
    stepId,
    startedAt,
    finishedAt,
  }))
}

async function readLastSeq(database: Pick<Database, 'query'>, id: string): Promise<number> {
  const [row] = await database.query<{ last: number | null }>(
    `
      select first_seq + jsonb_array_length(entries) - 1 as last
      from engine_journal where execution_id = $1 order by first_seq desc limit 1
    `,
    [id],
  )
  return row?.last ?? 0
}
