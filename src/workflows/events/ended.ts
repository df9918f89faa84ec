import type { ExecutionRecord } from '#engine'
import {
  average,
  countDecisions,
  describeResult,
  dollars,
  type Measures,
  measure,
  percentage,
  seconds,
  type Teller,
  type TellerInput,
} from '#runs'
import { describeFailure } from '../bodies/failure.ts'
import { describePerformance, describeQuality } from '../bodies/performance.ts'
import { recoveryOf } from '../start/failed-execution.ts'

export const completed: Teller = {
  name: 'flow.execution.completed',
  of: ['execution_completed'],
  estimates: false,
  describe: describeCompletion,
}

/** One that was cancelled is told by the same name, so that whoever waits for an end hears of one; `status` says which it was. */
export const failed: Teller = {
  name: 'flow.execution.failed',
  of: ['execution_failed', 'execution_cancelled'],
  estimates: true,
  describe: describeEndWithoutSuccess,
}

export function describeCompletion({ event, record }: TellerInput) {
  const measures = measure(record, event.at)
  return {
    execution_id: record.id,
    flow_id: record.flowId,
    flow_version: record.flowVersion,
    status: record.status,
    execution_summary: summarise(measures, record),
    results: describeResults(measures, record),
    performance_metrics: {
      avg_step_time: averageSeconds(measures),
      cache_hit_rate: percentage(measures.cacheHits, measures.aiCalls + measures.cacheHits),
      provider_distribution: describePerformance(measures, record).provider_distribution,
    },
  }
}

export function describeEndWithoutSuccess({ event, record, estimate }: TellerInput) {
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
    execution_summary: summarise(measure(record, event.at), record),
    recovery_options: record.status === 'failed' ? recoveryOf(record, estimate) : [],
  }
}

function averageSeconds({ ran }: Measures): number | null {
  const ms = average(ran.map((step) => step.ms))
  return ms === null ? null : seconds(ms)
}

function summarise(measures: Measures, record: ExecutionRecord) {
  return {
    duration: seconds(measures.elapsedMs ?? 0),
    steps_executed: measures.ran.length,
    success_rate: percentage(measures.succeeded, measures.ran.length),
    total_cost: dollars(record.spent),
    unpriced: measures.unpriced,
    agent_decisions: countDecisions(record),
  }
}

/** The quality that was measured; the rest as the flow itself says it in its result, and null when it does not. */
function describeResults(measures: Measures, record: ExecutionRecord) {
  const made = describeResult(record)
  const said = typeof made === 'object' && made !== null ? (made as Readonly<Record<string, unknown>>) : {}
  return {
    final_quality_score: describeQuality(measures, record).output_quality_score,
    optimization_improvements: said['optimization_improvements'] ?? null,
    seo_score: typeof said['seo_score'] === 'number' ? said['seo_score'] : null,
    readiness_level: typeof said['readiness_level'] === 'string' ? said['readiness_level'] : null,
  }
}
