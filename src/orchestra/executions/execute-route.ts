import type { FastifyRequest } from 'fastify'
import type { HttpServer } from '#kernel/http'
import {
  baseUrlOf,
  createCallbackOpener,
  createReachOf,
  createStarter,
  expect,
  requireAccount,
  runsWorkflows,
  type Started,
} from '#runs'
import { orchestraPrefix } from '../interface.ts'
import type { OrchestraOptions } from '../route-options.ts'
import { inWordsOfWorkflows } from '../workflows/words.ts'
import { AcceptedExecution, CompletedExecution } from './answer.ts'
import { describeAccepted, describeCompleted } from './describe-execution.ts'
import { failureOf } from './failed-execution.ts'
import { planCallback, readExecuteWorkflow } from './read-request.ts'
import { ExecuteWorkflowBody } from './request.ts'

/** Running workflows: waited for, or put into the queue. */
export function addExecuteRoute(routes: HttpServer, options: OrchestraOptions): void {
  const { engine, publicUrl } = options
  const starter = createStarter({
    ...options,
    planCallback,
    openCallback: createCallbackOpener({ ...options, api: 'orchestra' }),
  })

  const reachOf = createReachOf(options)

  async function start(request: FastifyRequest, body: ExecuteWorkflowBody): Promise<Started> {
    const accountId = requireAccount(request.principal)
    return await inWordsOfWorkflows(engine, body.workflow_id, () =>
      starter.start(request, readExecuteWorkflow(body), accountId),
    )
  }

  async function describeQueued(request: FastifyRequest, { record, callback }: Started) {
    const now = new Date()
    // What is next, or has begun meanwhile, waits for nobody.
    const before = (record.queuePosition ?? 1) - 1
    const [expected, { waitMs }, reach] = await Promise.all([
      expect(engine, record, now),
      before === 0 ? { waitMs: 0 } : engine.history.waitAt(before),
      reachOf(record),
    ])
    const baseUrl = baseUrlOf(request, publicUrl, orchestraPrefix)
    return describeAccepted(record, { expected, waitMs, baseUrl, callback, reach, now })
  }

  routes.post(
    `${orchestraPrefix}/execute-workflow`,
    {
      config: { access: runsWorkflows, idempotent: true },
      schema: {
        operationId: 'executeWorkflow',
        summary: 'Run a workflow',
        description:
          'Waits for the end and answers with all of it; with `options.async`, or for a workflow that needs approval, it is put into the queue instead. It goes on when the caller leaves.',
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
