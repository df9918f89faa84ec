import type { ExecutionRecord } from '#engine'
import {
  countDecisions,
  describeAgentDecisions,
  describeResult,
  describeSharedMemory,
  describeWarnings,
  dollars,
  epochSeconds,
  measure,
  percentage,
  type Reach,
  seconds,
} from '#runs'
import { describeFailure } from './failure.ts'
import { describePerformance, describeQuality, describeResources } from './performance.ts'
import { recommend } from './recommendations.ts'
import { describeStepResults } from './step-results.ts'

/** All about an execution that is over, however it ended. */
export function describeCompleted(record: ExecutionRecord, reach: Reach, now: Date) {
  const measures = measure(record, now)
  const { ran, items } = measures
  return {
    success: record.status === 'completed',
    execution_id: record.id,
    status: record.status,
    execution_summary: {
      flow_id: record.flowId,
      flow_version: record.flowVersion,
      steps_executed: ran.length,
      steps_skipped: measures.skipped,
      execution_time: seconds(measures.elapsedMs ?? 0),
      total_cost: dollars(record.spent),
      unpriced: measures.unpriced,
      success_rate: percentage(measures.succeeded, ran.length),
      agent_decisions_made: countDecisions(record),
    },
    result: describeResult(record),
    step_results: describeStepResults(ran, items !== null),
    skipped_steps: record.outcomes.flatMap(({ stepId, state, details }) =>
      state === 'skipped' ? [{ step: stepId, reason: (details['reason'] ?? '') as string }] : [],
    ),
    shared_memory: describeSharedMemory(record),
    agent_decisions: describeAgentDecisions(record),
    performance_metrics: describePerformance(measures, record),
    resource_utilization: describeResources(measures, record),
    quality_metrics: describeQuality(measures, record),
    // Without those a fork took over: they ran in another execution, before this one started.
    execution_timeline: ran.flatMap(({ step, outcome: { startedAt, finishedAt }, ms }) =>
      startedAt === null
        ? []
        : [
            {
              step: step.id,
              started_at: epochSeconds(startedAt),
              completed_at: epochSeconds(finishedAt),
              duration: seconds(ms),
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
    recommendations: recommend(measures, record),
    timestamp: epochSeconds(now),
  }
}
