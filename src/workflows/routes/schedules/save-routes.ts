import type { HttpServer } from '#kernel/http'
import { readRate, requireAccount, runsWorkflows, seesExecutions } from '#runs'
import { describeSchedule } from './describe.ts'
import { findSchedule, noSuchSchedule, scheduleParams, schedulesPath } from './find-schedule.ts'
import { readNewSchedule, readScheduleChange } from './read-body.ts'
import type { ScheduleRoutesOptions } from './routes.ts'
import { DeletedSchedule, NewSchedule, SavedSchedule, ScheduleChange } from './shapes.ts'

/** Schedules that are made, changed and deleted. */
export function addSaveRoutes(
  routes: HttpServer,
  { engine, tiers, idempotency }: ScheduleRoutesOptions,
): void {
  const { schedules } = engine
  const config = { access: seesExecutions, ratePolicy: readRate }

  routes.post(
    schedulesPath,
    {
      config: { access: runsWorkflows, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'createSchedule',
        summary: 'Run a flow by the clock',
        description:
          'Each time starts one execution, which costs your money and counts against your limits. A time that was missed runs once, as soon as it can, however many were missed. An account can have 200 schedules.',
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
        .send({ success: true, schedule_id: schedule.id, schedule: describeSchedule(engine, schedule) })
    },
  )

  routes.patch(
    `${schedulesPath}/:id`,
    {
      config,
      schema: {
        operationId: 'changeSchedule',
        summary: 'Change a schedule',
        description:
          'What is not named stays as it is; `context` and `options` are each taken as a whole. One that is turned on again misses what was meanwhile.',
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
        schedule: describeSchedule(engine, schedule),
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
        description: 'Executions that it has started go on.',
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
