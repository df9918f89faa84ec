import { type ExecutionRecord, rulesOf } from '#engine'
import {
  describeAgentDecisions,
  describePhase,
  describeProgress,
  describeResultsByStep,
  dollars,
  type Expectation,
  epochSeconds,
  measure,
  megabytes,
  peakBytes,
  type Reach,
  seconds,
  stepsByState,
  sumOf,
} from '#runs'
import { describeWarningsHere } from './warnings.ts'

export function describeStatus(record: ExecutionRecord, expected: Expectation, reach: Reach, now: Date) {
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
