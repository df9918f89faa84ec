import { type Static, Type } from 'typebox'
import { type Engine, type ExecutionInput, engineFailure, type ScheduleTime } from '#engine'
import { managesAll, units } from '#executions-api'
import type { Principal } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { executionStates } from '../../schemas/values.ts'
import type { ScheduleResponse } from './schemas.ts'

export type Schedule = NonNullable<Awaited<ReturnType<Engine['schedules']['read']>>>

/** The number of next start times in a response. */
export const nextShown = 5

/** The number of last runs in an entry of a list. */
const recentInLists = 12

/** Schedules as entries of a list: one next time, and few last runs. */
export async function describeSchedules(
  engine: Pick<Engine, 'schedules'>,
  schedules: readonly Schedule[],
): Promise<Static<typeof ScheduleResponse>[]> {
  const times = await engine.schedules.lastTimes(schedules.map(({ id }) => id))
  return schedules.map((schedule) => {
    const entry = describe(engine, schedule, times.get(schedule.id) ?? [], 1)
    return { ...entry, recent: entry.recent.slice(0, recentInLists) }
  })
}

/** A schedule with its next times and its last runs. */
export async function describeSchedule(
  engine: Pick<Engine, 'schedules'>,
  schedule: Schedule,
): Promise<Static<typeof ScheduleResponse>> {
  const times = await engine.schedules.lastTimes([schedule.id])
  return describe(engine, schedule, times.get(schedule.id) ?? [], nextShown)
}

function describe(
  { schedules }: Pick<Engine, 'schedules'>,
  schedule: Schedule,
  times: readonly ScheduleTime[],
  maxRuns: number,
): Static<typeof ScheduleResponse> {
  const { last, nextAt, enabled, timezone } = schedule
  return {
    schedule_id: schedule.id,
    label: schedule.label,
    flow_id: schedule.flowId,
    flow_version: schedule.flowVersion,
    account_id: schedule.accountId,
    created_by: schedule.createdBy,
    cron: schedule.cron,
    timezone,
    context: contextOf(schedule.input),
    options: optionsOf(schedule.input),
    priority: schedule.priority,
    overlap: schedule.overlap,
    enabled,
    status: !enabled ? 'paused' : nextAt === null ? 'ended' : 'active',
    starts_at: maybeSeconds(schedule.startsAt),
    ends_at: maybeSeconds(schedule.endsAt),
    next_run_at: maybeSeconds(nextAt),
    next_runs: describeRuns(schedules.nextOf(schedule, maxRuns), timezone),
    last_run: describeLastRun(schedule, times),
    recent: times.map(describeTime),
    runs: countRuns(times),
    last_execution_id: last.executionId,
    last_error:
      last.error === null
        ? null
        : {
            code: last.error.code.toUpperCase(),
            message: last.error.message,
            occurred_at: units.epochSeconds(new Date(last.error.at)),
          },
    counts: schedule.counts,
    created_at: units.epochSeconds(schedule.createdAt),
    updated_at: units.epochSeconds(schedule.updatedAt),
  }
}

function describeLastRun({ last }: Schedule, times: readonly ScheduleTime[]) {
  const { at, outcome } = last
  if (at === null || outcome === null) return null
  const time = times.find(({ dueAt, kind }) => kind === 'scheduled' && dueAt.getTime() === at.getTime())
  const status = executionStates.find((state) => state === time?.outcome) ?? null
  return {
    due_at: units.epochSeconds(at),
    outcome,
    execution_id: time?.executionId ?? null,
    execution_status: status,
    execution_error: status === null ? null : (time?.error ?? null),
    duration: units.seconds(time?.durationMs ?? null),
  }
}

function describeTime({ dueAt, kind, outcome, executionId, durationMs, tries, error }: ScheduleTime) {
  return {
    due_at: units.epochSeconds(dueAt),
    kind,
    outcome,
    execution_id: executionId,
    duration: units.seconds(durationMs),
    tries,
    // Executions store their codes as the API writes them.
    error: error === null ? null : { code: error.code.toUpperCase(), message: error.message },
  }
}

/** A run that was started or skipped had one attempt that succeeded. */
function countRuns(times: readonly ScheduleTime[]) {
  const count = (...outcomes: ReadonlyArray<ScheduleTime['outcome']>) =>
    times.filter(({ outcome }) => outcomes.includes(outcome)).length
  return {
    completed: count('completed'),
    failed: count('failed'),
    cancelled: count('cancelled'),
    running: count('queued', 'running'),
    skipped: count('skipped'),
    not_started: count('not_started'),
    failed_tries: times.reduce(
      (sum, { outcome, tries }) => sum + (outcome === 'not_started' ? tries : tries - 1),
      0,
    ),
  }
}

export function describeRuns(times: readonly Date[], timezone: string) {
  return times.map((time) => ({ run_at: units.epochSeconds(time), local_time: localTime(time, timezone) }))
}

/** The context as the caller sent it, including a batch. */
function contextOf({ context, batch }: ExecutionInput): Readonly<Record<string, unknown>> {
  if (batch === undefined) return context
  const { items, size, parallel } = batch
  return {
    ...context,
    content_batch: items,
    processing_rules: { batch_size: size, parallel_processing: parallel },
  }
}

function optionsOf({ options, callbacks }: ExecutionInput): Readonly<Record<string, unknown>> {
  return callbacks === undefined ? options : { ...options, notifications: callbacks }
}

function maybeSeconds(moment: Date | null): number | null {
  return units.epochSeconds(moment)
}

/** A time in the clock of a time zone, with the offset at that time: `2026-03-29T03:00:00+02:00`. */
export function localTime(moment: Date, timezone: string): string {
  const parts = new Intl.DateTimeFormat('en-GB', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'longOffset',
  }).formatToParts(moment)
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.find((it) => it.type === type)?.value ?? ''
  const offset = part('timeZoneName').replace('GMT', '')
  const date = [part('year').padStart(4, '0'), part('month'), part('day')].join('-')
  return `${date}T${part('hour')}:${part('minute')}:${part('second')}${offset === '' ? '+00:00' : offset}`
}

export const schedulesPath = `${workflowsPrefix}/schedules`

/** The path of a schedule. */
export const scheduleParams = Type.Object({
  id: Type.String({ maxLength: 200, description: 'The id of the schedule.' }),
})

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Reads a schedule that the caller may see. Throws `schedule_not_found` for every other id. */
export async function findSchedule(
  { schedules }: Pick<Engine, 'schedules'>,
  principal: Pick<Principal, 'id' | 'permissions'>,
  id: string,
): Promise<Schedule> {
  const schedule = uuid.test(id) ? await schedules.read(id) : undefined
  if (schedule !== undefined && (schedule.accountId === principal.id || managesAll(principal)))
    return schedule
  throw noSuchSchedule(id)
}

export function noSuchSchedule(id: string) {
  return engineFailure('schedule_not_found', {
    message: 'There is no schedule with this id, or it is not yours.',
    details: { schedule_id: id },
  })
}
