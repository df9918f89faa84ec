import type { Static } from 'typebox'
import type { Engine, ExecutionInput, Schedule } from '#engine'
import { epochSeconds } from '#runs'
import { localTime } from './local-time.ts'
import type { ScheduleAnswer } from './shapes.ts'

/** Times that are told beforehand. */
export const nextShown = 5

/** A schedule in the words of the interface, with the times that come next. */
export function describeSchedule(
  { schedules }: Pick<Engine, 'schedules'>,
  schedule: Schedule,
  mostRuns = nextShown,
): Static<typeof ScheduleAnswer> {
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
    next_runs: describeRuns(schedules.nextOf(schedule, mostRuns), timezone),
    last_run:
      last.at === null || last.outcome === null
        ? null
        : { due_at: epochSeconds(last.at), outcome: last.outcome },
    last_execution_id: last.executionId,
    last_error:
      last.error === null
        ? null
        : {
            code: last.error.code.toUpperCase(),
            message: last.error.message,
            occurred_at: epochSeconds(new Date(last.error.at)),
          },
    counts: schedule.counts,
    created_at: epochSeconds(schedule.createdAt),
    updated_at: epochSeconds(schedule.updatedAt),
  }
}

export function describeRuns(times: readonly Date[], timezone: string) {
  return times.map((time) => ({ run_at: epochSeconds(time), local_time: localTime(time, timezone) }))
}

/** The context as it was sent: a batch stands in it. */
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
  return moment === null ? null : epochSeconds(moment)
}
