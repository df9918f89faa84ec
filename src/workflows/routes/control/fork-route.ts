import { Type } from 'typebox'
import { ExecutionOptions } from '#engine'
import type { HttpServer } from '#kernel/http'
import { findExecution, requireAccount, seesExecutions } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import { executionStates, flag, maybeText, text, texts } from '../../schemas/values.ts'
import { executionId } from '../executions/execution-id.ts'
import type { ControlRoutesOptions } from './control-routes.ts'

const free = (description: string) =>
  Type.Optional(
    Type.Unsafe<Readonly<Record<string, unknown>>>({
      type: 'object',
      additionalProperties: true,
      description,
    }),
  )

const ForkBody = Type.Object(
  {
    from_step: Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'This step and everything after it runs; what was settled before is taken over.',
    }),
    context: free('Fields that take the place of those the first execution was given.'),
    memory: free(
      'Keys of the shared memory that take the place of what was there. A key that a step taken over wrote has this value instead.',
    ),
    options: Type.Optional(ExecutionOptions),
  },
  { additionalProperties: false },
)

/** Trying another way from a step on. */
export function addForkRoute(routes: HttpServer, options: ControlRoutesOptions): void {
  const { engine, tiers, idempotency } = options
  routes.post(
    `${workflowsPrefix}/executions/:execution_id/fork`,
    {
      config: { access: seesExecutions, ratePolicy: tiers.requestsPerHour, idempotent: true },
      schema: {
        operationId: 'forkExecution',
        summary: 'Fork an execution from a step',
        description:
          'Makes a new execution of the same version that begins at a step of this one, with other input. What it takes over costs nothing again. It belongs to whoever forks.',
        params: executionId,
        body: ForkBody,
        response: {
          202: Type.Object(
            {
              success: flag('It will run.'),
              execution_id: text('The new execution.'),
              status: Type.Enum([...executionStates]),
              forked_from: Type.String(),
              from_step: Type.String(),
              reused_steps: texts('Steps whose outcome was taken over.'),
              approval: maybeText('`pending` when somebody has to agree first.'),
            },
            { description: 'The new execution waits in the queue.' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { params, body, principal } = request
      const source = await findExecution(engine, principal, params.execution_id)
      const { id } = await engine.control.fork(source.id, {
        id: idempotency.workIdOf(request),
        accountId: requireAccount(principal),
        fromStep: body.from_step,
        context: body.context,
        memory: body.memory,
        options: body.options,
      })
      const fork = await findExecution(engine, principal, id)
      const reused = fork.outcomes.filter(({ details }) => details['reused_from'] !== undefined)
      return reply.code(202).send({
        success: true,
        execution_id: id,
        status: fork.status,
        forked_from: source.id,
        from_step: body.from_step,
        reused_steps: [...new Set(reused.map(({ stepId }) => stepId))],
        approval: fork.approval,
      })
    },
  )
}
