import { CompiledQuery } from 'kysely'
import { type Database, retryWhenUnavailable } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Claim, ColumnValues } from '#kernel/work'
import { dueExecutionId } from './due-execution-id.ts'
import { nextTime } from './next-times.ts'
import { type ScheduleError, type ScheduleRow, scheduleColumns, scheduleQueue, timingOf } from './schedule.ts'
import { describeStanding, type Standing } from './standing.ts'
import type { StartScheduled } from './start-scheduled.ts'

interface RunDueOptions {
  readonly database: Database
  readonly start: StartScheduled
  readonly standingOf: (accountId: string) => Promise<Standing>
}

/** How long a time that waits for the execution before waits until it looks again. */
const lookAgainMs = 2000

/**
 * Deals with a schedule whose time has come.
 *
 * | what there is                                       | then                                                             |
 * |-----------------------------------------------------|------------------------------------------------------------------|
 * | it was turned off meanwhile                         | finished                                                         |
 * | no account any more, or a disabled one              | turned off with the reason, finished                             |
 * | the execution of this time: somebody died after it  | started; due at the next time                                    |
 * | the execution before, not over, and `skip`          | skipped; due at the next time                                    |
 * | the execution before, not over, and `queue`         | due again in two seconds, for the same time                      |
 * | a flow that is gone, a missing permission, a limit  | failed, with the reason; due at the next time                    |
 * | none of these                                       | started; due at the next time                                    |
 *
 * The next time is the first one after now, so times that were missed, or passed while one waited, fall together with the one that
 * is dealt with. Without a next time the schedule is finished.
 */
export function createRunDue({ database, start, standingOf }: RunDueOptions) {
  return async (claim: Claim<ScheduleRow>): Promise<void> => {
    const { row } = claim
    const dueAt = row.next_at
    if (!row.enabled || dueAt === null) return finish(claim, { next_at: null })
    const standing = await standingOf(row.account_id)
    if (standing === 'unknown' || standing === 'disabled') {
      return finish(claim, { ...failedAt(dueAt, row, reasonOf(standing)), enabled: false, next_at: null })
    }
    const executionId = dueExecutionId(row.id, dueAt)
    const { isThere, isOpen } = await lookAtExecutions(row.id, executionId)
    if (isOpen && !isThere) {
      if (row.overlap === 'queue') return waitForBefore(claim)
      return goOn(claim, dueAt, skippedAt(dueAt, row))
    }
    const failure = isThere ? undefined : await tryToStart(row, executionId, standing)
    await goOn(
      claim,
      dueAt,
      failure === undefined ? startedAt(dueAt, row, executionId) : failedAt(dueAt, row, failure),
    )
  }

  async function tryToStart(
    row: ScheduleRow,
    executionId: string,
    standing: Standing,
  ): Promise<Reason | undefined> {
    if (standing === 'not_permitted') return reasonOf(standing)
    try {
      await start(row, executionId)
      return undefined
    } catch (error) {
      // What may go better in a moment is tried again by the queue, for the same time.
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

  /** Notes what became of a time, and waits for the next. The row is read anew: it may have been changed since it was claimed. */
  function goOn(claim: Claim<ScheduleRow>, dueAt: Date, set: ColumnValues): Promise<void> {
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
        const after = row.now > dueAt ? row.now : dueAt
        const next = row.enabled ? nextTime(timingOf(row), after) : null
        if (next === null) return scheduleQueue.finish(transaction, claim, { ...set, next_at: null })
        await scheduleQueue.release(transaction, claim, {
          delayMs: next.getTime() - row.now.getTime(),
          set: { ...set, next_at: next },
        })
      })
    return retryWhenUnavailable(work, { signal: claim.signal })
  }

  function finish(claim: Claim<ScheduleRow>, set: ColumnValues): Promise<void> {
    return retryWhenUnavailable(() => scheduleQueue.finish(database, claim, set), { signal: claim.signal })
  }

  function waitForBefore(claim: Claim<ScheduleRow>): Promise<void> {
    return retryWhenUnavailable(() => scheduleQueue.release(database, claim, { delayMs: lookAgainMs }), {
      signal: claim.signal,
    })
  }
}

type Reason = Pick<ScheduleError, 'code' | 'message'>

function reasonOf(standing: Exclude<Standing, 'permitted'>): Reason {
  return { code: codeOf[standing], message: describeStanding(standing) }
}

const codeOf = {
  unknown: 'account_deleted',
  disabled: 'account_disabled',
  not_permitted: 'permission_denied',
} as const

function startedAt(dueAt: Date, row: ScheduleRow, executionId: string): ColumnValues {
  return {
    last_at: dueAt,
    last_outcome: 'started',
    last_execution_id: executionId,
    last_error: null,
    times_started: row.times_started + 1,
  }
}

function skippedAt(dueAt: Date, row: ScheduleRow): ColumnValues {
  return { last_at: dueAt, last_outcome: 'skipped', times_skipped: row.times_skipped + 1 }
}

function failedAt(dueAt: Date, row: ScheduleRow, reason: Reason): ColumnValues {
  return {
    last_at: dueAt,
    last_outcome: 'failed',
    last_error: { ...reason, at: new Date().toISOString() },
    times_failed: row.times_failed + 1,
  }
}
