import { Type } from 'typebox'
import { recoveryActions } from '#engine'
import type { HttpServer } from '#kernel/http'
import { findExecution, seesExecutions } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import { executionStates, flag, text } from '../../schemas/values.ts'
import { executionId } from '../executions/execution-id.ts'
import type { ControlRoutesOptions } from './control-routes.ts'

const RecoverBody = Type.Object(
  {
    action: Type.Enum([...recoveryActions], {
      description:
        '`restart_from_checkpoint` runs what failed again; `retry_with_different_provider` also leaves out the providers that failed; `continue_without_failed_step` goes on without it.',
    }),
  },
  { additionalProperties: false },
)

/** Going on after a failure. */
export function addRecoverRoute(routes: HttpServer, { engine, tiers }: ControlRoutesOptions): void {
  routes.post(
    `${workflowsPrefix}/executions/:execution_id/recover`,
    {
      config: { access: seesExecutions, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'recoverExecution',
        summary: 'Recover a failed execution',
        description:
          'Puts it back into the queue under the same id. Finished steps keep their results; its time counts anew. The error of a failed execution tells in `recovery_options` what makes sense.',
        params: executionId,
        body: RecoverBody,
        response: {
          202: Type.Object(
            {
              success: flag('It will go on.'),
              execution_id: Type.String(),
              status: Type.Enum([...executionStates]),
              action: text('What was done.'),
            },
            { description: 'It waits in the queue again.' },
          ),
        },
      },
    },
    async ({ params, body, principal }, reply) => {
      const { id } = await findExecution(engine, principal, params.execution_id)
      await engine.control.recover(id, { action: body.action, by: principal.id })
      return reply
        .code(202)
        .send({ success: true, execution_id: id, status: 'queued' as const, action: body.action })
    },
  )
}
