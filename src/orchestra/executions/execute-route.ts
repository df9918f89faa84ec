import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { type ExecutionInput, type ExecutionRecord, priorities } from '#engine'
import {
  access,
  baseUrlOf,
  type Callback,
  type CallbackPlan,
  createReachOf,
  createStarter,
  describeCallback,
  describeWaitedFailure,
  estimates,
  type Reach,
  requireAccount,
  responses,
  type Started,
  type StartRequest,
  schemas,
  units,
} from '#executions-api'
import type { Failure } from '#kernel/errors'
import { createResponseTexts, type HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../api.ts'
import { orchestraFailure } from '../errors.ts'
import type { OrchestraOptions } from '../route-options.ts'
import { asWorkflowFailures } from '../workflows/find-workflow.ts'
import { AcceptedExecution, CompletedExecution, describeOrchestraWarnings } from './schemas.ts'

/** Runs workflows, synchronously or through the queue. */
export function addExecuteRoute(routes: HttpServer, options: OrchestraOptions): void {
  const { engine, publicUrl } = options
  const starter = createStarter({ ...options, api: 'orchestra', planCallback })
  const reachOf = createReachOf(options)

  async function start(request: FastifyRequest, body: ExecuteWorkflowBody): Promise<Started> {
    const accountId = requireAccount(request.principal)
    return await asWorkflowFailures(engine, body.workflow_id, () =>
      starter.start(request, readExecuteWorkflow(body), accountId),
    )
  }

  async function describeQueued(request: FastifyRequest, { record, callback, debounced }: Started) {
    const now = new Date()
    const [queue, reach] = await Promise.all([estimates.estimateQueued(engine, record, now), reachOf(record)])
    const baseUrl = baseUrlOf(request, publicUrl, orchestraPrefix)
    return {
      ...describeAccepted(record, { queue, baseUrl, callback, reach, now }),
      ...(debounced && { debounced }),
    }
  }

  routes.post(
    `${orchestraPrefix}/execute-workflow`,
    {
      config: { access: access.runsWorkflows, idempotent: true },
      schema: {
        operationId: 'executeWorkflow',
        summary: 'Run a workflow',
        description:
          'Waits for the result. With `options.async`, or if the workflow requires approval, the execution is queued instead (202). The execution continues when the caller disconnects.',
        body: ExecuteWorkflowBody,
        response: { 200: CompletedExecution, 202: AcceptedExecution },
      },
    },
    async (request, reply) => {
      const started = await start(request, request.body)
      if (!started.isOver) return reply.code(202).send(await describeQueued(request, started))
      const { record, callback } = started
      const now = new Date()
      if (record.status === 'completed') {
        const texts = createResponseTexts()
        const marked = responses.markOutputs(record, texts)
        return texts.send(reply, describeCompleted(marked, { callback, reach: await reachOf(record), now }))
      }
      throw failureOf(record, callback, now)
    },
  )
}

/** Error codes of the engine and of this API. All other codes become EXECUTION_FAILED. */
const codeOf = {
  EXPRESSION_FAILED: 'VALIDATION_ERROR',
  INVALID_STEP: 'VALIDATION_ERROR',
  MEMORY_LIMIT_EXCEEDED: 'VALIDATION_ERROR',
  EXTERNAL_API_REFUSED: 'VALIDATION_ERROR',
  PROVIDER_UNAVAILABLE: 'PROVIDER_UNAVAILABLE',
  EXECUTION_TIMEOUT: 'TIMEOUT_ERROR',
  INSUFFICIENT_CREDITS: 'RATE_LIMIT_EXCEEDED',
  EXECUTION_CANCELLED: 'EXECUTION_CANCELLED',
} as const

/** The failure that a waiting caller gets, with the partial results. */
function failureOf(record: ExecutionRecord, callback: Callback | undefined, now: Date): Failure {
  const { code: cause, message, details, retry } = describeWaitedFailure(record, callback, now)
  const code = Object.hasOwn(codeOf, cause) ? codeOf[cause as keyof typeof codeOf] : 'EXECUTION_FAILED'
  return orchestraFailure(code, {
    message,
    details: { workflow_id: record.flowId, ...details, cause },
    ...retry,
  })
}

/** Maps a request to the input of the engine. */
export function readExecuteWorkflow({
  workflow_id,
  context = {},
  options = {},
}: ExecuteWorkflowBody): StartRequest {
  const { timeout, retry_attempts, callback_url, notification_email, monitoring } = options
  const callbacks = {
    // Unlike the Workflows API, progress is sent only on request.
    ...(callback_url !== undefined && {
      webhook_url: callback_url,
      progress_callbacks: monitoring?.send_progress_updates === true,
    }),
    ...(notification_email !== undefined && { notification_email }),
  }
  return {
    flowId: workflow_id,
    flowVersion: undefined,
    priority: context.metadata?.priority ?? 'normal',
    input: {
      context,
      options: {
        ...(timeout !== undefined && { max_execution_time: timeout }),
        ...(retry_attempts !== undefined && { error_handling: { retry_attempts } }),
        ...(monitoring !== undefined && { monitoring }),
      },
      memory: {},
      ...(Object.keys(callbacks).length > 0 && { callbacks }),
    },
    waits: options.async !== true,
    webhookField: callback_url === undefined ? undefined : 'options.callback_url',
  }
}

/** The callback events of a request; undefined without a callback URL. */
export function planCallback({ callbacks }: Pick<ExecutionInput, 'callbacks'>): CallbackPlan | undefined {
  const url = callbacks?.['webhook_url']
  if (typeof url !== 'string') return undefined
  return {
    url,
    events: [
      ...(callbacks?.['progress_callbacks'] === true ? ['workflow.progress'] : []),
      'workflow.completed',
      'workflow.failed',
    ],
  }
}

/** The inputs of a response besides the execution. */
interface ResponseOptions {
  readonly callback: Callback | undefined
  readonly reach: Reach
  readonly now: Date
}

function describeCommon(record: ExecutionRecord, { callback, reach, now }: ResponseOptions) {
  return {
    success: true,
    execution_id: record.id,
    status: record.status,
    callback_info: describeCallback(callback),
    warnings: describeOrchestraWarnings(record, reach),
    timestamp: units.epochSeconds(now),
  }
}

function describeCompleted(record: ExecutionRecord, options: ResponseOptions) {
  const stats = responses.deriveStats(record, options.now)
  const { ran } = stats
  return {
    ...describeCommon(record, options),
    result: {
      workflow_id: record.flowId,
      steps_executed: ran.length,
      execution_time: units.seconds(stats.elapsedMs ?? 0),
      cost_estimate: units.dollars(record.spent),
      unpriced: stats.unpriced,
      results: responses.describeResultsByStep(record),
      step_details: ran.map(({ step, outcome, ms, tokens }) => ({
        step_id: step.id,
        agent: step.type === 'agent' ? step.agent : null,
        duration: units.seconds(ms),
        tokens_used: tokens,
        ...responses.costOf([outcome]),
        success: outcome.state === 'completed',
      })),
    },
    metrics: {
      total_tokens: stats.tokens,
      ai_calls: stats.aiCalls,
      cache_hits: stats.cacheHits,
      providers_used: [...new Set(ran.flatMap(({ details }) => details.usage.provider ?? []))],
    },
  }
}

interface Accepted extends ResponseOptions {
  readonly queue: estimates.QueueEstimate
  readonly baseUrl: string
}

function describeAccepted(record: ExecutionRecord, accepted: Accepted) {
  const { queue, baseUrl } = accepted
  return {
    ...describeCommon(record, accepted),
    result: {
      workflow_id: record.flowId,
      steps_executed: 0,
      execution_time: 0,
      cost_estimate: units.dollars(queue.expected.microDollars ?? 0),
      unpriced: false,
      results: {},
      step_details: [],
    },
    metrics: { total_tokens: 0, ai_calls: 0, cache_hits: 0, providers_used: [] },
    status_url: `${baseUrl}/workflow-status/${record.id}`,
    queue_position: record.queuePosition,
    estimated_start_time: units.epochSeconds(queue.startsAt),
    estimated_completion_time: units.epochSeconds(queue.endsAt),
    approval: record.approval,
  }
}

const flag = (description: string) => Type.Optional(Type.Boolean({ description }))
const shortText = (description: string) => Type.Optional(Type.String({ maxLength: 500, description }))
const reference = (description: string) =>
  Type.Optional(Type.Union([Type.String({ maxLength: 500 }), Type.Integer()], { description }))

const Metadata = Type.Object(
  {
    source: shortText('The source of the content, available to prompts as `{{metadata.source}}`.'),
    priority: Type.Optional(
      Type.Enum([...priorities], {
        description: 'Executions with a higher priority start sooner. Default: normal.',
      }),
    ),
    category: shortText('Available to prompts as `{{metadata.category}}`.'),
  },
  { additionalProperties: true },
)

const Context = Type.Object(
  {
    content: schemas.content('The content for the agents, available as `{{content}}`.'),
    user_id: reference('A user id of your own system, available to prompts as `{{user_id}}`.'),
    node_id: reference('A content id of your own system, available to prompts as `{{node_id}}`.'),
    metadata: Type.Optional(Metadata),
  },
  {
    additionalProperties: true,
    description: 'The data for the placeholders of the workflow. Additional fields are allowed.',
  },
)

const Monitoring = Type.Object(
  {
    enable_detailed_logging: flag('Adds debug entries to the log of the execution.'),
    track_intermediate_results: flag(
      'Whether the outputs of all steps are kept, not only the results. Default: true.',
    ),
    send_progress_updates: flag('Whether `callback_url` also receives `workflow.progress`. Default: false.'),
  },
  { additionalProperties: false },
)

const Options = Type.Object(
  {
    async: flag('Whether to queue the execution instead of waiting for it. Default: false.'),
    timeout: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 604_800,
        description: 'Timeout of the execution in seconds. Default: that of the workflow, else one hour.',
      }),
    ),
    retry_attempts: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 19,
        description:
          'Retries of steps that do not define their own. Default: those of the workflow, else none.',
      }),
    ),
    callback_url: Type.Optional(
      Type.Unsafe<string>({
        type: 'string',
        format: 'uri',
        pattern: '^https?://',
        maxLength: 2000,
        'x-means': 'must be an http or https address',
        description:
          'Receives `workflow.completed` or `workflow.failed`, signed with the secret in `callback_info`.',
      }),
    ),
    notification_email: Type.Optional(
      Type.String({
        format: 'email',
        maxLength: 320,
        description:
          'Receives an e-mail when the execution ends. If the server sends no e-mail, `warnings` says so.',
      }),
    ),
    monitoring: Type.Optional(Monitoring),
  },
  { additionalProperties: false },
)

const ExecuteWorkflowBody = Type.Object(
  {
    workflow_id: Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'A workflow id of `GET /workflows`.',
    }),
    context: Type.Optional(Context),
    options: Type.Optional(Options),
  },
  { additionalProperties: false },
)

type ExecuteWorkflowBody = Static<typeof ExecuteWorkflowBody>
