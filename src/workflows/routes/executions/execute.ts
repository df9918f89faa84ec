import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '#kernel/http'
import {
  baseUrlOf,
  createCallbackOpener,
  createReachOf,
  createStarter,
  describeCallback,
  estimateFor,
  expect,
  requireAccount,
  runsWorkflows,
  type Started,
} from '#runs'
import { describeAccepted } from '../../bodies/accepted.ts'
import { describeCompleted } from '../../bodies/completed.ts'
import { workflowsPrefix } from '../../interface.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { AcceptedBody } from '../../schemas/accepted-body.ts'
import { CompletedBody } from '../../schemas/completed-body.ts'
import { ExecuteFlowAsyncBody, ExecuteFlowBody } from '../../schemas/requests.ts'
import { planCallback } from '../../start/callback-plan.ts'
import { failureOf } from '../../start/failed-execution.ts'
import { readExecuteFlow, readExecuteFlowAsync } from '../../start/read-request.ts'

/** Starting executions: waited for, or put into the queue. */
export function addExecuteRoutes(routes: HttpServer, options: WorkflowsOptions): void {
  const { engine, tiers, publicUrl } = options
  const starter = createStarter({
    ...options,
    planCallback,
    openCallback: createCallbackOpener({ ...options, api: 'workflows' }),
  })
  const reachOf = createReachOf(options)
  const config = { access: runsWorkflows, ratePolicy: tiers.requestsPerHour, idempotent: true } as const

  async function describeQueued(request: FastifyRequest, { record, callback }: Started) {
    const now = new Date()
    // What is next, or has begun meanwhile, waits for nobody.
    const before = (record.queuePosition ?? 1) - 1
    const [expected, { waitMs }, reach] = await Promise.all([
      expect(engine, record, now),
      before === 0 ? { waitMs: 0 } : engine.history.waitAt(before),
      reachOf(record),
    ])
    const baseUrl = baseUrlOf(request, publicUrl, workflowsPrefix)
    return describeAccepted(record, { expected, waitMs, baseUrl, now, callback, reach })
  }

  routes.post(
    `${workflowsPrefix}/execute-flow`,
    {
      config,
      schema: {
        operationId: 'executeFlow',
        summary: 'Run a flow',
        description:
          'Waits for the end and answers with all of it; with `options.execution_mode: asynchronous`, or for a flow that needs approval, it is put into the queue instead. It goes on when the caller leaves. `context` is what `{{placeholders}}` of the flow can read.',
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
        throw failureOf(record, await estimateFor(engine, record), callback, now)
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
          'Puts an execution into the queue: of one content, or of a whole batch, of which each item goes through the flow. Beyond as many executions at once as the account may have, it waits for one to end.',
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
