import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, offsetOf, type Principal, pageQuery } from '#kernel/http'
import { managesAll, readRate, requireAccount, seesExecutions } from '#runs'
import { describeRuns, describeSchedule, nextShown } from './describe.ts'
import { findSchedule, scheduleParams, schedulesPath } from './find-schedule.ts'
import type { ScheduleRoutesOptions } from './routes.ts'
import { PreviewAnswer, PreviewBody, ScheduleAnswer, ScheduleList } from './shapes.ts'

/** Schedules as they are, and when they would run. */
export function addReadRoutes(routes: HttpServer, { engine }: ScheduleRoutesOptions): void {
  const { schedules } = engine
  const config = { access: seesExecutions, ratePolicy: readRate }

  routes.get(
    schedulesPath,
    {
      config,
      schema: {
        operationId: 'listSchedules',
        summary: 'List schedules',
        description:
          'Your own; with the permission `manage workflows` those of everybody, or of one `account`. The oldest first.',
        querystring: Type.Object(
          {
            flow_id: Type.Optional(Type.String({ maxLength: 200 })),
            enabled: Type.Optional(Type.Boolean()),
            account: Type.Optional(
              Type.String({ format: 'uuid', description: 'Whose. `manage workflows` for those of others.' }),
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
        .send({ schedules: found.map((schedule) => describeSchedule(engine, schedule, 1)), total })
    },
  )

  routes.get(
    `${schedulesPath}/:id`,
    {
      config,
      schema: {
        operationId: 'getSchedule',
        summary: 'Read a schedule',
        description: 'With the times that come next, and what became of the last one.',
        params: scheduleParams,
        response: { 200: ScheduleAnswer },
      },
    },
    async ({ principal, params }, reply) => {
      const schedule = await findSchedule(engine, principal, params.id)
      return reply.header('cache-control', 'no-store').send(describeSchedule(engine, schedule))
    },
  )

  routes.post(
    `${schedulesPath}/preview`,
    {
      config,
      schema: {
        operationId: 'previewSchedule',
        summary: 'When a schedule would run',
        description:
          'The next times of an expression in a time zone. When clocks are put forward, a fixed time that does not exist comes right after; when they are put back, it comes once.',
        body: PreviewBody,
        response: { 200: PreviewAnswer },
      },
    },
    async ({ body }) => {
      const { cron, timezone = 'UTC', count = nextShown } = body
      const timing = { cron, timezone, startsAt: dateOf(body.starts_at), endsAt: dateOf(body.ends_at) }
      return { cron, timezone, next_runs: describeRuns(schedules.preview(timing, count), timezone) }
    },
  )
}

/** Null: everybody's. */
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
