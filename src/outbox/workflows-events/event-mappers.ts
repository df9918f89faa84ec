import { type AgentDecision, type ExecutionRecord, executionMs, type HistoryResult } from '#engine'
import { describeFailure, estimates, progressIntervalMs, recoveryOf, responses, units } from '#executions-api'
import { JsonText, plainValue } from '#kernel/json-text'
import type { EventMapper, EventMapperInput } from '../event-mapper.ts'
import { isTooLong } from '../result-length.ts'

/** The events webhooks of the Workflows API can subscribe to. */
export const workflowsEvents = [
  'flow.execution.started',
  'flow.execution.completed',
  'flow.execution.failed',
  'flow.step.completed',
  'flow.human_task.opened',
  'agent.decision.made',
  'cost.threshold.exceeded',
  'performance.degradation.detected',
] as const

const completed: EventMapper = {
  name: 'flow.execution.completed',
  of: ['execution_completed'],
  estimates: false,
  describe: describeCompletion,
}

/** A cancelled execution has the same event name, so that a receiver waiting for the end gets one; `status` tells them apart. */
const failed: EventMapper = {
  name: 'flow.execution.failed',
  of: ['execution_failed', 'execution_cancelled'],
  estimates: true,
  describe: describeEndWithoutSuccess,
}

function describeCompletion({ event, record }: EventMapperInput) {
  const stats = responses.deriveStats(record, event.at)
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: record.status,
    execution_summary: summarise(stats, record),
    results: describeResults(stats, record),
    performance_metrics: {
      avg_step_time: averageSeconds(stats),
      cache_hit_rate: units.percentage(stats.cacheHits, stats.aiCalls + stats.cacheHits),
      provider_distribution: responses.describePerformance(stats, record).provider_distribution,
    },
  }
}

function describeEndWithoutSuccess({ event, record, estimate }: EventMapperInput) {
  const { code, message, details } = describeFailure(record)
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: record.status,
    error: {
      code,
      message,
      failed_step: details.failed_step,
      provider: details.provider,
      timeout_duration: details.timeout_duration,
      retry_attempts: details.retry_attempts,
    },
    reason: typeof event.data['reason'] === 'string' ? event.data['reason'] : null,
    completed_steps: details.partial_results.completed_steps,
    execution_summary: summarise(responses.deriveStats(record, event.at), record),
    recovery_options: record.status === 'failed' ? recoveryOf(record, estimate) : [],
  }
}

function averageSeconds({ ran }: responses.DerivedStats): number | null {
  const ms = units.average(ran.map((step) => step.ms))
  return ms === null ? null : units.seconds(ms)
}

function summarise(stats: responses.DerivedStats, record: ExecutionRecord) {
  return {
    duration: units.seconds(stats.elapsedMs ?? 0),
    steps_executed: stats.ran.length,
    success_rate: units.percentage(stats.succeeded, stats.ran.length),
    total_cost: units.dollars(record.spent),
    unpriced: stats.unpriced,
    agent_decisions: responses.countDecisions(record),
  }
}

/** The measured quality; the other fields come from the flow's own result, null where it has none. */
function describeResults(stats: responses.DerivedStats, record: ExecutionRecord) {
  const fields = fieldsOf(responses.describeResult(record))
  return {
    final_quality_score: responses.describeQuality(stats, record).output_quality_score,
    optimization_improvements: fields['optimization_improvements'] ?? null,
    seo_score: typeof fields['seo_score'] === 'number' ? fields['seo_score'] : null,
    readiness_level: typeof fields['readiness_level'] === 'string' ? fields['readiness_level'] : null,
  }
}

/** A large text is parsed only when it may have one of the fields. */
function fieldsOf(result: unknown): Readonly<Record<string, unknown>> {
  if (
    result instanceof JsonText &&
    !/"(?:optimization_improvements|seo_score|readiness_level)"/.test(result.text)
  )
    return {}
  const value = plainValue(result)
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}
}

const started: EventMapper = {
  name: 'flow.execution.started',
  of: ['execution_started'],
  estimates: true,
  describe: describeStart,
}

function describeStart({ record, estimate }: EventMapperInput) {
  const { duration, cost } = estimate
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    initiated_by: record.accountId,
    estimated_duration: duration.value === null ? null : units.seconds(duration.value),
    estimated_cost: cost.value === null ? null : units.dollars(cost.value),
    priority: record.priority,
    context_summary: summariseContext(record.input),
  }
}

function summariseContext({ context, batch }: ExecutionRecord['input']) {
  const contents = batch?.items ?? ('content' in context ? [context['content']] : [])
  return {
    content_type: textAt(context['metadata'], 'content_type'),
    content_length:
      contents.length === 0 ? null : contents.reduce<number>((sum, it) => sum + lengthOf(it), 0),
    target_quality: textAt(context['processing_options'], 'quality_level'),
  }
}

/** Characters of the text, or of the JSON of another value. */
function lengthOf(content: unknown): number {
  return typeof content === 'string' ? content.length : (JSON.stringify(content) ?? '').length
}

function textAt(part: unknown, field: string): string | null {
  const value = typeof part === 'object' && part !== null ? (part as Record<string, unknown>)[field] : null
  return typeof value === 'string' ? value : null
}

const humanTaskOpened: EventMapper = {
  name: 'flow.human_task.opened',
  of: ['wait_opened'],
  estimates: false,
  describe: ({ event, record }) =>
    event.data['kind'] === 'human'
      ? {
          execution_id: record.id,
          flow_id: record.flowId,
          flow_version: record.flowVersion,
          human_task_id: event.data['wait_id'],
          step_id: event.data['step_id'],
          item: event.data['item'] ?? null,
          expires_at: units.epochSeconds(new Date(String(event.data['until']))),
        }
      : undefined,
}

