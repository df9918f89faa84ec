import type { ExecutionInput, Schedule, ScheduleWish } from '#engine'
import { readExecuteFlow } from '../../start/read-request.ts'
import type { NewSchedule, ScheduleChange } from './shapes.ts'

export function readNewSchedule(body: NewSchedule, now: Date): ScheduleWish {
  const { priority, input } = readExecuteFlow({ ...inputFields(body), flow_id: body.flow_id }, now)
  return {
    label: body.label ?? null,
    flowId: body.flow_id,
    flowVersion: body.flow_version ?? null,
    cron: body.cron,
    timezone: body.timezone ?? 'UTC',
    input,
    priority: body.priority ?? priority,
    overlap: body.overlap ?? 'skip',
    enabled: body.enabled ?? true,
    startsAt: moment(body.starts_at) ?? null,
    endsAt: moment(body.ends_at) ?? null,
  }
}

/** What is not named stays as it is; `context` and `options` are each taken as a whole. */
export function readScheduleChange(
  body: ScheduleChange,
  before: Pick<Schedule, 'flowId' | 'input'>,
  now: Date,
): Partial<ScheduleWish> {
  const [startsAt, endsAt] = [moment(body.starts_at), moment(body.ends_at)]
  const changesInput = body.context !== undefined || body.options !== undefined
  const priority = body.priority ?? body.options?.priority
  return {
    ...(body.label !== undefined && { label: body.label }),
    ...(body.flow_id !== undefined && { flowId: body.flow_id }),
    ...(body.flow_version !== undefined && { flowVersion: body.flow_version }),
    ...(body.cron !== undefined && { cron: body.cron }),
    ...(body.timezone !== undefined && { timezone: body.timezone }),
    ...(changesInput && { input: changeInput(body, before, now) }),
    ...(priority !== undefined && { priority }),
    ...(body.overlap !== undefined && { overlap: body.overlap }),
    ...(body.enabled !== undefined && { enabled: body.enabled }),
    ...(startsAt !== undefined && { startsAt }),
    ...(endsAt !== undefined && { endsAt }),
  }
}

function changeInput(
  body: ScheduleChange,
  { flowId, input: before }: Pick<Schedule, 'flowId' | 'input'>,
  now: Date,
): ExecutionInput {
  const { input } = readExecuteFlow({ ...inputFields(body), flow_id: flowId }, now)
  const { context, batch, options, callbacks, memory } = input
  const [about, how] = [
    body.context === undefined ? before : { context, batch },
    body.options === undefined ? before : { options, callbacks },
  ]
  return {
    context: about.context,
    options: how.options,
    memory,
    ...(about.batch !== undefined && { batch: about.batch }),
    ...(how.callbacks !== undefined && { callbacks: how.callbacks }),
  }
}

function inputFields({ context, options }: Pick<NewSchedule, 'context' | 'options'>) {
  return { ...(context !== undefined && { context }), ...(options !== undefined && { options }) }
}

function moment(seconds: number | null | undefined): Date | null | undefined {
  return typeof seconds === 'number' ? new Date(seconds * 1000) : seconds
}
