import { Type } from 'typebox'
import { type ExecutionRecord, kindOf, traceExecution } from '#engine'
import { access, findExecution, readRate, schemas } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import { describeStepTrace, describeTrace, type TracedPart } from '../../responses/trace.ts'
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

const withinQuery = Type.Object(
  {
    ...itemQuery.properties,
    within: Type.Optional(
      Type.String({
        maxLength: 300,
        // The engine's own steps start with $: an agent's call of a flow is a container.
        pattern: '^[A-Za-z0-9_-]+(/\\d{1,5}/\\$?[A-Za-z0-9_-]+)*(/\\d{1,5})?$',
        'x-means':
          'must be the path of a container, such as translate_all, or of a scope, such as translate_all/7',
        description:
          'A container, such as `translate_all`, whose scopes are listed, or a scope, such as `translate_all/7`, whose steps are. Default: the flow itself.',
      }),
    ),
    limit: Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'Scopes per page.' }),
    offset: Type.Integer({ minimum: 0, maximum: 10_000, default: 0, description: 'Scopes to skip.' }),
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
        querystring: withinQuery,
        response: { 200: TraceBody },
      },
    },
    async ({ principal, params, query: { item, within, ...page } }, reply) => {
      const record = await findExecution(engine, principal, params.execution_id)
      requireItem(record, item)
      const part = {
        within: within ?? null,
        counts: await countScopes(engine, record, item),
        ...(within !== undefined && (await findPart(engine, record, { item, path: within }, page))),
      }
      return reply.header('cache-control', 'no-store').send(describeTrace(record, item, part, new Date()))
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
          step_id: Type.String({
            maxLength: 300,
            description: 'The id of the step, or its URL-encoded step path inside a container.',
          }),
        }),
        querystring: itemQuery,
        response: { 200: StepTraceBody },
      },
    },
    async ({ principal, params: { execution_id, step_id }, query: { item } }, reply) => {
      const record = await findExecution(engine, principal, execution_id)
      requireItem(record, item)
      const at = step_id.lastIndexOf('/')
      const scope =
        at === -1
          ? undefined
          : await engine.executions.readScope(record, { item, path: step_id.slice(0, at) })
      const traces =
        at !== -1 && scope === undefined ? [] : traceExecution({ ...record, ...scope }, item, scope?.outer)
      const trace = traces.find(({ step }) => step.id === step_id.slice(at + 1))
      if (trace === undefined) {
        throw kernelFailure('not_found', {
          message: `The flow of this execution has no step "${step_id}".`,
          details: { execution_id, step_id, steps: record.definition.steps.map(({ id }) => id) },
        })
      }
      const place = { item, path: scope?.path ?? '', counts: await countScopes(engine, record, item) }
      return reply.header('cache-control', 'no-store').send(describeStepTrace(record, trace, place))
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

type TraceEngine = Pick<WorkflowsOptions, 'engine'>['engine']

/** Flows without containers need no request. */
async function countScopes(engine: TraceEngine, { id, definition }: ExecutionRecord, item: number) {
  const hasContainers = definition.steps.some((step) => kindOf(step).container !== undefined)
  return hasContainers ? await engine.executions.countScopes(id, item) : new Map<string, never>()
}

/** The steps of a scope, or the scopes of a container. Throws `not_found`. */
async function findPart(
  engine: TraceEngine,
  record: ExecutionRecord,
  address: { readonly item: number; readonly path: string },
  page: { readonly limit: number; readonly offset: number },
): Promise<Pick<TracedPart, 'scope' | 'page'>> {
  const isScope = address.path.split('/').length % 2 === 0
  const scope = isScope ? await engine.executions.readScope(record, address) : undefined
  const scopes = isScope ? undefined : await engine.executions.readScopes(record, address, page)
  if (scope !== undefined || scopes !== undefined) return { scope, page: scopes }
  throw kernelFailure('not_found', {
    message: `This execution has not opened "${address.path}", or it is no container.`,
    details: { execution_id: record.id, within: address.path },
  })
}

function requireItem({ input: { batch } }: ExecutionRecord, item: number): void {
  const items = batch?.items.length ?? 1
  if (item < items) return
  const message =
    batch === undefined ? 'This execution has no batch.' : `Its batch has ${items} items, from 0.`
  throw kernelFailure('invalid_input', { problems: [{ path: 'item', message, code: 'maximum' }] })
}
