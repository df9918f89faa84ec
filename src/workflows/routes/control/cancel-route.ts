import { Type } from 'typebox'
import { access, cancelExecution, describeCancelled, readRate, schemas } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../interface.ts'
import type { ControlRoutesOptions } from './control-routes.ts'

const CancelledExecution = Type.Object(schemas.cancelledFields, {
  description: 'What it had made, and what became of the rest.',
})

/** Ending executions. */
export function addCancelRoute(routes: HttpServer, { engine }: ControlRoutesOptions): void {
  routes.post(
    `${workflowsPrefix}/executions/:execution_id/cancel`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'cancelExecution',
        summary: 'Cancel an execution',
        description:
          'Calls to models and other APIs are stopped, and what they cost until then is settled. The answer comes when that is done: 200. A worker that takes longer than ten seconds is not waited for: 202.',
        params: schemas.executionParams,
        body: schemas.cancelRequest(
          'Takes the execution away from a worker that does not answer within two seconds. What its calls cost is not known then, and counts in full. Default: false.',
        ),
        response: { 200: CancelledExecution, 202: CancelledExecution },
      },
    },
    async ({ params, body, principal }, reply) => {
      const { reason, force = false, cleanup = false } = body ?? {}
      const id = params.execution_id
      const cancelled = await cancelExecution({ engine, principal, id, reason, force, cleanup })
      return reply
        .code(cancelled.isOver ? 200 : 202)
        .send(describeCancelled(cancelled, { cleanup, omitsRemovedOutputs: false }))
    },
  )
}
