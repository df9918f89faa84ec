import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import { type ExecutionRecord, FlowDefinition, type HistoryResult, rulesOf } from '#engine'
import {
  access,
  baseUrlOf,
  type Callback,
  createReachOf,
  createStarter,
  describeCallback,
  describeGate,
  describeSuspension,
  describeWaitedFailure,
  describeWarnings,
  estimates,
  executionFailure,
  GatePart,
  type Reach,
  recoveryOf,
  requireAccount,
  responses,
  type Started,
  SuspensionPart,
  units,
} from '#executions-api'
import type { Failure } from '#kernel/errors'
import { createResponseTexts, createValueCheck, type HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { describeCompleted } from '../../responses/completed.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { CompletedBody } from '../../schemas/completed.ts'
import { CallbackPart, QueuePart, WarningPart } from '../../schemas/parts.ts'
import { ExecuteFlowAsyncBody, ExecuteFlowBody, TryFields } from '../../schemas/requests.ts'
import {
  estimateSources,
  executionStates,
  flag,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  text,
} from '../../schemas/values.ts'
import { planCallback, readExecuteFlow, readExecuteFlowAsync } from '../../start/read-request.ts'
import { readFrame } from '../flows/requests.ts'

/** Starts executions, synchronously or through the queue. */
export function addExecuteRoutes(routes: HttpServer, options: WorkflowsOptions): void {
  const { engine, tiers, publicUrl } = options
  const starter = createStarter({ ...options, api: 'workflows', planCallback })
  const reachOf = createReachOf(options)
  const config = {
    access: access.runsWorkflows,
    ratePolicy: tiers.requestsPerHour,
    idempotent: true,
  } as const

  async function describeQueued(request: FastifyRequest, { record, callback, debounced }: Started) {
    const now = new Date()
    const [queue, reach] = await Promise.all([estimates.estimateQueued(engine, record, now), reachOf(record)])
    const baseUrl = baseUrlOf(request, publicUrl, workflowsPrefix)
    return {
      ...describeAccepted(record, { queue, baseUrl, now, callback, reach }),
      ...(debounced && { debounced }),
    }
  }

  routes.post(
    `${workflowsPrefix}/execute-flow`,
    {
      config,
      schema: {
        operationId: 'executeFlow',
        summary: 'Run a flow',
        description:
          'Waits for the result. With `options.execution_mode: asynchronous`, or if the flow requires approval, the execution is queued instead (202). The response is 202, too, once the execution only waits (for a time, an event or an answer), and when a limit in `flow_control` of the flow keeps it back for more than ten seconds. The execution continues when the caller disconnects.',
        body: ExecuteFlowBody,
        response: { 200: CompletedBody, 202: AcceptedBody },
      },
    },
    async (request, reply) => {
      const asked = readExecuteFlow(request.body, new Date())
      const started = await starter.start(request, asked, requireAccount(request.principal))
      if (!started.isOver) return reply.code(202).send(await describeQueued(request, started))
      const { record, callback } = started
      const now = new Date()
      if (record.status !== 'completed') {
        throw failureOf(record, await estimates.estimateFor(engine, record), callback, now)
      }
      const texts = createResponseTexts()
      return texts.send(reply, {
        ...describeCompleted(responses.markOutputs(record, texts), await reachOf(record), now),
        ...(callback !== undefined && { callback_info: describeCallback(callback) }),
      })
    },
  )

  routes.post(
    `${workflowsPrefix}/execute-flow-async`,
    {
      config,
      schema: {
        operationId: 'executeFlowAsync',
        summary: 'Run a flow in the background',
        description:
          'Queues an execution for one content or for a batch, whose items each run through the flow. Above the concurrency limit of the account it waits for another execution to end.',
        body: ExecuteFlowAsyncBody,
        response: { 202: AcceptedBody },
      },
    },
    async (request, reply) => {
      const asked = readExecuteFlowAsync(request.body, new Date())
      const started = await starter.start(request, asked, requireAccount(request.principal))
      return reply.code(202).send(await describeQueued(request, started))
    },
  )
}

/** The response for a queued execution. */
export const AcceptedBody = Type.Object(
  {
    success: flag('Always true: the execution is queued, or waits.'),
    execution_id: Type.String(),
    flow_id: Type.String(),
    flow_version: Type.Integer(),
    status: Type.Enum([...executionStates]),
    ...QueuePart,
    estimated_start_time: maybeInteger(
      'Epoch seconds; null while the execution waits for approval, or when unknown.',
    ),
    estimated_completion_time: maybeInteger('Epoch seconds; null without history.'),
    monitoring: Type.Object({
      status_url: text('The URL of its status.'),
      stream_url: text('The URL of its event stream.'),
      webhook_configured: flag('Whether a callback URL is set.'),
      progress_notifications: flag('Whether the callback receives progress events.'),
    }),
    execution_config: Type.Object({
      priority: Type.String(),
      estimated_cost: maybeNumber('Dollars; null without history.'),
      estimated_from: maybeText(estimateSources),
      resource_allocation: Type.Object({
        memory_reserved: number('The memory limit in megabytes.'),
        cpu_priority: text('The same as `priority`.'),
        ai_call_slots: integer('Maximum concurrent model calls.'),
      }),
    }),
    callback_info: CallbackPart,
    suspended: SuspensionPart,
    gated: GatePart,
    debounced: Type.Optional(
      flag(
        'True when `flow_control.debounce` of the flow has combined this start with an earlier one: `execution_id` is that of the earlier execution, which has the input of this request now.',
      ),
    ),
    approval: maybeText('`pending` when an approval is required; null otherwise.'),
    warnings: Type.Array(WarningPart),
    timestamp: integer('Epoch seconds.'),
  },
  { description: 'The execution is queued, or waits.' },
)

/** The failure that a waiting caller gets, with the partial results and the recovery options. */
function failureOf(
  record: ExecutionRecord,
  estimate: HistoryResult<'estimate'>,
  callback: Callback | undefined,
  now: Date,
): Failure {
  const { code, message, details, retry } = describeWaitedFailure(record, callback, now)
  return executionFailure(code, {
    message,
    details: { ...details, recovery_options: recoveryOf(record, estimate) },
    ...retry,
  })
}

interface AcceptedOptions {
  readonly queue: estimates.QueueEstimate
  /** The public URL of this server. */
  readonly baseUrl: string
  readonly now: Date
  readonly callback: Callback | undefined
  readonly reach: Reach
}

/** The response for a queued execution. */
export function describeAccepted(
  record: ExecutionRecord,
  { queue: { expected, startsAt, endsAt }, baseUrl, now, callback, reach }: AcceptedOptions,
) {
  const { id, input, definition } = record
  const rules = rulesOf(definition, input, now)
  return {
    success: true,
    execution_id: id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: record.status,
    queue_position: record.queuePosition,
    estimated_start_time: units.epochSeconds(startsAt),
    estimated_completion_time: units.epochSeconds(endsAt),
    monitoring: {
      status_url: `${baseUrl}/execution-status/${id}`,
      stream_url: `${baseUrl}/execution-stream/${id}`,
      webhook_configured: callback !== undefined,
      progress_notifications: callback?.events.includes('execution.progress') ?? false,
    },
    execution_config: {
      priority: record.priority,
      estimated_cost: units.dollars(expected.microDollars),
      estimated_from: expected.source,
      resource_allocation: {
        memory_reserved: units.megabytes(rules.maxBytes),
        cpu_priority: record.priority,
        ai_call_slots: rules.maxAiCalls,
      },
    },
    callback_info: describeCallback(callback),
    suspended: describeSuspension(record),
    gated: describeGate(record),
    approval: record.approval,
    warnings: describeWarnings(record, reach),
    timestamp: units.epochSeconds(now),
  }
}

const TryBody = Type.Object(
  { flow_definition: FlowDefinition, ...TryFields },
  { additionalProperties: false, description: 'An unsaved flow and its input.' },
)

const TryFrame = Type.Object(
  { flow_definition: Type.Object({}, { additionalProperties: true }), ...TryFields },
  { additionalProperties: false },
)

const checkFrame = createValueCheck(TryFrame)

/** Runs a flow without saving it. */
export function addTryRoute(
  routes: HttpServer,
  { engine, tiers, idempotency, publicUrl }: WorkflowsOptions,
): void {
  routes.post(
    `${workflowsPrefix}/flows/try`,
    {
      config: { access: access.managesWorkflows, ratePolicy: tiers.requestsPerHour, idempotent: true },
      // The engine validates the flow, as when it is saved.
      attachValidation: true,
      schema: {
        operationId: 'tryFlow',
        summary: 'Try a flow',
        description:
          'Queues an execution of an unsaved flow, with the checks of saving and the usual budgets. It is not counted in analytics, sends no callbacks and needs no approval.',
        body: TryBody,
        response: {
          202: Type.Object(
            {
              success: Type.Literal(true),
              execution_id: Type.String(),
              status: Type.Enum([...executionStates]),
              queue_position: maybeInteger('The position in the queue, from 1; null when it is not queued.'),
              monitoring: Type.Object({
                status_url: text('The URL of the status.'),
                stream_url: text('The URL of the event stream.'),
                trace_url: text('The URL of the trace.'),
              }),
            },
            { description: 'The execution is queued.' },
          ),
        },
      },
    },
    async (request, reply) => {
      const { flow_definition: definition, ...given } = readFrame<typeof TryFrame>(request, checkFrame)
      const accountId = requireAccount(request.principal)
      const { input, priority } = readExecuteFlowAsync({ ...given, flow_id: '' }, new Date())
      const id = idempotency.workIdOf(request)
      if ((await engine.executions.read(id)) === undefined) {
        await engine.capacity.requireQueueCapacity(accountId)
        const { flowId, version } = await engine.flows.keepDraft({ definition }, accountId)
        await engine.executions.enqueue({ id, flowId, flowVersion: version, accountId, priority, input })
      }
      const record = await engine.executions.read(id)
      const base = baseUrlOf(request, publicUrl, workflowsPrefix)
      return reply.code(202).send({
        success: true,
        execution_id: id,
        status: record?.status ?? 'queued',
        queue_position: record?.queuePosition ?? null,
        monitoring: {
          status_url: `${base}/execution-status/${id}`,
          stream_url: `${base}/execution-stream/${id}`,
          trace_url: `${base}/executions/${id}/trace`,
        },
      })
    },
  )
}
