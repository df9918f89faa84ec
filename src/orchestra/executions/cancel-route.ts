import { type Static, Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import { cancelExecution, seesExecutions } from '#runs'
import { orchestraPrefix } from '../interface.ts'
import type { OrchestraOptions } from '../route-options.ts'
import { flag, freeForm, integer, maybeInteger, number } from '../schemas/values.ts'
import { executionStates } from './answer.ts'
import { describeCancelled } from './describe-cancelled.ts'
import { executionId } from './status-route.ts'

const CancelBody = Type.Object(
  {
    reason: Type.Optional(
      Type.String({ maxLength: 2000, description: 'Why, for whoever looks at the execution later.' }),
    ),
    force: Type.Optional(
      Type.Boolean({
        description:
          'Takes the execution away from its worker at once. What its calls cost is not known then, and counts in full. Default: false.',
      }),
    ),
    cleanup: Type.Optional(
      Type.Boolean({
        description:
          'Removes the outputs of its steps in the commit that ends it as cancelled, also when that happens after this answer (202). `partial_results` still has those that were stored when the request came. Default: false.',
      }),
    ),
  },
  { additionalProperties: false },
)

const CancelledExecution = Type.Object({
  success: flag('It is cancelled, or will be as soon as its worker answers.'),
  execution_id: Type.String(),
  status: Type.Enum([...executionStates], {
    description: '`cancelled`; still `running` in an answer with 202.',
  }),
  cancelled_at: maybeInteger('Epoch seconds; null while its worker has not answered.'),
  steps_completed: integer('Steps that had been completed, over all items of a batch.'),
  steps_cancelled: integer(
    'Steps that will not run any more because of this, those that were stopped included.',
  ),
  partial_results: freeForm('What completed steps had made, by step; in a batch each has a list by item.'),
  cleanup_status: Type.Enum(['completed', 'removed', 'in_progress'], {
    description:
      '`completed`: calls were stopped and their costs settled. `removed`: and what steps had made is gone, as asked. `in_progress`: its worker has not answered yet.',
  }),
  refund_amount: number(
    'Dollars that were set aside for calls and came back, because they were not made or cost less.',
  ),
})

/** Ending executions. */
export function addCancelRoute(routes: HttpServer, { engine }: Pick<OrchestraOptions, 'engine'>): void {
  routes.post(
    `${orchestraPrefix}/workflow-cancel/:execution_id`,
    {
      config: { access: seesExecutions },
      schema: {
        operationId: 'cancelWorkflow',
        summary: 'Cancel an execution',
        description:
          'Calls to models and other APIs are stopped, and what they cost until then is settled. The answer comes when that is done: 200. A worker that takes longer than ten seconds is not waited for: 202.',
        params: executionId,
        // Who has nothing to say sends nothing.
        body: Type.Unsafe<Static<typeof CancelBody> | null | undefined>({ ...CancelBody, nullable: true }),
        response: { 200: CancelledExecution, 202: CancelledExecution },
      },
    },
    async ({ params, body, principal }, reply) => {
      const { reason, force = false, cleanup = false } = body ?? {}
      const id = params.execution_id
      const asked = { engine, principal, id, reason, force, forceAfterMs: 0, cleanup }
      const cancelled = await cancelExecution(asked)
      return reply.code(cancelled.isOver ? 200 : 202).send(describeCancelled({ ...cancelled, cleanup }))
    },
  )
}
