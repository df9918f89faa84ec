import { Type } from 'typebox'
import { access, cancelExecution, describeCancelled, schemas } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../api.ts'
import type { OrchestraOptions } from '../route-options.ts'

const CancelledExecution = Type.Object(schemas.cancelledFields)

/** Cancels executions. */
export function addCancelRoute(routes: HttpServer, { engine }: Pick<OrchestraOptions, 'engine'>): void {
  routes.post(
    `${orchestraPrefix}/workflow-cancel/:execution_id`,
    {
      config: { access: access.seesExecutions },
      schema: {
        operationId: 'cancelWorkflow',
        summary: 'Cancel an execution',
        description:
          'Stops calls to models and other APIs and settles their cost. Responds with 200 once the execution is cancelled, or with 202 if its worker does not confirm within ten seconds.',
        params: schemas.executionParams,
        body: schemas.cancelRequest(
          'Cancels without waiting for the worker. The reserved cost of its calls is then charged in full. Default: false.',
        ),
        response: { 200: CancelledExecution, 202: CancelledExecution },
      },
    },
    async ({ params, body, principal }, reply) => {
      const { reason, force = false, cleanup = false } = body ?? {}
      const cancelled = await cancelExecution({
        engine,
        principal,
        id: params.execution_id,
        reason,
        force,
        forceAfterMs: 0,
        cleanup,
      })
      return reply
        .code(cancelled.isOver ? 200 : 202)
        .send(describeCancelled(cancelled, { cleanup, omitsRemovedOutputs: true }))
    },
  )
}
