import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { createReachOf, expect, findExecution, readRate, seesExecutions } from '#runs'
import { describeStatus } from '../../bodies/status.ts'
import { workflowsPrefix } from '../../interface.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { StatusBody } from '../../schemas/status-body.ts'
import { executionId } from './execution-id.ts'

const part = (description: string) => Type.Boolean({ default: true, description })

/** Where an execution stands. */
export function addStatusRoute(
  routes: HttpServer,
  options: Pick<WorkflowsOptions, 'engine' | 'notices' | 'addressOf'>,
): void {
  const { engine } = options
  const reachOf = createReachOf(options)
  routes.get(
    `${workflowsPrefix}/execution-status/:execution_id`,
    {
      config: { access: seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'readExecutionStatus',
        summary: 'See how an execution goes',
        params: executionId,
        querystring: Type.Object(
          {
            include_details: part('Steps one by one, decisions and the last lines of the log.'),
            include_predictions: part('What is to be expected, from executions before.'),
            include_memory: part('What steps have left for others so far. It may be large.'),
          },
          { additionalProperties: false },
        ),
        response: { 200: StatusBody },
      },
    },
    async ({ principal, params, query }, reply) => {
      const record = await findExecution(engine, principal, params.execution_id)
      const reach = await reachOf(record)
      const now = new Date()
      const parts = {
        details: query.include_details,
        predictions: query.include_predictions,
        memory: query.include_memory,
      }
      const body = describeStatus(record, await expect(engine, record, now), parts, reach, now)
      return reply.header('cache-control', 'no-store').send(body)
    },
  )
}