const decisionMade: EventMapper = {
  name: 'agent.decision.made',
  of: ['agent_decision'],
  estimates: true,
  describe({ event, record, estimate }) {
    const decision = event.data as unknown as AgentDecision & {
      readonly step_id: string
      readonly item?: number
    }
    const added = costOfSteps(decision.stepsAdded, estimate)
    return {
      execution_id: record.id,
      flow_id: record.flowId,
      step_id: decision.step_id,
      item: decision.item ?? null,
      agent_id: decision.agent,
      decision: {
        action: decision.decision,
        confidence: units.roundedShare(decision.confidence),
        reasoning: decision.reasoning,
        alternatives_considered: [...decision.alternatives],
        workflow_modifications: {
          steps_added: [...decision.stepsAdded],
          estimated_additional_cost: added.microDollars === null ? null : units.dollars(added.microDollars),
          estimated_additional_time: added.ms === null ? null : units.seconds(added.ms),
        },
      },
    }
  },
}

/** The total cost and time of steps in sequence; null when an estimate of one is missing. */
function costOfSteps(ids: readonly string[], { steps: estimated }: HistoryResult<'estimate'>) {
  const known = new Map(estimated.map((step) => [step.stepId, step]))
  const steps = ids.map((id) => known.get(id))
  return {
    microDollars: sumOf(steps.map((step) => step?.cost.value ?? null)),
    ms: sumOf(steps.map((step) => step?.duration.value ?? null)),
  }
}

function sumOf(numbers: readonly (number | null)[]): number | null {
  return numbers.reduce<number | null>(
    (sum, number) => (sum === null || number === null ? null : sum + number),
    0,
  )
}

/**
 * | alert_type    | means                                                                               |
 * |---------------|-------------------------------------------------------------------------------------|
 * | `cost_alert`  | the spend reached one of the `cost_alerts` of the flow                              |
 * | `over_budget` | the next call could exceed the budget, and the flow continues anyway                |
 */
const costThreshold: EventMapper = {
  name: 'cost.threshold.exceeded',
  of: ['cost_alert', 'over_budget'],
  estimates: false,
  describe: ({ event: { type, data }, record }) => ({
    execution_id: record.id,
    flow_id: record.flowId,
    alert_type: type,
    threshold: (type === 'cost_alert' ? data['threshold'] : data['budget']) ?? null,
    current_cost: data['spent'] ?? units.dollars(record.spent),
    possible_cost: data['could_cost'] ?? null,
  }),
}

/** A finished step. For a failed one `success` is false and `error` has the cause. */
const stepCompleted: EventMapper = {
  name: 'flow.step.completed',
  of: ['step_completed', 'step_failed'],
  estimates: false,
  describe: ({ event: { data }, record }) => ({
    execution_id: record.id,
    flow_id: record.flowId,
    step_id: data['step_id'] ?? null,
    step_type: data['step_type'] ?? null,
    item: data['item'] ?? null,
    success: data['success'] === true,
    duration: data['duration'] ?? null,
    tokens_used: data['tokens_used'] ?? null,
    ...responses.costIn(data),
    error: data['error'] ?? null,
  }),
}

/** A result longer than this as JSON is omitted; the receiver reads it from the execution. */
const maxResultLength = 1024 * 1024

const callbackStarted: EventMapper = {
  name: 'execution.started',
  of: ['execution_started'],
  estimates: true,
  describe: (about) => ({ ...describeStart(about), status: 'running' }),
}

/** After each step, in a batch after each item; not for callbacks with a progress interval. */
const callbackProgress: EventMapper = {
  name: 'execution.progress',
  of: ['step_completed', 'step_failed', 'item_finished'],
  estimates: true,
  describe(about) {
    const { event, record } = about
    const isUnit = (record.input.batch === undefined) !== (event.type === 'item_finished')
    if (!isUnit || progressIntervalMs(record.input) !== undefined) return undefined
    return describeProgressOf(about)
  },
}

const callbackCompleted: EventMapper = {
  name: 'execution.completed',
  of: ['execution_completed'],
  estimates: false,
  describe(about) {
    const result = responses.describeResult(about.record)
    const fits = !isTooLong(result, maxResultLength)
    return { ...describeCompletion(about), result: fits ? result : null, result_omitted: !fits }
  },
}

const callbackFailed: EventMapper = {
  name: 'execution.failed',
  of: ['execution_failed', 'execution_cancelled'],
  estimates: true,
  describe: describeEndWithoutSuccess,
}

/** The progress of an execution, after a step or at any time. */
export function describeProgressOf({
  event,
  record,
  estimate,
}: Pick<EventMapperInput, 'record' | 'estimate'> & {
  readonly event: Pick<EventMapperInput['event'], 'at' | 'data'>
}) {
  const expected = estimates.expectationOf(record, estimate, event.at)
  const { remainingMs } = expected
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: 'running',
    step_id: event.data['step_id'] ?? null,
    item: event.data['item'] ?? null,
    progress: responses.describeProgress(record, expected, event.at),
    elapsed_time: units.seconds(executionMs(record, event.at) ?? 0),
    estimated_remaining: remainingMs === null ? null : units.seconds(remainingMs),
    cost_so_far: units.dollars(record.spent),
  }
}

/** The mappers of single executions; `publisher.ts` derives events from several. */
export const eventMappers: readonly EventMapper[] = [
  started,
  stepCompleted,
  humanTaskOpened,
  decisionMade,
  costThreshold,
  completed,
  failed,
  callbackStarted,
  callbackProgress,
  callbackCompleted,
  callbackFailed,
]
