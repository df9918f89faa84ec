import type { HttpServer } from '#kernel/http'
import { seesExecutions } from '#runs'
import { findSchedule, scheduleParams, schedulesPath } from './find-schedule.ts'
import type { ScheduleRoutesOptions } from './routes.ts'
import { StartedRun } from './shapes.ts'

/** Running a schedule without waiting for its time. */
export function addRunRoute(routes: HttpServer, { engine, tiers, idempotency }: ScheduleRoutesOptions): void {
  routes.post(
    `${schedulesPath}/:id/run`,
    {
      config: { access: seesExecutions, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'runSchedule',
        summary: 'Run a schedule now',
        description:
          'Starts an execution at once, whatever the clock says, whether the schedule is turned on or not and whatever runs already. Its times stay as they are.',
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
