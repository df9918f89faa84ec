import { Type } from 'typebox'
import { access, cancelExecution, describeCancelled, schemas } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../interface.ts'
import type { OrchestraOptions } from '../route-options.ts'

const CancelledExecution = Type.Object(schemas.cancelledFields)

/** Ending executions. */
export function addCancelRoute(routes: HttpServer, { engine }: Pick<OrchestraOptions, 'engine'>): void {
  routes.post(
    `${orchestraPrefix}/workflow-cancel/:execution_id`,
    {
      config: { access: access.seesExecutions },
      schema: {
        operationId: 'cancelWorkflow',
        summary: 'Cancel an execution',
        description:
          'Calls to models and other APIs are stopped, and what they cost until then is settled. The answer comes when that is done: 200. A worker that takes longer than ten seconds is not waited for: 202.',
        params: schemas.executionParams,
        body: schemas.cancelRequest(
          'Takes the execution away from its worker at once. What its calls cost is not known then, and counts in full. Default: false.',
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
