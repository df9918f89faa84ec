import { Type } from 'typebox'
import { type ExecutionRecord, traceExecution } from '#engine'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { findExecution, readRate, seesExecutions } from '#runs'
import { describeStepTrace, describeTrace } from '../../bodies/trace.ts'
import { workflowsPrefix } from '../../interface.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { InputBody, StepTraceBody, TraceBody } from '../../schemas/trace-body.ts'
import { executionId } from './execution-id.ts'

const itemQuery = Type.Object(
  { item: Type.Integer({ minimum: 0, maximum: 999, default: 0, description: 'Which of a batch, from 0.' }) },
  { additionalProperties: false },
)

const config = { access: seesExecutions, ratePolicy: readRate }

/** How an execution went: its graph with times and choices, and each step with what went in and came out. */
export function addTraceRoutes(routes: HttpServer, { engine }: Pick<WorkflowsOptions, 'engine'>): void {
  addInputRoute(routes, { engine })

  routes.get(
    `${workflowsPrefix}/executions/:execution_id/trace`,
    {
      config,
      schema: {
        operationId: 'traceExecution',
        summary: 'See how an execution went',
        description:
          'Its steps with their waiting, tries and times, the ways that were taken and those that were not, and how the shared memory grew. Of a batch one item at a time.',
        params: executionId,
        querystring: itemQuery,
        response: { 200: TraceBody },
      },
    },
    async ({ principal, params, query: { item } }, reply) => {
      const record = await findExecution(engine, principal, params.execution_id)
      requireItem(record, item)
      return reply.header('cache-control', 'no-store').send(describeTrace(record, item, new Date()))
    },
  )

  routes.get(
    `${workflowsPrefix}/executions/:execution_id/steps/:step_id`,
    {
      config,
      schema: {
        operationId: 'traceStep',
        summary: 'See what a step did',
        description: 'With what it was asked, everything filled in, and what it made.',
        params: Type.Object({ ...executionId.properties, step_id: Type.String({ maxLength: 64 }) }),
        querystring: itemQuery,
        response: { 200: StepTraceBody },
      },
    },
    async ({ principal, params: { execution_id, step_id }, query: { item } }, reply) => {
      const record = await findExecution(engine, principal, execution_id)
      requireItem(record, item)
      const trace = traceExecution(record, item).find(({ step }) => step.id === step_id)
      if (trace === undefined) {
        throw kernelFailure('not_found', {
          message: `The flow of this execution has no step "${step_id}".`,
          details: { execution_id, step_id, steps: record.definition.steps.map(({ id }) => id) },
        })
      }
      return reply.header('cache-control', 'no-store').send(describeStepTrace(record, trace, item))
    },
  )
}

function addInputRoute(routes: HttpServer, { engine }: Pick<WorkflowsOptions, 'engine'>): void {
  routes.get(
    `${workflowsPrefix}/executions/:execution_id/input`,
    {
      config,
      schema: {
        operationId: 'readExecutionInput',
        summary: 'Read what an execution was given',
        description: 'To run it again, or to fork it with something changed.',
        params: executionId,
        response: { 200: InputBody },
      },
    },
    async ({ principal, params }, reply) => {
      const { id, input } = await findExecution(engine, principal, params.execution_id)
      const { context, options, memory, batch } = input
      return reply
        .header('cache-control', 'no-store')
        .send({ execution_id: id, context, options, memory, content_batch: batch?.items ?? null })
    },
  )
}

function requireItem({ input: { batch } }: ExecutionRecord, item: number): void {
  const items = batch?.items.length ?? 1
  if (item < items) return
  const message =
    batch === undefined ? 'This execution has no batch.' : `Its batch has ${items} items, from 0.`
  throw kernelFailure('invalid_input', { problems: [{ path: 'item', message, code: 'maximum' }] })
}
