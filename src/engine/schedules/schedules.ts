import { randomUUIDv7 } from 'node:crypto'
import type { Database } from '#kernel/database'
import { kernelFailure, type Problem } from '#kernel/errors'
import { type AnyQueueRegistration, serveQueue } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import { requireEnabled } from '../flows/flow-state.ts'
import { describeCronProblem, describeTimezoneProblem, nextTime, nextTimes, type Timing } from './cron.ts'
import {
  type AccountStatus,
  createRunDue,
  createStartScheduled,
  describeAccountStatus,
  requireFlow,
  type ScheduledExecution,
} from './run-due.ts'
import {
  deleteSchedule,
  insertSchedule,
  listSchedules,
  lockSchedule,
  readSchedule,
  type Schedule,
  type ScheduleFilter,
  type ScheduleRow,
  type ScheduleValues,
  scheduleQueue,
  toSchedule,
  updateSchedule,
} from './schedule.ts'
import { readTimes, recordManualRun, type ScheduleTime } from './schedule-times.ts'

/** The settings of a schedule. */
export interface ScheduleSettings
  extends Pick<
    Schedule,
    | 'label'
    | 'flowId'
    | 'flowVersion'
    | 'cron'
    | 'timezone'
    | 'input'
    | 'priority'
    | 'overlap'
    | 'enabled'
    | 'startsAt'
    | 'endsAt'
  > {}

/** Cron schedules of flows. */
export interface Schedules {
  /** The queue that the worker of this process serves. */
  readonly queue: AnyQueueRegistration
  create(
    settings: ScheduleSettings,
    who: {
      /** The id of the schedule. An existing schedule with this id is returned unchanged. */
      readonly id?: string | undefined
      readonly accountId: string
      readonly createdBy: string
    },
  ): Promise<Schedule>
  read(id: string): Promise<Schedule | undefined>
  list(filter: ScheduleFilter): Promise<{ readonly schedules: Schedule[]; readonly total: number }>
  /** Undefined: the schedule does not exist. Throws `invalid_input`, or `schedule_account` when its account may not run flows. */
  change(id: string, change: Partial<ScheduleSettings>): Promise<Schedule | undefined>
  /** False: the schedule does not exist. Executions it started continue. */
  remove(id: string): Promise<boolean>
  /** Starts an execution with this id now, regardless of timing and overlap. */
  run(schedule: Schedule, executionId: string): Promise<void>
  /** The last times of schedules with the outcome of their executions, newest first; at most 50 each. */
  lastTimes(ids: readonly string[]): Promise<ReadonlyMap<string, readonly ScheduleTime[]>>
  /** The next times of a schedule; none when it is disabled or finished. */
  nextOf(schedule: Schedule, most: number): Date[]
  /** The next times. Throws `invalid_input` when the expression or the time zone is invalid. */
  preview(timing: Timing, most: number): Date[]
}

export interface SchedulesOptions {
  readonly database: Database
  readonly enqueue: (execution: ScheduledExecution) => Promise<unknown>
  /** Whether an account may run flows. */
  readonly accountStatusOf: (accountId: string) => Promise<AccountStatus>
}

const maxPerAccount = 200
/** Starting is short; the executions themselves run in another queue. */
const concurrency = 10

