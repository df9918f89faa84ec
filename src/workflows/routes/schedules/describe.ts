import { type Static, Type } from 'typebox'
import { type Engine, type ExecutionInput, engineFailure } from '#engine'
import { managesAll, units } from '#executions-api'
import type { Principal } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { ScheduleResponse } from './schemas.ts'

export type Schedule = NonNullable<Awaited<ReturnType<Engine['schedules']['read']>>>

/** The number of next start times in a response. */
export const nextShown = 5

/** A schedule with its next times. */
export function describeSchedule(
  { schedules }: Pick<Engine, 'schedules'>,
  schedule: Schedule,
  maxRuns = nextShown,
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
    last_run:
      last.at === null || last.outcome === null
        ? null
        : { due_at: units.epochSeconds(last.at), outcome: last.outcome },
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
