import { Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { createReachOf, expect, findExecution, seesExecutions } from '#runs'
import { orchestraPrefix } from '../interface.ts'
import type { OrchestraOptions } from '../route-options.ts'
import { describeStatus } from './describe-status.ts'
import { ExecutionStatus } from './status-answer.ts'

/** The path of everything about one execution. */
export const executionId = Type.Object({
  execution_id: Type.String({
    maxLength: 200,
    description: 'As it was answered when the execution was started.',
  }),
})

export function addStatusRoute(routes: HttpServer, options: OrchestraOptions): void {
  const { engine } = options
  const reachOf = createReachOf(options)
  routes.get(
    `${orchestraPrefix}/workflow-status/:execution_id`,
    {
      config: { access: seesExecutions },
      schema: {
        operationId: 'readWorkflowStatus',
        summary: 'See how an execution goes',
        params: executionId,
        response: { 200: ExecutionStatus },
      },
    },
    async ({ principal, params }, reply) => {
      const record = await findExecution(engine, principal, params.execution_id)
      const now = new Date()
      const [expected, reach] = await Promise.all([expect(engine, record, now), reachOf(record)])
      return reply.header('cache-control', 'no-store').send(describeStatus(record, expected, reach, now))
    },
  )
}
