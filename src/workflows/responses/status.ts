import { type ExecutionRecord, type FlowDefinition, kindOf, sendsPrompt } from '#engine'
import {
  describeGate,
  describeSuspension,
  describeWarnings,
  type ExecutionStatus,
  estimates,
  responses,
  units,
} from '#executions-api'
import { budgetOf } from './completed.ts'
import { describeLogLine } from './logs.ts'
import { predict } from './predictions.ts'

type Step = FlowDefinition['steps'][number]

/** Log entries in a status; the logs endpoint has all of them. */
const maxLines = 50

export interface StatusParts {
  readonly details: boolean
  readonly predictions: boolean
  readonly memory: boolean
}

/** The status of an execution. Parts that were not requested are absent, not empty. */
export function describeStatus(
  { record, expected, reach, scopes, now }: ExecutionStatus,
  parts: StatusParts,
) {
  const stats = responses.deriveStats(record, now)
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: record.status,
    current_phase: responses.describePhase(record),
    progress: responses.describeProgress(record, expected, now, scopes),
    timing: describeTiming(record, stats, expected, now),
    ...(parts.details && {
      current_step_details: describeCurrentStep(record, now),
      completed_steps: describeCompletedSteps(record, stats),
      upcoming_steps: describeUpcomingSteps(record, expected),
      agent_activity: responses.describeAgentDecisions(record),
      real_time_logs: record.events.slice(-maxLines).map(describeLogLine),
    }),
    ...(parts.memory && { shared_memory_state: responses.describeSharedMemory(record) }),
    resource_usage: describeUsageNow(record, stats),
    cost_tracking: describeCosts(record, stats, expected),
    performance_indicators: describeIndicatorsOf(record, stats),
    ...(parts.predictions && { predictions: predict(record, stats, expected, now) }),
    suspended: describeSuspension(record),
    gated: describeGate(record),
    approval: record.approval,
    error: record.error,
    warnings: describeWarnings(record, reach),
  }
}

function describeCosts(
  record: ExecutionRecord,
  stats: responses.DerivedStats,
  { finalMicroDollars: final }: estimates.Expectation,
) {
  const budget = budgetOf(record)
  return {
    current_cost: units.dollars(record.spent),
    unpriced: stats.unpriced,
    estimated_total_cost: units.dollars(final),
    cost_by_provider: describeCostByProvider(stats),
    budget_remaining:
      budget === null ? null : units.dollars(Math.max(0, budget - record.spent - record.reserved)),
  }
}

/** `critical`: it failed. `degraded`: a step failed or had to be tried again. `healthy`: neither. */
function healthOf({ status }: Pick<ExecutionRecord, 'status'>, { ran }: responses.DerivedStats): string {
  if (status === 'failed') return 'critical'
  const troubled = ran.some(({ outcome }) => outcome.state === 'failed' || outcome.attempts > 1)
  return troubled ? 'degraded' : 'healthy'
}

function describeIndicatorsOf(record: ExecutionRecord, stats: responses.DerivedStats) {
  const { ran, succeeded } = stats
  const usual = units.average(ran.map(({ ms }) => ms))
  return {
    execution_health: healthOf(record, stats),
    step_success_rate: units.percentage(succeeded, ran.length),
    average_step_time: units.seconds(usual),
    provider_response_times: describeResponseTimes(stats),
  }
}

/** What an execution takes at this moment. */
function describeUsageNow(record: ExecutionRecord, { cpuMs, elapsedMs }: responses.DerivedStats) {
  const { facts, live, definition, queuePosition } = record
  const held = record.finishedAt === null ? responses.heldBytes(record) : 0
  const talking = new Set(
    definition.steps
      .filter((step) => sendsPrompt(step) || kindOf(step).traits.callsServices)
      .map(({ id }) => id),
  )
  return {
    current_memory: units.megabytes(held),
    peak_memory: units.megabytes(facts?.peak_bytes ?? held),
    cpu_usage: units.percentage(cpuMs, elapsedMs ?? 0) ?? 0,
    active_connections: live.filter(({ stepId }) => talking.has(stepId)).length,
    queue_position: queuePosition,
  }
}

