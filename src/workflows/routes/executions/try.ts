import { Type } from 'typebox'
import { FlowDefinition } from '#engine'
import { access, baseUrlOf, requireAccount } from '#executions-api'
import { createValueCheck, type HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { TryFields } from '../../schemas/requests.ts'
import { executionStates, maybeInteger, text } from '../../schemas/values.ts'
import { readExecuteFlowAsync } from '../../start/read-request.ts'
import { readFrame } from '../flows/read-body.ts'

const TryBody = Type.Object(
  { flow_definition: FlowDefinition, ...TryFields },
  { additionalProperties: false, description: 'A flow as it would be saved, and what to run it with.' },
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
              queue_position: maybeInteger('1 is next; null when it does not wait in the queue.'),
              monitoring: Type.Object({
                status_url: text('How it goes.'),
                stream_url: text('The same as it happens.'),
                trace_url: text('Step by step.'),
              }),
            },
            { description: 'It is in the queue.' },
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
        await engine.capacity.requireQueueCapacity()
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
