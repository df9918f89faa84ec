import { Type } from 'typebox'
import { type ExecutionRecord, rulesOf } from '#engine'
import {
  access,
  createStatusOf,
  findExecution,
  responses,
  type ExecutionStatus as Status,
  schemas,
  units,
} from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../interface.ts'
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
import { WarningPart } from './answer.ts'
import { describeWarningsHere } from './warnings.ts'

export function addStatusRoute(routes: HttpServer, options: OrchestraOptions): void {
  const { engine } = options
  const statusOf = createStatusOf(options)
  routes.get(
    `${orchestraPrefix}/workflow-status/:execution_id`,
    {
      config: { access: access.seesExecutions },
      schema: {
        operationId: 'readWorkflowStatus',
        summary: 'See how an execution goes',
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
  agent: text('Who decided.'),
  decision: text('What it decided.'),
  confidence: maybeNumber('0 to 1; null when nothing measured it.'),
  reasoning: text('Why.'),
  timestamp: integer('Epoch seconds.'),
  context_used: texts('What was looked at.'),
  step: text('The step in which it did.'),
})

/** Where an execution stands. */
const ExecutionStatus = Type.Object({
  execution_id: Type.String(),
  workflow_id: Type.String(),
  status: Type.Enum([...executionStates]),
  phase: text('Where it stands, in a word, such as `awaiting_capacity` or `agent_working`.'),
  progress_percentage: number('0 to 100, by steps.'),
  current_step: maybeText('One that is under way; null when none is.'),
  current_step_progress: maybeNumber(
    '0 to 100, by the time it usually takes or the phases it has reached; null when nobody can tell.',
  ),
  started_at: maybeInteger('Epoch seconds; null before it began.'),
  estimated_completion: maybeInteger(
    'Epoch seconds; of one that is over its end. Null when nobody can tell.',
  ),
  elapsed_time: number('Seconds in which workers executed it so far.'),
  remaining_time: maybeNumber('Seconds; null when nobody can tell.'),
  steps_completed: texts('Those that succeeded; in a batch for every item.'),
  steps_remaining: texts('Those that may still run.'),
  agent_decisions: Type.Array(Decision),
  intermediate_results: freeForm(
    'What completed steps made, by step; in a batch each has a list by item. Without `track_intermediate_results` the results alone, once it is over.',
  ),
  metrics: Type.Object({
    execution_time: number('Seconds so far.'),
    ai_calls: integer('Calls to models.'),
    tokens_used: integer('Tokens that went in and came out.'),
    cost_estimate: number('Dollars so far.'),
    unpriced,
    cache_hits: integer('Answers that were remembered.'),
    api_calls: integer('Calls to other APIs.'),
  }),
  resource_usage: Type.Object({
    peak_memory: number('Megabytes that context, memory and outputs took.'),
    cpu_time: number('Seconds that steps computed here.'),
    network_requests: integer('Requests to models and other APIs over the network.'),
  }),
  warnings: Type.Array(WarningPart),
  error: Type.Unsafe<Readonly<Record<string, unknown>> | null>({
    type: 'object',
    additionalProperties: true,
    nullable: true,
    description: 'Why it failed: `code`, `message`, and the `step` where there is one. Null when it did not.',
  }),
})

function describeStatus({ record, expected, reach, now }: Status) {
  const measures = responses.measure(record, now)
  const progress = responses.describeProgress(record, expected, now)
  const steps = stepsByState(record)
  const elapsed = units.seconds(measures.elapsedMs ?? 0)
  return {
    execution_id: record.id,
    workflow_id: record.flowId,
    status: record.status,
    phase: responses.describePhase(record),
    progress_percentage: progress.overall_percentage,
    current_step: progress.current_step,
    current_step_progress: progress.current_step_progress,
    started_at: units.epochSeconds(record.startedAt),
    estimated_completion: units.epochSeconds(responses.estimatedEnd(record, expected, now)),
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
      ai_calls: measures.aiCalls,
      tokens_used: measures.tokens,
      cost_estimate: units.dollars(record.spent),
      unpriced: measures.unpriced,
      cache_hits: measures.cacheHits,
      api_calls: responses.sumOf(
        measures.ran.filter(({ step }) => step.type === 'external_api'),
        ({ details }) => details.usage.networkRequests,
      ),
    },
    resource_usage: {
      peak_memory: units.megabytes(record.facts?.peak_bytes ?? responses.heldBytes(record)),
      cpu_time: units.seconds(measures.cpuMs),
      network_requests: measures.networkRequests,
    },
    warnings: describeWarningsHere(record, reach),
    error: record.error === null ? null : { ...record.error },
  }
}

/** Results on the way are for those who did not say no to them; results at the end for everybody. */
function showsResults({ definition, input, createdAt, finishedAt }: ExecutionRecord): boolean {
  return finishedAt !== null || rulesOf(definition, input, createdAt).keepsOutputs
}

/** Steps by where they stand. In a batch a step is completed when it is for every item, and remains while one needs it. */
function stepsByState({
  definition,
  input,
  outcomes,
  finishedAt,
}: Pick<ExecutionRecord, 'definition' | 'input' | 'outcomes' | 'finishedAt'>): {
  readonly completed: string[]
  /** None of one that is over: they will not run. */
  readonly remaining: string[]
} {
  const lanes = input.batch?.items.length ?? 1
  const byStep = Map.groupBy(outcomes, ({ stepId }) => stepId)
  const ids = definition.steps.map(({ id }) => id)
  const isCompleted = (id: string) =>
    (byStep.get(id) ?? []).filter(({ state }) => state === 'completed').length === lanes
  return {
    completed: ids.filter(isCompleted),
    remaining: finishedAt === null ? ids.filter((id) => (byStep.get(id)?.length ?? 0) < lanes) : [],
  }
}
