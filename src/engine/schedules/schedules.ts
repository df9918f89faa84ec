import { randomUUIDv7 } from 'node:crypto'
import type { Database } from '#kernel/database'
import { kernelFailure, type Problem } from '#kernel/errors'
import { type AnyQueueRegistration, serveQueue } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import { describeCronProblem, describeTimezoneProblem } from './cron.ts'
import { nextTime, nextTimes, type Timing } from './next-times.ts'
import { createRunDue } from './run-due.ts'
import { type Schedule, type ScheduleRow, scheduleQueue, toSchedule } from './schedule.ts'
import { describeStanding, type Standing } from './standing.ts'
import { createStartScheduled, requireFlow, type ScheduledExecution } from './start-scheduled.ts'
import {
  deleteSchedule,
  insertSchedule,
  listSchedules,
  lockSchedule,
  readSchedule,
  type ScheduleFilter,
  type ScheduleValues,
  updateSchedule,
} from './store.ts'

/** What whoever makes a schedule says about it. */
export interface ScheduleWish
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

/** Flows that run by the clock. */
export interface Schedules {
  /** For the worker of this process. */
  readonly queue: AnyQueueRegistration
  create(
    wish: ScheduleWish,
    who: {
      /** Of the schedule; one that is there with this id is answered, and no second one made. */
      readonly id?: string | undefined
      readonly accountId: string
      readonly createdBy: string
    },
  ): Promise<Schedule>
  read(id: string): Promise<Schedule | undefined>
  list(filter: ScheduleFilter): Promise<{ readonly schedules: Schedule[]; readonly total: number }>
  /** Undefined when there is no such schedule. */
  change(id: string, change: Partial<ScheduleWish>): Promise<Schedule | undefined>
  /** False when there was none. Executions it started go on. */
  remove(id: string): Promise<boolean>
  /** Starts an execution of this id now, whatever the clock says and whatever runs. */
  run(schedule: Schedule, executionId: string): Promise<void>
  /** The times a schedule waits for, the next first; none when it is off or over. */
  nextOf(schedule: Schedule, most: number): Date[]
  /** The next times; throws when expression or time zone are wrong. */
  preview(timing: Timing, most: number): Date[]
}

export interface SchedulesOptions {
  readonly database: Database
  readonly enqueue: (execution: ScheduledExecution) => Promise<unknown>
  /** Whether an account may have flows run for it. */
  readonly standingOf: (accountId: string) => Promise<Standing>
}

const mostOfAccount = 200
/** Starting is short; the executions themselves run in a queue of their own. */
const concurrency = 10

export function createSchedules({ database, enqueue, standingOf }: SchedulesOptions): Schedules {
  const start = createStartScheduled({ database, enqueue })
  return {
    queue: serveQueue({
      queue: scheduleQueue,
      concurrency,
      handle: createRunDue({ database, start, standingOf }),
    }),

    async create(wish, { id = randomUUIDv7(), accountId, createdBy }) {
      requireTiming(wish)
      await requireFlow(database, wish.flowId, wish.flowVersion)
      const row = await database.transaction(async (transaction) => {
        const values = { ...valuesOf(wish), id, account_id: accountId, created_by: createdBy }
        const next = wish.enabled ? nextTime(wish, new Date()) : null
        const inserted = await insertSchedule(transaction, values, next, mostOfAccount)
        await scheduleQueue.wake(transaction)
        return inserted
      })
      const made = row ?? (await readSchedule(database, id))
      if (made === undefined) {
        throw engineFailure('too_many_schedules', {
          message: `An account may have ${mostOfAccount} schedules. Delete one that is no longer needed.`,
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
        const wish = { ...wishOf(before), ...change }
        requireTiming(wish)
        if (change.flowId !== undefined || change.flowVersion !== undefined)
          await requireFlow(transaction, wish.flowId, wish.flowVersion)
        const row = await updateSchedule(transaction, id, valuesOf(wish), nextOf(before, wish))
        await scheduleQueue.wake(transaction)
        return row === undefined ? undefined : toSchedule(row)
      }),

    remove: (id) => deleteSchedule(database, id),

    async run(schedule, executionId) {
      requirePermitted(await standingOf(schedule.accountId))
      const { id, flowId, flowVersion, accountId, priority, input } = schedule
      await start(
        { id, flow_id: flowId, flow_version: flowVersion, account_id: accountId, priority, input },
        executionId,
      )
    },

    nextOf(schedule, most) {
      const { nextAt } = schedule
      if (nextAt === null) return []
      if (most === 1) return [nextAt]
      const now = new Date()
      return [nextAt, ...nextTimes(schedule, nextAt > now ? nextAt : now, most - 1)]
    },

    preview(timing, most) {
      requireTiming(timing)
      return nextTimes(timing, new Date(), most)
    },
  }
}

/** What was wished of a schedule that is there. */
function wishOf(row: ScheduleRow): ScheduleWish {
  const { label, flowId, flowVersion, cron, timezone, input, priority, overlap, enabled, startsAt, endsAt } =
    toSchedule(row)
  return { label, flowId, flowVersion, cron, timezone, input, priority, overlap, enabled, startsAt, endsAt }
}

function valuesOf(wish: ScheduleWish): ScheduleValues {
  const { flowId, flowVersion, startsAt, endsAt, ...rest } = wish
  return { ...rest, flow_id: flowId, flow_version: flowVersion, starts_at: startsAt, ends_at: endsAt }
}

/** A time that waits still counts, unless it was the times themselves that changed. */
function nextOf(before: ScheduleRow & { readonly now: Date }, wish: ScheduleWish): Date | null {
  if (!wish.enabled) return null
  const known = wishOf(before)
  const isSame =
    known.cron === wish.cron &&
    known.timezone === wish.timezone &&
    known.startsAt?.getTime() === wish.startsAt?.getTime() &&
    known.endsAt?.getTime() === wish.endsAt?.getTime()
  return before.enabled && before.next_at !== null && isSame ? before.next_at : nextTime(wish, before.now)
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

function requirePermitted(standing: Standing): void {
  if (standing === 'permitted') return
  throw engineFailure('schedule_account', { message: describeStanding(standing) })
}
