import type { ExecutionRecord } from '#engine'
import { describeFailure, describeWarnings, type Reach, responses, units } from '#executions-api'
import type { StepResult } from '../schemas/parts.ts'
import { recommend } from './recommendations.ts'

/** The response for a finished execution, whatever its outcome. */
export function describeCompleted(record: ExecutionRecord, reach: Reach, now: Date) {
  const stats = responses.deriveStats(record, now)
  const { ran, items } = stats
  return {
    success: record.status === 'completed',
    execution_id: record.id,
    status: record.status,
    execution_summary: {
      flow_id: record.flowId,
      flow_version: record.flowVersion,
      steps_executed: ran.length,
      steps_skipped: stats.skipped,
      execution_time: units.seconds(stats.elapsedMs ?? 0),
      total_cost: units.dollars(record.spent),
      unpriced: stats.unpriced,
      success_rate: units.percentage(stats.succeeded, ran.length),
      agent_decisions_made: responses.countDecisions(record),
    },
    result: responses.describeResult(record),
    step_results: describeStepResults(ran, items !== null),
    skipped_steps: record.outcomes.flatMap(({ stepId, state, details }) =>
      state === 'skipped' ? [{ step: stepId, reason: (details['reason'] ?? '') as string }] : [],
    ),
    shared_memory: responses.describeSharedMemory(record),
    agent_decisions: responses.describeAgentDecisions(record),
    performance_metrics: responses.describePerformance(stats, record),
    resource_utilization: describeResources(stats, record),
    quality_metrics: responses.describeQuality(stats, record),
    // Without steps that a fork reuses: they ran in another execution.
    execution_timeline: ran.flatMap(({ step, outcome: { startedAt, finishedAt }, ms }) =>
      startedAt === null
        ? []
        : [
            {
              step: step.id,
              started_at: units.epochSeconds(startedAt),
              completed_at: units.epochSeconds(finishedAt),
              duration: units.seconds(ms),
            },
          ],
    ),
    batch:
      items === null
        ? null
        : { items_total: items.total, items_succeeded: items.succeeded, items_failed: items.failed },
    error: record.error === null ? null : describeFailure(record),
    forked_from: record.forkedFrom,
    warnings: describeWarnings(record, reach),
    recommendations: recommend(stats, record),
    timestamp: units.epochSeconds(now),
  }
}

/** Fields of some step types, returned unchanged. */
const typeFields = [
  'conditions_evaluated',
  'routing_decision',
  'api_response_time',
  'api_endpoint',
  'transformations_applied',
  'post_processing_applied',
  'used_fallback',
  'reused_from',
] as const

/** Outputs and usage by step id. In a batch the numbers cover all items, and `results` is a list by item. */
function describeStepResults(
  ran: readonly responses.RanStep[],
  isBatch: boolean,
): Record<string, StepResult> {
  const byStep = Map.groupBy(ran, ({ step }) => step.id)
  return Object.fromEntries(
    [...byStep].map(([id, runs]) => [id, isBatch ? describeItems(runs) : describeRun(runs)]),
  )
}

function describeRun(runs: readonly responses.RanStep[]) {
  const [run] = runs
  return { ...describeNumbers(runs), results: run?.outcome.output ?? null, ...typeFieldsOf(run) }
}

function describeItems(runs: readonly responses.RanStep[]) {
  const results: unknown[] = []
  for (const { outcome } of runs) results[outcome.item] = outcome.output
  return {
    ...describeNumbers(runs),
    results: Array.from(results, (result) => result ?? null),
    items_failed: runs.filter(({ outcome }) => outcome.state === 'failed').length,
    ...typeFieldsOf(runs.at(-1)),
  }
}

function describeNumbers(runs: readonly responses.RanStep[]) {
  const last = runs.at(-1)
  const failed = runs.find(({ outcome }) => outcome.error !== null)
  return {
    step_type: last?.step.type ?? '',
    label: last?.step.label ?? null,
    execution_time: units.seconds(responses.sumOf(runs, ({ ms }) => ms)),
    tokens_used: responses.sumOf(runs, ({ tokens }) => tokens),
    ...responses.costOf(runs.map(({ outcome }) => outcome)),
    success: runs.every(({ outcome }) => outcome.state === 'completed'),
    ai_provider: last?.details.usage.provider ?? null,
    model_used: last?.details.usage.model ?? null,
    confidence: units.roundedShare(units.average(runs.flatMap(({ details }) => details.confidence ?? []))),
    quality: units.roundedScore(units.average(runs.flatMap(({ details }) => details.quality ?? []))),
    attempts: responses.sumOf(runs, ({ outcome }) => outcome.attempts),
    error: failed?.outcome.error ?? null,
  }
}

function typeFieldsOf(run: responses.RanStep | undefined): Pick<StepResult, (typeof typeFields)[number]> {
  if (run === undefined) return {}
  return Object.fromEntries(
    typeFields.flatMap((field) => (Object.hasOwn(run.details, field) ? [[field, run.details[field]]] : [])),
  )
}

function describeResources(stats: responses.DerivedStats, { facts }: Pick<ExecutionRecord, 'facts'>) {
  return {
    peak_memory_usage: facts === null ? null : units.megabytes(facts.peak_bytes),
    cpu_time: units.seconds(stats.cpuMs),
    network_requests: stats.networkRequests,
    cache_operations: stats.aiCalls + stats.cacheHits,
  }
}
