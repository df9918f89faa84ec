import type { ExecutionRecord } from '#engine'
import { describeFailure, recoveryOf, responses, units } from '#executions-api'
import type { EventMapper, EventMapperInput } from '../event-mapper.ts'

export const completed: EventMapper = {
  name: 'flow.execution.completed',
  of: ['execution_completed'],
  estimates: false,
  describe: describeCompletion,
}

/** A cancelled execution has the same event name, so that a receiver waiting for the end gets one; `status` tells them apart. */
export const failed: EventMapper = {
  name: 'flow.execution.failed',
  of: ['execution_failed', 'execution_cancelled'],
  estimates: true,
  describe: describeEndWithoutSuccess,
}

export function describeCompletion({ event, record }: EventMapperInput) {
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

export function describeEndWithoutSuccess({ event, record, estimate }: EventMapperInput) {
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
  const result = responses.describeResult(record)
  const fields =
    typeof result === 'object' && result !== null ? (result as Readonly<Record<string, unknown>>) : {}
  return {
    final_quality_score: responses.describeQuality(stats, record).output_quality_score,
    optimization_improvements: fields['optimization_improvements'] ?? null,
    seo_score: typeof fields['seo_score'] === 'number' ? fields['seo_score'] : null,
    readiness_level: typeof fields['readiness_level'] === 'string' ? fields['readiness_level'] : null,
  }
}
