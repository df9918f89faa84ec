import { Type } from 'typebox'
import { describeGraph, type ExecutionRecord, executionMs, rulesOf, traceExecution } from '#engine'
import { access, findExecution, readRate, responses, schemas, units } from '#executions-api'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { workflowsPrefix } from '../../api.ts'
import type { WorkflowsOptions } from '../../route-options.ts'
import { DecisionPart, StoredErrorPart } from '../../schemas/parts.ts'
import {
  anything,
  executionStates,
  flag,
  freeForm,
  integer,
  maybeNumber,
  maybeText,
  number,
  text,
  unpriced,
} from '../../schemas/values.ts'

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

const maybeMoment = (description: string) => maybeNumber(`Epoch seconds, to the millisecond. ${description}`)

const stepFields = {
  step_id: Type.String(),
  label: maybeText('The display name.'),
  step_type: Type.String(),
  state: Type.Enum(['waiting', 'running', 'completed', 'failed', 'skipped']),
  on_demand: flag('Runs only when an agent adds it.'),
  ready_at: maybeMoment('When all its dependencies were finished; null until then.'),
  started_at: maybeMoment('Null until the step starts.'),
  finished_at: maybeMoment('Null until the end.'),
  attempts: Type.Array(
    Type.Object({
      number: integer('The number of the attempt, from 1.'),
      started_at: number('Epoch seconds, to the millisecond.'),
      finished_at: maybeMoment('Null while the attempt runs.'),
      error: StoredErrorPart,
    }),
    { description: 'The attempts of the step, with pauses between them.' },
  ),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
  cost: number('Dollars.'),
  unpriced,
  ai_provider: maybeText('The provider of the model; null without a model call.'),
  model_used: maybeText('The model that was used; null without a model call.'),
  cache_hits: integer('Model calls answered from the cache.'),
  confidence: maybeNumber('The confidence, 0 to 1; null when unknown.'),
  quality: maybeNumber('The quality, 0 to 100; null when it was not measured.'),
  output_to_memory: maybeText('The key of the shared memory for the output; null without one.'),
  skipped_because: maybeText('The reason why the step did not run; null otherwise.'),
  reused_from: maybeText('The execution its result was reused from.'),
  error: StoredErrorPart,
}

const TraceBody = Type.Object(
  {
    execution_id: Type.String(),
    flow_id: Type.String(),
    flow_version: Type.Integer(),
    flow_label: Type.String(),
    status: Type.Enum([...executionStates]),
    item: integer('The index of the batch item, from 0.'),
    items: integer('Items of its batch; 0 without one.'),
    created_at: number('Epoch seconds, to the millisecond.'),
    started_at: maybeMoment('Null before the start.'),
    finished_at: maybeMoment('Null until the end.'),
    execution_time: maybeNumber(
      'Seconds in which workers ran the execution up to `as_of`, without the time in the queue and before a recovery. Null before the start.',
    ),
    as_of: number('The time of this response. Epoch seconds, to the millisecond.'),
    forked_from: maybeText('The execution it was forked from.'),
    forked_at_step: maybeText('The step it was forked at.'),
    edges: Type.Array(
      Type.Object({
        from: Type.String(),
        to: Type.String(),
        kind: Type.Enum(['needs', 'chooses', 'before'], {
          description:
            '`needs`: it uses the output of the other step. `chooses`: the other step decides whether it runs. `before`: an added step that runs first.',
        }),
        label: maybeText('The condition of the edge; null without one.'),
        taken: Type.Unsafe<boolean | null>({
          type: 'boolean',
          nullable: true,
          description: 'Whether the edge was chosen; null before the choice, and for edges without one.',
        }),
      }),
    ),
    steps: Type.Array(Type.Object(stepFields), { description: 'In the order of the flow.' }),
    memory: Type.Array(
      Type.Object({
        key: Type.String(),
        step_id: text('The step that wrote it.'),
        at: number('Epoch seconds, to the millisecond.'),
        bytes: integer('Bytes of its JSON.'),
      }),
      { description: 'The growth of the shared memory.' },
    ),
    decisions: Type.Array(DecisionPart),
  },
  { description: 'The trace of an execution.' },
)

/** What an execution was given. */
const InputBody = Type.Object(
  {
    execution_id: Type.String(),
    context: freeForm('The data for placeholders and conditions.'),
    options: freeForm('The execution options.'),
    memory: freeForm('The initial shared memory.'),
    content_batch: Type.Unsafe<readonly unknown[] | null>({
      type: 'array',
      items: {},
      nullable: true,
      description: 'The batch items; null without a batch.',
    }),
  },
  { description: 'The input of an execution.' },
)

/** A step with all that went in and came out. */
const StepTraceBody = Type.Object(
  {
    execution_id: Type.String(),
    item: integer('The index of the batch item, from 0.'),
    ...stepFields,
    asked: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: 'object',
      nullable: true,
      additionalProperties: true,
      description:
        'The input of the step with all placeholders filled in: `prompt` and `system`; `agent`, `input`, `instructions` and `parameters`; `method`, `url`, names of `headers` and `body`; `compared` values; or `sources`. Null before the start, and when outputs are not kept.',
    }),
    text_so_far: maybeText('The last part of the model output so far; null unless the step runs.'),
    output: anything('The output; null before the end of the step.'),
    memory_before: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
      type: 'object',
      nullable: true,
      additionalProperties: true,
      description: 'The shared memory at the start of the step; null in the same cases as `asked`.',
    }),
    details: freeForm('Details that depend on the step type.'),
    definition: anything('The step as the flow has it.'),
  },
  { description: 'One step of an execution.' },
)

