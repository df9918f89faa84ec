import { type Claim, type Executor, runStatement } from '#kernel/work'
import type { LeasedExecution } from '../execution/leased-execution.ts'
import type { Choice } from '../graph/plan.ts'
import type { StepOutcome, StoredError } from './commit.ts'
import { type ExecutionTimes, executionMs } from './execution-time.ts'
import { unpackDetails } from './outcome-details.ts'
import { type ExecutionRow, executionQueue } from './queue.ts'

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

/** Loads the state a worker needs to run an execution. A new execution has no outcomes or events to read. */
export async function loadExecution(
  database: Executor,
  claim: Claim<ExecutionRow>,
  flow: Pick<LeasedExecution, 'definition' | 'graph'>,
): Promise<LeasedExecution> {
  const { row, workerId, fence } = claim
  const { id } = row
  const [outcomes, last] = isNew(row)
    ? [[], noEvent]
    : await Promise.all([readOutcomes(database, id), readLastEvent(database, id)])
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
    ...(await resume(database, claim, last)),
    isRunning: row.status === 'running',
    spent: row.spent + row.reserved,
    outcomes,
    lastSeq: last.seq,
  }
}

/**
 * Resumes an execution in a further lease. Earlier leases count up to their last commit: the time without a worker, or after a
 * failure, is not part of the duration.
 */
async function resume(
  database: Executor,
  claim: Claim<ExecutionRow>,
  last: LastEvent,
): Promise<Pick<LeasedExecution, 'resumedAt' | 'activeMs'>> {
  const { row } = claim
  if (row.started_at === null || row.isLocal === true) return { resumedAt: null, activeMs: 0 }
  const activeMs = executionMs(timesOf(row), last.at ?? row.started_at) ?? 0
  // Never before the last commit of earlier leases: the clock of their worker may have been ahead.
  const resumedAt = new Date(Math.max(Date.now(), row.started_at.getTime(), last.at?.getTime() ?? 0))
  await executionQueue.update(database, claim, { resumed_at: resumedAt, active_ms: activeMs })
  return { resumedAt, activeMs }
}

/** The times of an execution that has not ended. */
export function timesOf({
  status,
  started_at: startedAt,
  resumed_at: resumedAt,
  active_ms: activeMs,
}: Pick<ExecutionRow, 'status' | 'started_at' | 'resumed_at' | 'active_ms'>): ExecutionTimes {
  return { status, startedAt, resumedAt, activeMs, durationMs: null }
}

/** Only the row of the execution exists. A fork starts with reused outcomes, and the journal holds an approval. */
function isNew({ started_at: startedAt, isLocal, forked_from: forkedFrom, approval }: ExecutionRow): boolean {
  return isLocal === true || (startedAt === null && forkedFrom === null && approval === null)
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

export interface LastEvent {
  /** 0: there is no event yet. */
  readonly seq: number
  readonly at: Date | null
}

const noEvent: LastEvent = { seq: 0, at: null }

export async function readLastEvent(executor: Executor, id: string): Promise<LastEvent> {
  const [row] = await runStatement<LastEvent>(
    executor,
    `
      select first_seq + json_array_length(entries) - 1 as seq, (entries -> -1 ->> 'at')::timestamptz as at
      from engine_events where execution_id = $1 order by first_seq desc limit 1
    `,
    [id],
  )
  return row ?? noEvent
}
