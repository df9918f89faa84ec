import { CompiledQuery, type Transaction } from 'kysely'
import { type Database, type NoTables, retryWhenUnavailable } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Claim, ColumnValues, Executor } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import { derivedExecutionId } from '../execution/derived-id.ts'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import { requireEnabled } from '../flows/flow-state.ts'
import { type Flow, readFlow } from '../flows/read-flows.ts'
import { nextTime } from './cron.ts'
import { type ScheduleError, type ScheduleRow, scheduleColumns, scheduleQueue, timingOf } from './schedule.ts'
import { recordTime } from './schedule-times.ts'

interface RunDueOptions {
  readonly database: Database
  readonly start: StartScheduled
  readonly accountStatusOf: (accountId: string) => Promise<AccountStatus>
}

/** How long a time that waits, for the previous execution or for a free place in the queue, waits before the next check. */
const checkAgainMs = 2000

/**
 * Handles a schedule that is due.
 *
 * | condition                                                      | then                                                             |
 * |----------------------------------------------------------------|------------------------------------------------------------------|
 * | it was disabled in the meantime                                | finished                                                         |
 * | its account was deleted or disabled                            | disabled with the reason, finished                               |
 * | the execution for this time exists: a worker crashed after it  | started; due at the next time                                    |
 * | the previous execution is running, and `skip`                  | skipped; due at the next time                                    |
 * | the previous execution is running, and `queue`                 | due again in two seconds, for the same time                      |
 * | the queue is full, or the account has used up its share        | due again in two seconds, for the same time                      |
 * | the flow was deleted, a permission is missing, or a limit      | failed, with the reason; due at the next time                    |
 * | otherwise                                                      | started; due at the next time                                    |
 *
 * The next time is the first time after now: times that were missed, or that passed while a due time waited, are dropped. Without a
 * next time the schedule is finished.
 */
export function createRunDue({ database, start, accountStatusOf }: RunDueOptions) {
  return async (claim: Claim<ScheduleRow>): Promise<void> => {
    const { row } = claim
    const dueAt = row.next_at
    if (!row.enabled || dueAt === null) return finish(claim)
    const status = await accountStatusOf(row.account_id)
    if (status === 'unknown' || status === 'disabled') return disable(claim, dueAt, reasonOf(status))
    const executionId = dueExecutionId(row.id, dueAt)
    const { isThere, isOpen } = await lookAtExecutions(row.id, executionId)
    if (isOpen && !isThere) {
      if (row.overlap === 'queue') return checkAgain(claim)
      return goOn(claim, { dueAt, outcome: 'skipped' })
    }
    const reason = isThere ? undefined : await tryToStart(row, executionId, status)
    if (reason === 'queue_full') return checkAgain(claim)
    await goOn(
      claim,
      reason === undefined
        ? { dueAt, outcome: 'started', executionId }
        : { dueAt, outcome: 'not_started', reason },
    )
  }

  async function tryToStart(
    row: ScheduleRow,
    executionId: string,
    status: AccountStatus,
  ): Promise<Reason | 'queue_full' | undefined> {
    if (status === 'not_permitted') return reasonOf(status)
    try {
      await start(row, executionId)
      return undefined
    } catch (error) {
      if (error instanceof Failure && error.code === 'queue_full') return 'queue_full'
      // The queue retries failures that may be transient, for the same time.
      if (!(error instanceof Failure) || error.status >= 500) throw error
      return { code: error.code, message: error.message }
    }
  }

  async function lookAtExecutions(scheduleId: string, executionId: string) {
    const [found] = await database.query<{ isThere: boolean; isOpen: boolean }>(
      `
        select exists (select 1 from engine_executions where id = $2) as "isThere",
          exists (
            select 1 from engine_executions where schedule_id = $1 and work_state <> 'finished' and id <> $2
          ) as "isOpen"
      `,
      [scheduleId, executionId],
    )
    return found ?? { isThere: false, isOpen: false }
  }

  /** Records the outcome of a time, and waits for the next. Reads the row again: it may have changed since it was claimed. */
  function goOn(claim: Claim<ScheduleRow>, time: HandledTime): Promise<void> {
    const work = () =>
      database.transaction(async (transaction) => {
        await scheduleQueue.update(transaction, claim)
        const { rows } = await transaction.executeQuery<ScheduleRow & { now: Date }>(
          CompiledQuery.raw(`select ${scheduleColumns}, now() as now from engine_schedules where id = $1`, [
            claim.key,
          ]),
        )
        const [row] = rows
        if (row === undefined) return
        const after = row.now > time.dueAt ? row.now : time.dueAt
        const next = row.enabled ? nextTime(timingOf(row), after) : null
        const set = { ...(await record(transaction, claim, time)), next_at: next }
        if (next === null) return scheduleQueue.finish(transaction, claim, set)
        const delayMs = next.getTime() - row.now.getTime()
        // Each time counts its own attempts.
        await scheduleQueue.release(transaction, claim, { delayMs, set, attempts: 0 })
      })
    return retryWhenUnavailable(work, { signal: claim.signal })
  }

  /** Records that a time started nothing, and disables the schedule. */
  function disable(claim: Claim<ScheduleRow>, dueAt: Date, reason: Reason): Promise<void> {
    const work = () =>
      database.transaction(async (transaction) => {
        // Checks the claim before anything is written.
        await scheduleQueue.update(transaction, claim)
        const set = await record(transaction, claim, { dueAt, outcome: 'not_started', reason })
        await scheduleQueue.finish(transaction, claim, { ...set, enabled: false, next_at: null })
      })
    return retryWhenUnavailable(work, { signal: claim.signal })
  }

  function finish(claim: Claim<ScheduleRow>): Promise<void> {
    return retryWhenUnavailable(() => scheduleQueue.finish(database, claim, { next_at: null }), {
      signal: claim.signal,
    })
  }

  /** Waiting is no attempt to start. */
  function checkAgain(claim: Claim<ScheduleRow>): Promise<void> {
    const release = { delayMs: checkAgainMs, attempts: claim.attempt - 1 }
    return retryWhenUnavailable(() => scheduleQueue.release(database, claim, release), {
      signal: claim.signal,
    })
  }
}

