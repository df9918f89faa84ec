import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { engineFailure } from '#engine'
import type { HttpServer } from '#kernel/http'
import { findExecution, seesExecutions } from '#runs'
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
          'Removes what steps had made, once it is cancelled; this answer is the last place that has it. Default: false.',
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
  /** For a worker that took longer than its caller wanted to wait. */
  async function forgetAfterEnd(id: string, { server, log }: FastifyRequest): Promise<void> {
    try {
      for await (const _ of engine.executions.follow({ id, after: 0, signal: server.closing })) {
        // Only the end is of interest, and what is followed ends with it.
      }
      await engine.control.forgetOutputs(id)
    } catch (error) {
      log.warn({ err: error, executionId: id }, 'what a cancelled execution made could not be removed')
    }
  }

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
    async (request, reply) => {
      const { params, body, principal } = request
      const { reason = null, force = false, cleanup = false } = body ?? {}
      const before = await findExecution(engine, principal, params.execution_id)
      const { id } = before
      const outcome = await engine.executions.cancel(id, {
        by: principal.id,
        reason,
        force,
        ...(force && { waitMs: 0 }),
      })
      const after = await findExecution(engine, principal, id)
      if (outcome === undefined || outcome === 'over') {
        throw engineFailure('execution_not_running', {
          message: `The execution is ${after.status} already.`,
          details: { execution_id: id, status: after.status },
        })
      }
      const isOver = outcome === 'cancelled'
      if (cleanup && isOver) await engine.control.forgetOutputs(id)
      else if (cleanup) void forgetAfterEnd(id, request)
      return reply.code(isOver ? 200 : 202).send(describeCancelled({ before, after, cleanup }))
    },
  )
}
