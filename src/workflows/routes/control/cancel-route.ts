import { Type } from 'typebox'
import { access, cancelExecution, describeCancelled, readRate, schemas } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { ControlRoutesOptions } from './control-routes.ts'

const CancelledExecution = Type.Object(schemas.cancelledFields, {
  description: 'The cancelled execution with its partial results.',
})

/** Cancels executions. */
export function addCancelRoute(routes: HttpServer, { engine }: ControlRoutesOptions): void {
  routes.post(
    `${workflowsPrefix}/executions/:execution_id/cancel`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'cancelExecution',
        summary: 'Cancel an execution',
        description:
          'Stops calls to models and other APIs and settles their cost. Responds with 200 once the execution is cancelled, or with 202 if its worker does not confirm within ten seconds.',
        params: schemas.executionParams,
        body: schemas.cancelRequest(
          'Cancels without the worker if it does not confirm within two seconds. The reserved cost of its calls is then charged in full. Default: false.',
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
