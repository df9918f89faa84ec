import type { FastifyRequest } from 'fastify'
import { Type } from 'typebox'
import {
  access,
  baseUrlOf,
  createReachOf,
  createStarter,
  describeCallback,
  estimates,
  requireAccount,
  type Started,
} from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { describeAccepted } from '../../responses/accepted.ts'
import { describeCompleted } from '../../responses/completed.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { CompletedBody } from '../../schemas/completed.ts'
import { CallbackPart, QueuePart, WarningPart } from '../../schemas/parts.ts'
import { ExecuteFlowAsyncBody, ExecuteFlowBody } from '../../schemas/requests.ts'
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
import { planCallback } from '../../start/callback-plan.ts'
import { failureOf } from '../../start/failed-execution.ts'
import { readExecuteFlow, readExecuteFlowAsync } from '../../start/read-request.ts'

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

  async function describeQueued(request: FastifyRequest, { record, callback }: Started) {
    const now = new Date()
    const [queue, reach] = await Promise.all([estimates.estimateQueued(engine, record, now), reachOf(record)])
    const baseUrl = baseUrlOf(request, publicUrl, workflowsPrefix)
    return describeAccepted(record, { queue, baseUrl, now, callback, reach })
  }

  routes.post(
    `${workflowsPrefix}/execute-flow`,
    {
      config,
      schema: {
        operationId: 'executeFlow',
        summary: 'Run a flow',
        description:
          'Waits for the result. With `options.execution_mode: asynchronous`, or if the flow requires approval, the execution is queued instead (202). The execution continues when the caller disconnects.',
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
      return reply.send({
        ...describeCompleted(record, await reachOf(record), now),
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
    success: flag('It will run.'),
    execution_id: Type.String(),
    flow_id: Type.String(),
    flow_version: Type.Integer(),
    status: Type.Enum([...executionStates]),
    ...QueuePart,
    estimated_start_time: maybeInteger('Epoch seconds; null while it waits for approval, or when unknown.'),
    estimated_completion_time: maybeInteger('Epoch seconds; null without any history.'),
    monitoring: Type.Object({
      status_url: text('The URL of its status.'),
      stream_url: text('The URL of its event stream.'),
      webhook_configured: flag('Whether an address was named that will be called.'),
      progress_notifications: flag('Whether it will also be told of progress.'),
    }),
    execution_config: Type.Object({
      priority: Type.String(),
      estimated_cost: maybeNumber('Dollars; null without any history.'),
      estimated_from: maybeText(estimateSources),
      resource_allocation: Type.Object({
        memory_reserved: number('Megabytes it may take at most.'),
        cpu_priority: text('The same as its priority.'),
        ai_call_slots: integer('Models it may ask at once.'),
      }),
    }),
    callback_info: CallbackPart,
    approval: maybeText('pending when an approval is required.'),
    warnings: Type.Array(WarningPart),
    timestamp: integer('Epoch seconds.'),
  },
  { description: 'It waits in the queue.' },
)
