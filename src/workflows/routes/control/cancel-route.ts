import { Type } from 'typebox'
import type { ExecutionRecord } from '#engine'
import { cancelExecution, dollars, epochSeconds, readRate, seesExecutions } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../interface.ts'
import { executionStates, flag, freeForm, integer, maybeInteger, number } from '../../schemas/values.ts'
import { executionId } from '../executions/execution-id.ts'
import type { ControlRoutesOptions } from './control-routes.ts'
import { optionalBody } from './optional-body.ts'

const CancelBody = Type.Object(
  {
    reason: Type.Optional(
      Type.String({ maxLength: 2000, description: 'Why, for whoever looks at the execution later.' }),
    ),
    force: Type.Optional(
      Type.Boolean({
        description:
          'Takes the execution away from a worker that does not answer within two seconds. What its calls cost is not known then, and counts in full. Default: false.',
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

const CancelledBody = Type.Object(
  {
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
  },
  { description: 'What it had made, and what became of the rest.' },
)

/** Ending executions. */
export function addCancelRoute(routes: HttpServer, { engine }: ControlRoutesOptions): void {
  routes.post(
    `${workflowsPrefix}/executions/:execution_id/cancel`,
    {
      config: { access: seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'cancelExecution',
        summary: 'Cancel an execution',
        description:
          'Calls to models and other APIs are stopped, and what they cost until then is settled. The answer comes when that is done: 200. A worker that takes longer than ten seconds is not waited for: 202.',
        params: executionId,
        body: optionalBody(CancelBody),
        response: { 200: CancelledBody, 202: CancelledBody },
      },
    },
    async ({ params, body, principal }, reply) => {
      const { reason, force = false, cleanup = false } = body ?? {}
      const id = params.execution_id
      const cancelled = await cancelExecution({ engine, principal, id, reason, force, cleanup })
      return reply.code(cancelled.isOver ? 200 : 202).send(describeCancelled({ ...cancelled, cleanup }))
    },
  )
}

interface Cancelled {
  /** As it stood before. */
  readonly before: Pick<ExecutionRecord, 'spent' | 'reserved'>
  readonly after: Pick<
    ExecutionRecord,
    'id' | 'status' | 'definition' | 'input' | 'outcomes' | 'finishedAt' | 'spent'
  >
  /** Whether the outputs of its steps are removed with its end. */
  readonly cleanup: boolean
}

/** What became of an execution that was to end, with what it had made until then. */
export function describeCancelled({ before, after, cleanup }: Cancelled) {
  const { id, status, definition, input, outcomes, finishedAt, spent } = after
  const isOver = status === 'cancelled'
  const completed = outcomes.filter(({ state }) => state === 'completed')
  const lanes = Math.max(1, input.batch?.items.length ?? 1)
  return {
    success: true,
    execution_id: id,
    status,
    cancelled_at: isOver && finishedAt !== null ? epochSeconds(finishedAt) : null,
    steps_completed: completed.length,
    steps_cancelled: isOver ? definition.steps.length * lanes - outcomes.length : 0,
    partial_results: partialResults(after),
    cleanup_status: !isOver
      ? ('in_progress' as const)
      : cleanup
        ? ('removed' as const)
        : ('completed' as const),
    refund_amount: isOver ? dollars(Math.max(0, before.spent + before.reserved - spent)) : 0,
  }
}

/** By step; in a batch each has a list by item. */
function partialResults({
  outcomes,
  input,
}: Pick<ExecutionRecord, 'outcomes' | 'input'>): Record<string, unknown> {
  const completed = outcomes.filter(({ state }) => state === 'completed')
  if (input.batch === undefined) {
    return Object.fromEntries(completed.map(({ stepId, output }) => [stepId, output]))
  }
  const items = input.batch.items.length
  return Object.fromEntries(
    [...Map.groupBy(completed, ({ stepId }) => stepId)].map(([stepId, made]) => {
      const byItem = new Map(made.map(({ item, output }) => [item, output]))
      return [stepId, Array.from({ length: items }, (_, item) => byItem.get(item) ?? null)]
    }),
  )
}