type Edge = ReturnType<typeof describeGraph>['edges'][number]
type StepTrace = ReturnType<typeof traceExecution>[number]

const noDetails: ExecutionRecord['outcomes'][number]['details'] = {}

/** The trace of an execution, for one item of a batch. */
function describeTrace(record: ExecutionRecord, item: number, now: Date) {
  const traces = traceExecution(record, item)
  const elapsedMs = executionMs(record, now)
  const byId = new Map(traces.map((trace) => [trace.step.id, trace]))
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    flow_label: record.definition.label,
    status: record.status,
    item,
    items: record.input.batch?.items.length ?? 0,
    created_at: preciseSeconds(record.createdAt),
    started_at: maybeSeconds(record.startedAt),
    finished_at: maybeSeconds(record.finishedAt),
    execution_time: units.seconds(elapsedMs),
    as_of: preciseSeconds(now),
    forked_from: record.forkedFrom,
    forked_at_step: record.forkedAtStep,
    edges: describeGraph(record.definition).edges.map((edge) => ({ ...edge, taken: isTaken(edge, byId) })),
    steps: traces.map(describeStep),
    memory: describeGrowth(record, item),
    decisions: responses.describeAgentDecisions({
      ...record,
      outcomes: record.outcomes.filter((outcome) => outcome.item === item),
    }),
  }
}

/** One step with all that went in and came out. */
function describeStepTrace(record: ExecutionRecord, trace: StepTrace, item: number) {
  const { step, outcome } = trace
  const input = isForgotten(record) ? undefined : trace.readInput()
  return {
    execution_id: record.id,
    item,
    ...describeStep(trace),
    asked: input?.request ?? null,
    text_so_far:
      trace.state === 'running'
        ? (record.live.find((live) => live.stepId === step.id && live.item === item)?.text ?? '')
        : null,
    output: outcome?.state === 'completed' ? (outcome.output ?? null) : null,
    memory_before: input?.memory ?? null,
    details: outcome === undefined ? {} : ownDetails(outcome.details),
    definition: step,
  }
}

function describeStep({ step, outcome, ...trace }: StepTrace) {
  const { usage, confidence, quality } = outcome?.details ?? noDetails
  return {
    step_id: step.id,
    label: step.label ?? null,
    step_type: step.type,
    state: trace.state,
    on_demand: trace.onDemand,
    ready_at: maybeSeconds(trace.readyAt),
    started_at: maybeSeconds(trace.startedAt),
    finished_at: maybeSeconds(trace.finishedAt),
    attempts: trace.attempts.map(({ number: attempt, startedAt, finishedAt, error }) => ({
      number: attempt,
      started_at: preciseSeconds(startedAt),
      finished_at: maybeSeconds(finishedAt),
      error,
    })),
    input_tokens: usage?.inputTokens ?? 0,
    output_tokens: usage?.outputTokens ?? 0,
    ...responses.costOf(outcome === undefined ? [] : [outcome]),
    ai_provider: usage?.provider ?? null,
    model_used: usage?.model ?? null,
    cache_hits: usage?.cacheHits ?? 0,
    confidence: units.roundedShare(confidence ?? null),
    quality: units.roundedScore(quality ?? null),
    output_to_memory: step.output_to_memory ?? null,
    skipped_because: outcome?.state === 'skipped' ? (outcome.details['reason'] as string) : null,
    reused_from: (outcome?.details['reused_from'] as string | undefined) ?? null,
    error: outcome?.error ?? null,
  }
}

/** Whether the edge was chosen; null before the choice, and for edges without one. */
function isTaken({ from, to, kind }: Edge, traces: ReadonlyMap<string, StepTrace>): boolean | null {
  const outcome = traces.get(from)?.outcome
  if (kind !== 'chooses' || outcome === undefined || outcome.state === 'skipped') return null
  const { choice } = outcome
  if (choice === null) return false
  if (choice.kind === 'jump') return choice.target === to
  return choice.next === to || (choice.kind === 'route' && choice.added.includes(to))
}

/** What steps left for others, in the order they did. */
function describeGrowth({ definition, outcomes }: ExecutionRecord, item: number) {
  const keys = new Map(definition.steps.map(({ id, output_to_memory: key }) => [id, key]))
  return outcomes.flatMap((outcome) => {
    const key = keys.get(outcome.stepId)
    if (key === undefined || outcome.item !== item || outcome.state !== 'completed') return []
    const bytes = Buffer.byteLength(JSON.stringify(outcome.output) ?? '')
    return [{ key, step_id: outcome.stepId, at: preciseSeconds(outcome.finishedAt), bytes }]
  })
}

/** Outputs between first and last are gone once it is over, where the flow or the caller wanted that. */
function isForgotten({ definition, input, startedAt, status }: ExecutionRecord): boolean {
  const isOver = status === 'completed' || status === 'cancelled'
  return isOver && !rulesOf(definition, input, startedAt ?? new Date()).keepsOutputs
}

const ownResponseFields = new Set([
  'cpu_ms',
  'usage',
  'confidence',
  'quality',
  'decision',
  'reason',
  'reused_from',
  'aborted',
])

function ownDetails(details: Readonly<Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(details).filter(([name]) => !ownResponseFields.has(name)))
}

/** With its milliseconds: steps are often shorter than a second. */
function preciseSeconds(moment: Date): number {
  return units.seconds(moment.getTime())
}

function maybeSeconds(moment: Date | null): number | null {
  return moment === null ? null : preciseSeconds(moment)
}
