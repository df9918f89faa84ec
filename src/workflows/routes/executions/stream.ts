import { Type } from 'typebox'
import type { AgentDecision, Engine, ExecutionEvent } from '#engine'
import { access, findExecution, invalidField, readRate, responses, schemas, units } from '#executions-api'
import { type HttpServer, type StreamMessage, sendEventStream } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'

type FollowedEvent =
  ReturnType<Engine['executions']['follow']> extends AsyncIterable<infer Event> ? Event : never

const about = `Server-sent events, from the first or from the one after \`Last-Event-ID\`, until the execution is over.
\`step_started\`, \`step_completed\` (\`step_id, step_type, duration, tokens_used, cost, success\`), \`token\` (\`step_id, text\`: a piece of what a model says),
\`token_gap\` (\`step_id, characters\`: text of a model that this reader does not get, because it read too slowly or a connection was lost; \`null\` where the number is unknown; the whole text is in the output of the step),
\`agent_decision\`, and at the end, however it ended, \`execution_completed\` (\`execution_id, status, duration, total_cost\`). Also \`execution_started\`,
\`step_failed\`, \`step_retrying\`, \`step_skipped\`, \`item_finished\`, \`log\`, \`cost_alert\` and \`over_budget\`.`

/** Streams the events of an execution. */
export function addStreamRoute(routes: HttpServer, { engine }: Pick<WorkflowsOptions, 'engine'>): void {
  routes.get(
    `${workflowsPrefix}/execution-stream/:execution_id`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'followExecution',
        summary: 'Stream execution events',
        description: about.replaceAll('\n', ' '),
        params: schemas.executionParams,
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

/** A reader ahead of the execution would miss all events up to that number, including the end. */
function notYet(last: number) {
  return invalidField({
    path: 'last-event-id',
    message: `is ahead of this execution, whose last event is ${last}`,
    code: 'value',
  })
}

const ends: ReadonlySet<string> = new Set(['execution_completed', 'execution_failed', 'execution_cancelled'])

/**
 * Maps the events of an execution to stream messages. Numbered events have their number as id, so that a reader that reconnects
 * misses and repeats none; pieces of text and gaps have no id.
 *
 * However an execution ended, the last message is `execution_completed`, and its `status` says how: a reader has one thing to wait
 * for. An end that was not the last, because it was recovered, is told by its own name.
 */
export async function* toMessages(
  executionId: string,
  events: AsyncIterable<FollowedEvent>,
): AsyncGenerator<StreamMessage> {
  let end: ExecutionEvent | undefined
  for await (const event of events) {
    // Text may come late, and still comes before the end.
    if (!isNumbered(event)) {
      const { type, stepId, item, ...rest } = event
      yield { event: type, data: { execution_id: executionId, step_id: stepId, item, ...rest } }
      continue
    }
    if (end !== undefined) yield toMessage(executionId, end, 'execution_ended')
    end = ends.has(event.type) ? event : undefined
    if (end === undefined) yield toMessage(executionId, event, event.type)
  }
  if (end !== undefined) yield toMessage(executionId, end, 'execution_completed')
}

function isNumbered(event: FollowedEvent): event is ExecutionEvent {
  return 'seq' in event
}

function toMessage(
  executionId: string,
  { seq, at, type, data }: ExecutionEvent,
  name: string,
): StreamMessage {
  const fields =
    type === 'agent_decision'
      ? describeDecision(data)
      : { ...data, ...('cost' in data && responses.costIn(data)) }
  return {
    id: seq,
    event: name,
    data: { execution_id: executionId, ...fields, timestamp: units.epochSeconds(at) },
  }
}

function describeDecision(data: ExecutionEvent['data']) {
  const decision = data as unknown as AgentDecision & { readonly step_id: string; readonly item?: number }
  return {
    step_id: decision.step_id,
    ...(decision.item !== undefined && { item: decision.item }),
    agent: decision.agent,
    decision: decision.decision,
    confidence: units.roundedShare(decision.confidence),
    reasoning: decision.reasoning,
    context_used: decision.contextUsed,
    alternative_paths_considered: decision.alternatives,
    workflow_modifications: { steps_added: decision.stepsAdded },
  }
}
