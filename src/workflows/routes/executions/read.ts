import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { createReachOf, estimateFor, expect, findExecution, readRate, seesExecutions } from '#runs'
import { describeCompleted } from '../../bodies/completed.ts'
import { describeStatus } from '../../bodies/status.ts'
import { workflowsPrefix } from '../../interface.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { CompletedBody } from '../../schemas/completed-body.ts'
import { StatusBody } from '../../schemas/status-body.ts'
import { recoveryOf } from '../../start/failed-execution.ts'
import { executionId } from './execution-id.ts'

const everything = { details: true, predictions: true, memory: true }

/** An execution: all of it once it is over, and where it stands until then. */
export function addReadRoute(
  routes: HttpServer,
  options: Pick<WorkflowsOptions, 'engine' | 'notices' | 'addressOf'>,
): void {
  const { engine } = options
  const reachOf = createReachOf(options)
  routes.get(
    `${workflowsPrefix}/executions/:execution_id`,
    {
      config: { access: seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'readExecution',
        summary: 'Read an execution',
        description:
          'Once it is over, the same as the answer to `POST /execute-flow`; before, the same as its status.',
        params: executionId,
        response: { 200: Type.Union([CompletedBody, StatusBody], { description: 'The execution.' }) },
      },
    },
    async ({ principal, params }, reply) => {
      const record = await findExecution(engine, principal, params.execution_id)
      const reach = await reachOf(record)
      const now = new Date()
      reply.header('cache-control', 'no-store')
      if (record.finishedAt === null) {
        return reply.send(describeStatus(record, await expect(engine, record, now), everything, reach, now))
      }
      const body = describeCompleted(record, reach, now)
      if (body.error === null) return reply.send(body)
      const recovery_options = recoveryOf(record, await estimateFor(engine, record))
      return reply.send({ ...body, error: { ...body.error, recovery_options } })
    },
  )
}
