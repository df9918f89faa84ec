import type { Engine, ExecutionInput } from '#engine'
import { access, readRate, requireAccount } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { readExecuteFlow } from '../../start/read-request.ts'
import {
  describeSchedule,
  findSchedule,
  noSuchSchedule,
  type Schedule,
  scheduleParams,
  schedulesPath,
} from './describe.ts'
import type { ScheduleRoutesOptions } from './routes.ts'
import { DeletedSchedule, NewSchedule, SavedSchedule, ScheduleChange } from './schemas.ts'

type ScheduleOptions = Parameters<Engine['schedules']['create']>[0]

/** Creates, changes and deletes schedules. */
export function addSaveRoutes(
  routes: HttpServer,
  { engine, tiers, idempotency }: ScheduleRoutesOptions,
): void {
  const { schedules } = engine
  const config = { access: access.seesExecutions, ratePolicy: readRate }

  routes.post(
    schedulesPath,
    {
      config: { access: access.runsWorkflows, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'createSchedule',
        summary: 'Create a schedule',
        description:
          'Each run starts one execution, which counts against your budget and limits. Missed runs are replaced by one execution. An account can have 200 schedules.',
        body: NewSchedule,
        response: { 201: SavedSchedule },
      },
    },
    async (request, reply) => {
      const accountId = requireAccount(request.principal)
      const schedule = await schedules.create(readNewSchedule(request.body, new Date()), {
        id: idempotency.workIdOf(request),
        accountId,
        createdBy: accountId,
      })
      return reply
        .code(201)
        .header('location', `${schedulesPath}/${schedule.id}`)
        .send({ success: true, schedule_id: schedule.id, schedule: await describeSchedule(engine, schedule) })
    },
  )

  routes.patch(
    `${schedulesPath}/:id`,
    {
      config,
      schema: {
        operationId: 'changeSchedule',
        summary: 'Update a schedule',
        description:
          'Omitted fields stay unchanged; `context` and `options` are replaced as a whole. Enabling a schedule again does not run the missed runs.',
        params: scheduleParams,
        body: ScheduleChange,
        response: { 200: SavedSchedule },
      },
    },
    async ({ principal, params, body }) => {
      const before = await findSchedule(engine, principal, params.id)
      const schedule = await schedules.change(before.id, readScheduleChange(body, before, new Date()))
      if (schedule === undefined) throw noSuchSchedule(params.id)
      return {
        success: true as const,
        schedule_id: schedule.id,
        schedule: await describeSchedule(engine, schedule),
      }
    },
  )

  routes.delete(
    `${schedulesPath}/:id`,
    {
      config,
      schema: {
        operationId: 'deleteSchedule',
        summary: 'Delete a schedule',
        description: 'Its running executions continue.',
        params: scheduleParams,
        response: { 200: DeletedSchedule },
      },
    },
    async ({ principal, params }) => {
      const { id } = await findSchedule(engine, principal, params.id)
      if (!(await schedules.remove(id))) throw noSuchSchedule(params.id)
      return { success: true as const, schedule_id: id, status: 'deleted' as const }
    },
  )
}

function readNewSchedule(body: NewSchedule, now: Date): ScheduleOptions {
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

/** Fields that are left out stay unchanged; `context` and `options` are each replaced as a whole. */
function readScheduleChange(
  body: ScheduleChange,
  before: Pick<Schedule, 'flowId' | 'input'>,
  now: Date,
): Partial<ScheduleOptions> {
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
