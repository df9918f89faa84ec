import { Type } from 'typebox'
import { access, createStatusOf, findExecution, readRate, schemas } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { describeStatus } from '../../responses/status.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { StatusBody } from '../../schemas/status.ts'

const part = (description: string) => Type.Boolean({ default: true, description })

/** The status of an execution. */
export function addStatusRoute(
  routes: HttpServer,
  options: Pick<WorkflowsOptions, 'engine' | 'notifications' | 'addressOf'>,
): void {
  const { engine } = options
  const statusOf = createStatusOf(options)
  routes.get(
    `${workflowsPrefix}/execution-status/:execution_id`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'readExecutionStatus',
        summary: 'Get the status of an execution',
        params: schemas.executionParams,
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
      const response = describeStatus(await statusOf(record), {
        details: query.include_details,
        predictions: query.include_predictions,
        memory: query.include_memory,
      })
      return reply.header('cache-control', 'no-store').send(response)
    },
  )
}
