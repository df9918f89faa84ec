import { Type } from 'typebox'
import { type ExecutionRecord, traceExecution } from '#engine'
import { access, findExecution, readRate, schemas } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { describeStepTrace, describeTrace } from '../../responses/trace.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { InputBody, StepTraceBody, TraceBody } from '../../schemas/trace.ts'

const itemQuery = Type.Object(
  {
    item: Type.Integer({
      minimum: 0,
      maximum: 999,
      default: 0,
      description: 'The index of the batch item, from 0.',
    }),
  },
  { additionalProperties: false },
)

const config = { access: access.seesExecutions, ratePolicy: readRate }

/** The trace of an execution, of one step, and its input. */
export function addTraceRoutes(routes: HttpServer, { engine }: Pick<WorkflowsOptions, 'engine'>): void {
  addInputRoute(routes, { engine })

  routes.get(
    `${workflowsPrefix}/executions/:execution_id/trace`,
    {
      config,
      schema: {
        operationId: 'traceExecution',
        summary: 'Get the trace of an execution',
        description:
          'Returns steps with wait times, attempts and durations, the edges that were taken, and the growth of the shared memory, for one item of a batch.',
        params: schemas.executionParams,
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
        summary: 'Get the trace of a step',
        description: 'Returns the filled-in input of the step and its output.',
        params: Type.Object({
          ...schemas.executionParams.properties,
          step_id: Type.String({ maxLength: 64 }),
        }),
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
        summary: 'Get the input of an execution',
        description: 'Returns the input, to run or fork the execution again.',
        params: schemas.executionParams,
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
