import type { FastifyRequest } from 'fastify'
import type { ExecutionInput, ExecutionRecord } from '#engine'
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
  units,
} from '#executions-api'
import type { Failure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../api.ts'
import { orchestraFailure } from '../errors.ts'
import type { OrchestraOptions } from '../route-options.ts'
import { asWorkflowFailures } from '../workflows/failures.ts'
import { describeOrchestraWarnings } from './describe-warnings.ts'
import { ExecuteWorkflowBody } from './request.ts'
import { AcceptedExecution, CompletedExecution } from './schemas.ts'

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

  async function describeQueued(request: FastifyRequest, { record, callback }: Started) {
    const now = new Date()
    const [queue, reach] = await Promise.all([estimates.estimateQueued(engine, record, now), reachOf(record)])
    const baseUrl = baseUrlOf(request, publicUrl, orchestraPrefix)
    return describeAccepted(record, { queue, baseUrl, callback, reach, now })
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
        return reply.send(describeCompleted(record, { callback, reach: await reachOf(record), now }))
      }
      throw failureOf(record, callback, now)
    },
  )
}

/** Error codes of the engine and of this API. All other codes become EXECUTION_FAILED. */
const codeOf = {
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