export function createSchedules({ database, enqueue, accountStatusOf }: SchedulesOptions): Schedules {
  const start = createStartScheduled({ database, enqueue })
  return {
    queue: serveQueue({
      queue: scheduleQueue,
      concurrency,
      handle: createRunDue({ database, start, accountStatusOf }),
    }),

    async create(settings, { id = randomUUIDv7(), accountId, createdBy }) {
      requireTiming(settings)
      requireEnabled(await requireFlow(database, settings.flowId, settings.flowVersion))
      const row = await database.transaction(async (transaction) => {
        const values = { ...valuesOf(settings), id, account_id: accountId, created_by: createdBy }
        const next = settings.enabled ? nextTime(settings, database.clock.now()) : null
        const inserted = await insertSchedule(transaction, values, next, maxPerAccount)
        await scheduleQueue.wake(transaction)
        return inserted
      })
      const made = row ?? (await readSchedule(database, id))
      if (made === undefined) {
        throw engineFailure('too_many_schedules', {
          message: `An account may have ${maxPerAccount} schedules. Delete one that is no longer needed.`,
        })
      }
      return toSchedule(made)
    },

    async read(id) {
      const row = await readSchedule(database, id)
      return row === undefined ? undefined : toSchedule(row)
    },

    async list(filter) {
      const { rows, total } = await listSchedules(database, filter)
      return { schedules: rows.map(toSchedule), total }
    },

    change: (id, change) =>
      database.transaction(async (transaction) => {
        const before = await lockSchedule(transaction, id)
        if (before === undefined) return undefined
        const settings = { ...settingsOf(before), ...change }
        requireTiming(settings)
        if (change.flowId !== undefined || change.flowVersion !== undefined)
          await requireFlow(transaction, settings.flowId, settings.flowVersion)
        const row = await updateSchedule(transaction, id, valuesOf(settings), nextOf(before, settings))
        await scheduleQueue.wake(transaction)
        return row === undefined ? undefined : toSchedule(row)
      }),

    remove: (id) => deleteSchedule(database, id),

    async run(schedule, executionId) {
      requirePermitted(await accountStatusOf(schedule.accountId))
      const { id, flowId, flowVersion, accountId, priority, input } = schedule
      await start(
        { id, flow_id: flowId, flow_version: flowVersion, account_id: accountId, priority, input },
        executionId,
      )
      await recordManualRun(database, id, executionId)
    },

    lastTimes: (ids) => readTimes(database, ids),

    nextOf(schedule, most) {
      const { nextAt } = schedule
      if (nextAt === null) return []
      if (most === 1) return [nextAt]
      const now = database.clock.now()
      return [nextAt, ...nextTimes(schedule, nextAt > now ? nextAt : now, most - 1)]
    },

    preview(timing, most) {
      requireTiming(timing)
      return nextTimes(timing, database.clock.now(), most)
    },
  }
}

/** The settings of a stored schedule. */
function settingsOf(row: ScheduleRow): ScheduleSettings {
  const { label, flowId, flowVersion, cron, timezone, input, priority, overlap, enabled, startsAt, endsAt } =
    toSchedule(row)
  return { label, flowId, flowVersion, cron, timezone, input, priority, overlap, enabled, startsAt, endsAt }
}

function valuesOf(settings: ScheduleSettings): ScheduleValues {
  const { flowId, flowVersion, startsAt, endsAt, ...rest } = settings
  return { ...rest, flow_id: flowId, flow_version: flowVersion, starts_at: startsAt, ends_at: endsAt }
}

/** A waiting time stays due, unless the timing has changed. */
function nextOf(before: ScheduleRow & { readonly now: Date }, settings: ScheduleSettings): Date | null {
  if (!settings.enabled) return null
  const known = settingsOf(before)
  const isSame =
    known.cron === settings.cron &&
    known.timezone === settings.timezone &&
    known.startsAt?.getTime() === settings.startsAt?.getTime() &&
    known.endsAt?.getTime() === settings.endsAt?.getTime()
  return before.enabled && before.next_at !== null && isSame ? before.next_at : nextTime(settings, before.now)
}

function requireTiming({ cron, timezone, startsAt, endsAt }: Timing): void {
  const problems: Problem[] = []
  const add = (path: string, code: string, message: string | undefined) =>
    message === undefined ? undefined : problems.push({ path, message, code })
  add('cron', 'cron', describeCronProblem(cron))
  add('timezone', 'timezone', describeTimezoneProblem(timezone))
  if (startsAt !== null && endsAt !== null && endsAt <= startsAt)
    add('ends_at', 'window', 'must be later than starts_at')
  const [first] = problems
  if (first === undefined) return
  throw kernelFailure('invalid_input', {
    message: `${first.path}: ${first.message.replace(/[.]$/, '')}.`,
    problems,
  })
}

function requirePermitted(status: AccountStatus): void {
  if (status === 'permitted') return
  throw engineFailure('schedule_account', { message: describeAccountStatus(status) })
}
