import { Type } from 'typebox'
import type { AgentDecision, Engine, ExecutionEvent } from '#engine'
import {
  access,
  createStatusOf,
  findExecution,
  invalidField,
  readRate,
  responses,
  schemas,
  units,
} from '#executions-api'
import { type HttpServer, type StreamMessage, sendEventStream } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { describeLogLine } from '../../responses/logs.ts'
import { describeStatus } from '../../responses/status.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { LogLinePart, logLevels } from '../../schemas/parts.ts'
import { StatusBody } from '../../schemas/status.ts'
import { flag, integer } from '../../schemas/values.ts'

const part = (description: string) => Type.Boolean({ default: true, description })

/** The status of an execution. */
export function addStatusRoute(
  routes: HttpServer,
  options: Pick<WorkflowsOptions, 'engine' | 'notifications' | 'addressOf'>,
): void {
  const { engine } = options
  const statusOf = createStatusOf(options)
  routes.get(
    `${workflowsPrefix}/execution-status/:execution_id`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'readExecutionStatus',
        summary: 'Get the status of an execution',
        params: schemas.executionParams,
        querystring: Type.Object(
          {
            include_details: part('Whether to return the steps, the decisions and the last log entries.'),
            include_predictions: part('Whether to return predictions from past executions.'),
            include_memory: part('Whether to return the shared memory, which may be large.'),
          },
          { additionalProperties: false },
        ),
        response: { 200: StatusBody },
      },
    },
    async ({ principal, params, query }, reply) => {
      const record = await findExecution(engine, principal, params.execution_id)
      const response = describeStatus(await statusOf(record), {
        details: query.include_details,
        predictions: query.include_predictions,
        memory: query.include_memory,
      })
      return reply.header('cache-control', 'no-store').send(response)
    },
  )
}

/** The log of an execution. */
export function addLogsRoute(routes: HttpServer, { engine }: Pick<WorkflowsOptions, 'engine'>): void {
  routes.get(
    `${workflowsPrefix}/executions/:execution_id/logs`,
    {
      config: { access: access.seesExecutions, ratePolicy: readRate },
      schema: {
        operationId: 'readExecutionLogs',
        summary: 'Get the log of an execution',
        description: 'The oldest entries come first. For the next page pass `last_seq` as `after`.',
        params: schemas.executionParams,
        querystring: Type.Object(
          {
            after: Type.Integer({ minimum: 0, default: 0, description: '`last_seq` of the previous page.' }),
            level: Type.Enum([...logLevels], {
              default: 'debug',
              description: 'The lowest level to return.',
            }),
            step: Type.Optional(Type.String({ maxLength: 64, description: 'Only entries of this step.' })),
            limit: Type.Integer({
              minimum: 1,
              maximum: 1000,
              default: 200,
              description: 'Maximum number of entries.',
            }),
          },
          { additionalProperties: false },
        ),
        response: {
          200: Type.Object(
            {
              execution_id: Type.String(),
              logs: Type.Array(LogLinePart),
              total: integer('Number of matching entries on all pages.'),
              last_seq: integer('The number of the last entry on this page; `after` for an empty page.'),
              has_more: flag('Whether more entries exist.'),
            },
            { description: 'A page of the log.' },
          ),
        },
      },
    },
    async ({ principal, params, query }, reply) => {
      const { id, events } = await findExecution(engine, principal, params.execution_id)
      const least = logLevels.indexOf(query.level)
      const matching = events
        .map(describeLogLine)
        .filter(
          ({ level, step }) =>
            logLevels.indexOf(level) >= least && (query.step === undefined || step === query.step),
        )
      const after = matching.filter(({ seq }) => seq > query.after)
      const logs = after.slice(0, query.limit)
      return reply.header('cache-control', 'no-store').send({
        execution_id: id,
        logs,
        total: matching.length,
        last_seq: logs.at(-1)?.seq ?? query.after,
        has_more: after.length > logs.length,
      })
    },
  )
}

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
            Type.Integer({ minimum: 0, description: 'The id of the last received event.' }),
          ),
        }),
        response: {
          200: {
            description: 'An event stream that ends with the execution.',
            content: { 'text/event-stream': { schema: Type.String() } },
          },
          204: Type.Null({
            description: 'The execution has finished and the last event was received: do not reconnect.',
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
 * Maps the events of an execution to stream messages. Numbered events have their number as id, so that a reader that
 * reconnects misses and repeats none; pieces of text and gaps have no id. The last message is always `execution_completed`
 * with the outcome in `status`, so that a reader waits for one message only. An end that was recovered later is sent as
 * `execution_ended`.
 */
export async function* toMessages(
  executionId: string,
  events: AsyncIterable<FollowedEvent>,
): AsyncGenerator<StreamMessage> {
  let end: ExecutionEvent | undefined
  for await (const event of events) {
    // Late text is sent before the end.
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
