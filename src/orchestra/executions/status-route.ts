import { Type } from 'typebox'
import { type ExecutionRecord, rulesOf } from '#engine'
import {
  createReachOf,
  describeAgentDecisions,
  describePhase,
  describeProgress,
  describeResultsByStep,
  dollars,
  type Expectation,
  epochSeconds,
  expect,
  findExecution,
  measure,
  megabytes,
  peakBytes,
  type Reach,
  seconds,
  seesExecutions,
  stepsByState,
  sumOf,
} from '#executions-api'
import type { HttpServer } from '#kernel/http'
import { orchestraPrefix } from '../interface.ts'
import type { OrchestraOptions } from '../route-options.ts'
import {
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
import { executionStates, WarningPart } from './answer.ts'
import { describeWarningsHere } from './warnings.ts'

/** The path of everything about one execution. */
export const executionId = Type.Object({
  execution_id: Type.String({
    maxLength: 200,
    description: 'As it was answered when the execution was started.',
  }),
})

export function addStatusRoute(routes: HttpServer, options: OrchestraOptions): void {
  const { engine } = options
  const reachOf = createReachOf(options)
  routes.get(
    `${orchestraPrefix}/workflow-status/:execution_id`,
    {
      config: { access: seesExecutions },
      schema: {
        operationId: 'readWorkflowStatus',
        summary: 'See how an execution goes',
        params: executionId,
        response: { 200: ExecutionStatus },
      },
    },
    async ({ principal, params }, reply) => {
      const record = await findExecution(engine, principal, params.execution_id)
      const now = new Date()
      const [expected, reach] = await Promise.all([expect(engine, record, now), reachOf(record)])
      return reply.header('cache-control', 'no-store').send(describeStatus(record, expected, reach, now))
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

function describeStatus(record: ExecutionRecord, expected: Expectation, reach: Reach, now: Date) {
  const measures = measure(record, now)
  const progress = describeProgress(record, expected, now)
  const steps = stepsByState(record)
  const { startedAt, finishedAt } = record
  const { remainingMs } = expected
  const elapsed = seconds(measures.elapsedMs ?? 0)
  return {
    execution_id: record.id,
    workflow_id: record.flowId,
    status: record.status,
    phase: describePhase(record),
    progress_percentage: progress.overall_percentage,
    current_step: progress.current_step,
    current_step_progress: progress.current_step_progress,
    started_at: startedAt === null ? null : epochSeconds(startedAt),
    estimated_completion: endOf(finishedAt, remainingMs, now),
    elapsed_time: elapsed,
    remaining_time: remainingMs === null ? null : seconds(remainingMs),
    steps_completed: steps.completed,
    steps_remaining: steps.remaining,
    agent_decisions: describeAgentDecisions(record).map(
      ({ agent, decision, confidence, reasoning, timestamp, context_used, step }) => ({
        agent,
        decision,
        confidence,
        reasoning,
        timestamp,
        context_used,
        step,
      }),
    ),
    intermediate_results: showsResults(record) ? describeResultsByStep(record) : {},
    metrics: {
      execution_time: elapsed,
      ai_calls: measures.aiCalls,
      tokens_used: measures.tokens,
      cost_estimate: dollars(record.spent),
      unpriced: measures.unpriced,
      cache_hits: measures.cacheHits,
      api_calls: sumOf(
        measures.ran.filter(({ step }) => step.type === 'external_api'),
        ({ details }) => details.usage.networkRequests,
      ),
    },
    resource_usage: {
      peak_memory: megabytes(peakBytes(record)),
      cpu_time: seconds(measures.cpuMs),
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

function endOf(finishedAt: Date | null, remainingMs: number | null, now: Date): number | null {
  if (finishedAt !== null) return epochSeconds(finishedAt)
  return remainingMs === null ? null : epochSeconds(new Date(now.getTime() + remainingMs))
}
