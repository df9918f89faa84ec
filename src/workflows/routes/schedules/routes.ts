import { Type } from 'typebox'
import { access, managesAll, readRate, requireAccount } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, type Principal, pageQuery } from '#kernel/http'
import type { WorkflowsOptions } from '../../route-options.ts'
import {
  describeRuns,
  describeSchedule,
  describeSchedules,
  findSchedule,
  nextShown,
  scheduleParams,
  schedulesPath,
} from './describe.ts'
import { addSaveRoutes } from './save-routes.ts'
import { PreviewBody, ScheduleList, SchedulePreview, ScheduleResponse, StartedRun } from './schemas.ts'

export type ScheduleRoutesOptions = Pick<WorkflowsOptions, 'engine' | 'tiers' | 'idempotency'>

/** Routes of schedules. */
export function addScheduleRoutes(routes: HttpServer, options: ScheduleRoutesOptions): void {
  addReadRoutes(routes, options)
  addSaveRoutes(routes, options)
  addRunRoute(routes, options)
}

/** Runs a schedule now. */
function addRunRoute(routes: HttpServer, { engine, tiers, idempotency }: ScheduleRoutesOptions): void {
  routes.post(
    `${schedulesPath}/:id/run`,
    {
      config: { access: access.seesExecutions, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'runSchedule',
        summary: 'Run a schedule now',
        description:
          'Starts an execution now, even if the schedule is disabled or an execution is running. The next runs do not change.',
        params: scheduleParams,
        response: { 202: StartedRun },
      },
    },
    async (request, reply) => {
      const schedule = await findSchedule(engine, request.principal, request.params.id)
      const executionId = idempotency.workIdOf(request)
      await engine.schedules.run(schedule, executionId)
      const execution = await engine.executions.read(executionId)
      return reply.code(202).send({
        success: true,
        schedule_id: schedule.id,
        execution_id: executionId,
        status: execution?.status ?? 'queued',
      })
    },
  )
}

/** Lists schedules and reads their next times. */
function addReadRoutes(routes: HttpServer, { engine }: ScheduleRoutesOptions): void {
  const { schedules } = engine
  const config = { access: access.seesExecutions, ratePolicy: readRate }

  routes.get(
    schedulesPath,
    {
      config,
      schema: {
        operationId: 'listSchedules',
        summary: 'List schedules',
        description:
          'Lists your own schedules; with `manage workflows` the schedules of all accounts or of one `account`. The oldest come first.',
        querystring: Type.Object(
          {
            flow_id: Type.Optional(Type.String({ maxLength: 200 })),
            enabled: Type.Optional(Type.Boolean()),
            account: Type.Optional(
              Type.String({
                format: 'uuid',
                description: 'The account. Other accounts require `manage workflows`.',
              }),
            ),
            ...pageQuery,
          },
          { additionalProperties: false },
        ),
        response: { 200: ScheduleList },
      },
    },
    async ({ principal, query }, reply) => {
      const { schedules: found, total } = await schedules.list({
        accountId: whoseSchedules(principal, query.account),
        flowId: query.flow_id,
        enabled: query.enabled,
        limit: query.limit,
        offset: offsetOf(query),
      })
      return reply
        .header('cache-control', 'no-store')
        .send({ schedules: await describeSchedules(engine, found), total })
    },
  )

  routes.get(
    `${schedulesPath}/:id`,
    {
      config,
      schema: {
        operationId: 'getSchedule',
        summary: 'Get a schedule',
        description: 'Includes the next runs and the outcomes of the last runs.',
        params: scheduleParams,
        response: { 200: ScheduleResponse },
      },
    },
    async ({ principal, params }, reply) => {
      const schedule = await findSchedule(engine, principal, params.id)
      return reply.header('cache-control', 'no-store').send(await describeSchedule(engine, schedule))
    },
  )

  routes.post(
    `${schedulesPath}/preview`,
    {
      config,
      schema: {
        operationId: 'previewSchedule',
        summary: 'Preview a schedule',
        description:
          'Lists the next runs of a cron expression in a time zone. When clocks go forward, a run in the skipped hour is moved right after it; when they go back, a run happens once.',
        body: PreviewBody,
        response: { 200: SchedulePreview },
      },
    },
    async ({ body }) => {
      const { cron, timezone = 'UTC', count = nextShown } = body
      const timing = { cron, timezone, startsAt: dateOf(body.starts_at), endsAt: dateOf(body.ends_at) }
      return { cron, timezone, next_runs: describeRuns(schedules.preview(timing, count), timezone) }
    },
  )
}

/** Null: all accounts. */
function whoseSchedules(principal: Principal, account: string | undefined): string | null {
  if (managesAll(principal)) return account ?? null
  if (account === undefined || account.toLowerCase() === principal.id) return requireAccount(principal)
  throw kernelFailure('permission_denied', {
    message: 'You need the permission "manage workflows" to see schedules of others.',
    details: { permission: ['manage workflows'] },
  })
}

function dateOf(seconds: number | null | undefined): Date | null {
  return typeof seconds === 'number' ? new Date(seconds * 1000) : null
}