function describeTiming(
  record: ExecutionRecord,
  { elapsedMs }: responses.DerivedStats,
  expected: estimates.Expectation,
  now: Date,
) {
  const { startedAt, createdAt, events, live } = record
  const lastActivity = Math.max(
    createdAt.getTime(),
    events.at(-1)?.at.getTime() ?? 0,
    ...live.map((step) => step.startedAt.getTime()),
  )
  return {
    started_at: units.epochSeconds(startedAt),
    current_time: units.epochSeconds(now),
    elapsed_time: units.seconds(elapsedMs ?? 0),
    estimated_completion: units.epochSeconds(estimates.estimatedEnd(record, expected, now)),
    estimated_remaining: units.seconds(expected.remainingMs),
    last_activity: units.epochSeconds(new Date(lastActivity)),
  }
}

/** The step that has been running longest; null when none runs. */
function describeCurrentStep({ live, definition }: ExecutionRecord, now: Date) {
  const [current] = live
  if (current === undefined) return null
  const step = definition.steps.find(({ id }) => id === current.stepId)
  const model = step !== undefined && sendsPrompt(step) ? (step.ai_options?.model ?? null) : null
  return {
    step_id: current.stepId,
    step_type: step?.type ?? '',
    status: 'processing' as const,
    started_at: units.epochSeconds(current.startedAt),
    elapsed_time: units.seconds(Math.max(0, now.getTime() - current.startedAt.getTime())),
    ai_provider: model?.includes(':') === true ? (model.split(':', 1)[0] ?? null) : null,
    model,
    progress_indicators: responses.describeIndicators(current.phase),
    intermediate_output: current.text === '' ? null : current.text,
  }
}

/** Every step that is over, in the order they ended. */
function describeCompletedSteps(
  { outcomes, definition, input }: ExecutionRecord,
  { ran }: responses.DerivedStats,
) {
  const types = new Map(definition.steps.map(({ id, type }) => [id, type]))
  const byOutcome = new Map(ran.map((run) => [run.outcome, run]))
  return outcomes.map((outcome) => {
    const run = byOutcome.get(outcome)
    return {
      step_id: outcome.stepId,
      step_type: types.get(outcome.stepId) ?? '',
      status: outcome.state,
      completed_at: units.epochSeconds(outcome.finishedAt),
      execution_time: units.seconds(run?.ms ?? 0),
      tokens_used: run?.tokens ?? 0,
      ...responses.costOf([outcome]),
      ...(input.batch !== undefined && { item: outcome.item }),
    }
  })
}

/** What has not begun yet. In a batch each step stands once, for all items that have it before them. */
function describeUpcomingSteps(record: ExecutionRecord, { stepMs }: estimates.Expectation) {
  const { definition, outcomes, live, finishedAt, input } = record
  if (finishedAt !== null) return []
  const items = input.batch?.items.length ?? 1
  const begun = Map.groupBy([...outcomes, ...live], ({ stepId }) => stepId)
  return definition.steps.flatMap((step: Step) => {
    const left = items - (begun.get(step.id)?.length ?? 0)
    if (left <= 0) return []
    const usual = stepMs.get(step.id)
    return [
      {
        step_id: step.id,
        step_type: step.type,
        estimated_duration: usual === undefined ? null : units.seconds(usual),
        dependencies: [...(step.dependencies ?? [])],
        ...(input.batch !== undefined && { items_remaining: left }),
      },
    ]
  })
}

/** What each provider has cost so far. */
function describeCostByProvider({ ran }: Pick<responses.DerivedStats, 'ran'>): Record<string, number> {
  const paid = ran.filter(({ details }) => details.usage.provider !== null)
  const byProvider = Map.groupBy(paid, ({ details }) => details.usage.provider ?? '')
  return Object.fromEntries(
    [...byProvider].map(([provider, steps]) => [
      provider,
      units.dollars(responses.sumOf(steps, ({ outcome }) => outcome.spent ?? 0)),
    ]),
  )
}

/** How long providers took to answer on average, in seconds. */
function describeResponseTimes({ ran }: Pick<responses.DerivedStats, 'ran'>): Record<string, number> {
  const asked = ran.filter(({ details: { usage } }) => usage.provider !== null && usage.aiCalls > 0)
  const byProvider = Map.groupBy(asked, ({ details }) => details.usage.provider ?? '')
  return Object.fromEntries(
    [...byProvider].map(([provider, steps]) => {
      const calls = responses.sumOf(steps, ({ details }) => details.usage.aiCalls)
      return [provider, units.seconds(responses.sumOf(steps, ({ details }) => details.usage.aiMs) / calls)]
    }),
  )
}
