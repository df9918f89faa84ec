import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import { type HttpServer, sendEventStream } from '#kernel/http'
import { findExecution, readRate, seesExecutions } from '#runs'
import { workflowsPrefix } from '../../interface.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { toMessages } from '../../stream/messages.ts'
import { executionId } from './execution-id.ts'

const about = `Server-sent events, from the first or from the one after \`Last-Event-ID\`, until the execution is over.
\`step_started\`, \`step_completed\` (\`step_id, step_type, duration, tokens_used, cost, success\`), \`token\` (\`step_id, text\`: a piece of what a model says),
\`token_gap\` (\`step_id, characters\`: text of a model that this reader does not get, because it read too slowly or a connection was lost; \`null\` where the number is unknown; the whole text is in the output of the step),
\`agent_decision\`, and at the end, however it ended, \`execution_completed\` (\`execution_id, status, duration, total_cost\`). Also \`execution_started\`,
\`step_failed\`, \`step_retrying\`, \`step_skipped\`, \`item_finished\`, \`log\`, \`cost_alert\` and \`over_budget\`.`

/** What happens in an execution, as it happens. */
export function addStreamRoute(routes: HttpServer, { engine }: Pick<WorkflowsOptions, 'engine'>): void {
  routes.get(
    `${workflowsPrefix}/execution-stream/:execution_id`,
    {
      config: { access: seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'followExecution',
        summary: 'Follow an execution',
        description: about.replaceAll('\n', ' '),
        params: executionId,
        headers: Type.Object({
          'last-event-id': Type.Optional(
            Type.Integer({ minimum: 0, description: 'The last event that is known.' }),
          ),
        }),
        response: {
          200: {
            description: 'A stream that ends with the execution.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
          204: Type.Null({
            description: 'It is over and its last event is known: there is no need to come again.',
          }),
        },
      },
    },
    async (request, reply) => {
      const { id, finishedAt, events } = await findExecution(
        engine,
        request.principal,
        request.params.execution_id,
      )
      const after = request.headers['last-event-id'] ?? 0
      const last = events.at(-1)?.seq ?? 0
      if (after > last) throw notYet(last)
      if (finishedAt !== null && after === last) return await reply.code(204).send(null)
      await sendEventStream(request, reply, {
        messages: (signal) => toMessages(id, engine.executions.follow({ id, after, signal })),
      })
      return reply
    },
  )
}

/** Whoever waited for what comes after it would miss everything until then, the end included. */
function notYet(last: number) {
  const path = 'last-event-id'
  const message = `is ahead of this execution, whose last event is ${last}`
  return kernelFailure('invalid_input', {
    message: `${path} ${message}.`,
    problems: [{ path, message, code: 'value' }],
  })
}
