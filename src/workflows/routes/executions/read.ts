import { Type } from 'typebox'
import {
  access,
  createReachOf,
  createStatusOf,
  estimates,
  findWithTexts,
  readRate,
  recoveryOf,
  responses,
  schemas,
} from '#executions-api'
import { createResponseTexts, type HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { describeCompleted } from '../../responses/completed.ts'
import { describeStatus } from '../../responses/status.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { CompletedBody } from '../../schemas/completed.ts'
import { StatusBody } from '../../schemas/status.ts'

const everything = { details: true, predictions: true, memory: true }

/** An execution: complete once it has finished, with its progress until then. */
export function addReadRoute(
  routes: HttpServer,
  options: Pick<WorkflowsOptions, 'engine' | 'notifications' | 'addressOf'>,
): void {
  const { engine } = options
  const reachOf = createReachOf(options)
  const statusOf = createStatusOf(options)
  routes.get(
    `${workflowsPrefix}/executions/:execution_id`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'readExecution',
        summary: 'Get an execution',
        description: 'A finished execution as in the response of `POST /execute-flow`, else its status.',
        params: schemas.executionParams,
        response: { 200: Type.Union([CompletedBody, StatusBody], { description: 'The execution.' }) },
      },
    },
    async ({ principal, params }, reply) => {
      const texts = createResponseTexts()
      const found = await findWithTexts(engine, principal, params.execution_id)
      const record = responses.markOutputs(found, texts)
      reply.header('cache-control', 'no-store')
      if (record.finishedAt === null) {
        return texts.send(reply, describeStatus(await statusOf(record), everything))
      }
      const body = describeCompleted(record, await reachOf(record), new Date())
      if (body.error === null) return texts.send(reply, body)
      const recovery_options = recoveryOf(record, await estimates.estimateFor(engine, record))
      return texts.send(reply, { ...body, error: { ...body.error, recovery_options } })
    },
  )
}
