import { Type } from 'typebox'
import { type ExecutionRecord, kindOf, rulesOf } from '#engine'
import {
  access,
  cancelExecution,
  createStatusOf,
  describeCancelled,
  describeGate,
  describeSuspension,
  estimates,
  findExecution,
  GatePart,
  responses,
  type ExecutionStatus as Status,
  SuspensionPart,
  schemas,
  units,
} from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../api.ts'
import type { OrchestraOptions } from '../route-options.ts'
import {
  executionStates,
  freeForm,
  integer,
  maybeInteger,
  maybeNumber,
  maybeText,
  number,
  text,
  texts,
  unpriced,
} from '../schemas/values.ts'
import { describeOrchestraWarnings, WarningPart } from './schemas.ts'

export function addStatusRoute(routes: HttpServer, options: OrchestraOptions): void {
  const { engine } = options
  const statusOf = createStatusOf(options)
  routes.get(
    `${orchestraPrefix}/workflow-status/:execution_id`,
    {
      config: { access: access.seesExecutions },
      schema: {
        operationId: 'readWorkflowStatus',
        summary: 'Get the status of an execution',
        params: schemas.executionParams,
        response: { 200: ExecutionStatus },
      },
    },
    async ({ principal, params }, reply) => {
      const record = await findExecution(engine, principal, params.execution_id)
      return reply.header('cache-control', 'no-store').send(describeStatus(await statusOf(record)))
    },
  )
}

const Decision = Type.Object({
  agent: text('The agent.'),
  decision: text('The decision.'),
  confidence: maybeNumber('0 to 1; null when it was not measured.'),
  reasoning: text('The reason.'),
  timestamp: integer('Epoch seconds.'),
  context_used: texts('The context that was used.'),
  step: text('The step id.'),
})

const ExecutionStatus = Type.Object({
  execution_id: Type.String(),
  workflow_id: Type.String(),
  status: Type.Enum([...executionStates]),
  phase: text('The phase, such as `awaiting_capacity`, `awaiting_flow_limit`, `waiting` or `agent_working`.'),
  progress_percentage: number('Percent of steps that have finished.'),
  current_step: maybeText('A running step; null when none runs.'),
  current_step_progress: maybeNumber(
    '0 to 100, by its usual duration or the phase it has reached; null when unknown.',
  ),
  started_at: maybeInteger('Epoch seconds; null before the start.'),
  estimated_completion: maybeInteger('Epoch seconds; the end of a finished execution. Null when unknown.'),
  elapsed_time: number('Seconds in which workers ran it so far.'),
  remaining_time: maybeNumber('Seconds; null when unknown.'),
  steps_completed: texts('Steps that succeeded, in a batch for every item.'),
  steps_remaining: texts('Steps that may still run.'),
  agent_decisions: Type.Array(Decision),
  intermediate_results: freeForm(
    'Outputs of completed steps by step id; in a batch each has a list by item. Without `track_intermediate_results` only the results, once it has finished.',
  ),
  metrics: Type.Object({
    execution_time: number('Seconds so far.'),
    ai_calls: integer('Model calls.'),
    tokens_used: integer('Input and output tokens.'),
    cost_estimate: number('Dollars so far.'),
    unpriced,
    cache_hits: integer('Calls answered from the cache.'),
    api_calls: integer('Calls to other APIs.'),
  }),
  resource_usage: Type.Object({
    peak_memory: number('Megabytes of context, memory and outputs.'),
    cpu_time: number('CPU seconds of steps on this server.'),
    network_requests: integer('Requests to models and other APIs over the network.'),
  }),
  suspended: SuspensionPart,
  gated: GatePart,
  warnings: Type.Array(WarningPart),
  error: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'The error with `code`, `message` and, if known, `step`; null without an error.',
  }),
})