type Reason = Pick<ScheduleError, 'code' | 'message'>

function reasonOf(status: Exclude<AccountStatus, 'permitted'>): Reason {
  return { code: codeOf[status], message: describeAccountStatus(status) }
}

const codeOf = {
  unknown: 'account_deleted',
  disabled: 'account_disabled',
  not_permitted: 'permission_denied',
} as const

/** A due time, and what was done. */
type HandledTime =
  | { readonly dueAt: Date; readonly outcome: 'started'; readonly executionId: string }
  | { readonly dueAt: Date; readonly outcome: 'skipped' }
  | { readonly dueAt: Date; readonly outcome: 'not_started'; readonly reason: Reason }

/** Records a time among the last times of its schedule, and returns the columns of the schedule that change with it. */
async function record(
  transaction: Transaction<NoTables>,
  { row, attempt }: Claim<ScheduleRow>,
  time: HandledTime,
): Promise<ColumnValues> {
  const { dueAt, outcome } = time
  const executionId = outcome === 'started' ? time.executionId : null
  const error = outcome === 'not_started' ? { ...time.reason, at: new Date().toISOString() } : null
  await recordTime(transaction, { scheduleId: row.id, dueAt, outcome, executionId, error, tries: attempt })
  if (outcome === 'skipped')
    return { last_at: dueAt, last_outcome: 'skipped', times_skipped: row.times_skipped + 1 }
  if (outcome === 'not_started')
    return { last_at: dueAt, last_outcome: 'failed', last_error: error, times_failed: row.times_failed + 1 }
  return {
    last_at: dueAt,
    last_outcome: 'started',
    last_execution_id: executionId,
    last_error: null,
    times_started: row.times_started + 1,
  }
}

/**
 * The id of the execution that a schedule starts for one of its times. It is deterministic, so a second start after a crash finds the
 * first one.
 */
export function dueExecutionId(scheduleId: string, dueAt: Date): string {
  return derivedExecutionId(dueAt, `${scheduleId} ${dueAt.getTime()}`)
}

/** Whether an account may run flows: it does not exist, is disabled, lacks the permission, or may. */
export type AccountStatus = 'unknown' | 'disabled' | 'not_permitted' | 'permitted'

/** Why the account of a schedule may not run flows. */
export function describeAccountStatus(status: Exclude<AccountStatus, 'permitted'>): string {
  if (status === 'unknown') return 'The account of this schedule was deleted.'
  if (status === 'disabled') return 'The account of this schedule is disabled.'
  return 'The account of this schedule lacks the permission "run workflows".'
}

/** The start of an execution by a schedule. */
export interface ScheduledExecution {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  readonly input: ExecutionInput
  readonly needsApproval: boolean
  readonly scheduleId: string
}

interface StartScheduledOptions {
  readonly database: Pick<Database, 'query'>
  readonly enqueue: (execution: ScheduledExecution) => Promise<unknown>
}

/** Enqueues an execution for a schedule. An existing execution with this id is kept. Throws `flow_not_found`, `flow_disabled` and limits. */
type StartScheduled = (
  row: Pick<ScheduleRow, 'id' | 'flow_id' | 'flow_version' | 'account_id' | 'priority' | 'input'>,
  executionId: string,
) => Promise<void>

export function createStartScheduled({ database, enqueue }: StartScheduledOptions): StartScheduled {
  return async (row, executionId) => {
    const flow = await requireFlow(database, row.flow_id, row.flow_version)
    requireEnabled(flow)
    await enqueue({
      id: executionId,
      flowId: flow.flowId,
      flowVersion: flow.version,
      accountId: row.account_id,
      priority: row.priority,
      input: row.input,
      needsApproval: flow.metadata.approval_required ?? false,
      scheduleId: row.id,
    })
  }
}

/** The flow of a schedule, in the version it would run now. */
export async function requireFlow(executor: Executor, flowId: string, version: number | null): Promise<Flow> {
  const flow = await readFlow(executor, flowId, version ?? undefined)
  if (flow !== undefined) return flow
  if (version === null || (await readFlow(executor, flowId)) === undefined)
    throw engineFailure('flow_not_found', { message: `There is no flow "${flowId}".` })
  throw engineFailure('flow_not_found', {
    message: `The flow "${flowId}" has no version ${version}.`,
  })
}