function describeStatus({ record, expected, reach, scopes, now }: Status) {
  const stats = responses.deriveStats(record, now)
  const progress = responses.describeProgress(record, expected, now, scopes)
  const steps = stepsByState(record)
  const elapsed = units.seconds(stats.elapsedMs ?? 0)
  return {
    execution_id: record.id,
    workflow_id: record.flowId,
    status: record.status,
    phase: responses.describePhase(record),
    progress_percentage: progress.overall_percentage,
    current_step: progress.current_step,
    current_step_progress: progress.current_step_progress,
    started_at: units.epochSeconds(record.startedAt),
    estimated_completion: units.epochSeconds(estimates.estimatedEnd(record, expected, now)),
    elapsed_time: elapsed,
    remaining_time: units.seconds(expected.remainingMs),
    steps_completed: steps.completed,
    steps_remaining: steps.remaining,
    agent_decisions: responses
      .describeAgentDecisions(record)
      .map(({ agent, decision, confidence, reasoning, timestamp, context_used, step }) => ({
        agent,
        decision,
        confidence,
        reasoning,
        timestamp,
        context_used,
        step,
      })),
    intermediate_results: showsResults(record) ? responses.describeResultsByStep(record) : {},
    metrics: {
      execution_time: elapsed,
      ai_calls: stats.aiCalls,
      tokens_used: stats.tokens,
      cost_estimate: units.dollars(record.spent),
      unpriced: stats.unpriced,
      cache_hits: stats.cacheHits,
      api_calls: responses.sumOf(
        stats.ran.filter(({ step }) => kindOf(step).traits.callsServices),
        ({ details }) => details.usage.networkRequests,
      ),
    },
    resource_usage: {
      peak_memory: units.megabytes(record.facts?.peak_bytes ?? responses.heldBytes(record)),
      cpu_time: units.seconds(stats.cpuMs),
      network_requests: stats.networkRequests,
    },
    suspended: describeSuspension(record),
    gated: describeGate(record),
    warnings: describeOrchestraWarnings(record, reach),
    error: record.error === null ? null : { ...record.error },
  }
}

/** Intermediate results are shown unless the request disabled them; final results always. */
function showsResults({ definition, input, createdAt, finishedAt }: ExecutionRecord): boolean {
  return finishedAt !== null || rulesOf(definition, input, createdAt).keepsOutputs
}

/** In a batch, a step is completed once it is for every item, and remaining while an item needs it. */
function stepsByState({
  definition,
  input,
  outcomes,
  finishedAt,
}: Pick<ExecutionRecord, 'definition' | 'input' | 'outcomes' | 'finishedAt'>): {
  readonly completed: string[]
  /** Empty once the execution has finished. */
  readonly remaining: string[]
} {
  const items = input.batch?.items.length ?? 1
  const byStep = Map.groupBy(outcomes, ({ stepId }) => stepId)
  const ids = definition.steps.map(({ id }) => id)
  const isCompleted = (id: string) =>
    (byStep.get(id) ?? []).filter(({ state }) => state === 'completed').length === items
  return {
    completed: ids.filter(isCompleted),
    remaining: finishedAt === null ? ids.filter((id) => (byStep.get(id)?.length ?? 0) < items) : [],
  }
}

const CancelledExecution = Type.Object(schemas.cancelledFields)

/** Cancels executions. */
export function addCancelRoute(routes: HttpServer, { engine }: Pick<OrchestraOptions, 'engine'>): void {
  routes.post(
    `${orchestraPrefix}/workflow-cancel/:execution_id`,
    {
      config: { access: access.seesExecutions },
      schema: {
        operationId: 'cancelWorkflow',
        summary: 'Cancel an execution',
        description:
          'Stops calls to models and other APIs and settles their cost. Responds with 200 once the execution is cancelled, or with 202 if its worker does not confirm within ten seconds.',
        params: schemas.executionParams,
        body: schemas.cancelRequest(
          'Cancels without waiting for the worker. The reserved cost of its calls is then charged in full. Default: false.',
        ),
        response: { 200: CancelledExecution, 202: CancelledExecution },
      },
    },
    async ({ params, body, principal }, reply) => {
      const { reason, force = false, cleanup = false } = body ?? {}
      const cancelled = await cancelExecution({
        engine,
        principal,
        id: params.execution_id,
        reason,
        force,
        forceAfterMs: 0,
        cleanup,
      })
      return reply
        .code(cancelled.isOver ? 200 : 202)
        .send(describeCancelled(cancelled, { cleanup, omitsRemovedOutputs: true }))
    },
  )
}
