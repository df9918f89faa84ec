import type { ExecutionRecord } from '#engine'
import { average, dollars, percentage, roundedScore, roundedShare, seconds } from '../units.ts'
import type { Measures } from './measures.ts'
import type { RanStep } from './ran-steps.ts'

export function describePerformance(measures: Measures, { spent }: Pick<ExecutionRecord, 'spent'>) {
  return {
    total_execution_time: seconds(measures.elapsedMs ?? 0),
    ai_processing_time: seconds(measures.aiMs),
    api_call_time: seconds(measures.apiMs),
    data_processing_time: seconds(measures.cpuMs),
    total_ai_calls: measures.aiCalls,
    total_tokens_used: measures.tokens,
    total_cost: dollars(spent),
    unpriced: measures.unpriced,
    cache_hits: measures.cacheHits,
    provider_distribution: describeProviders(measures),
  }
}

/** The steps with model calls by provider, in percent. */
function describeProviders({ ran }: Measures): Record<string, number> {
  const asked = ran.filter(({ details }) => details.usage.provider !== null)
  const byProvider = Map.groupBy(asked, ({ details }) => details.usage.provider ?? '')
  return Object.fromEntries(
    [...byProvider].map(([provider, steps]) => [provider, percentage(steps.length, asked.length) ?? 0]),
  )
}

export function describeQuality(
  { ran, succeeded, items }: Measures,
  { status }: Pick<ExecutionRecord, 'status'>,
) {
  return {
    overall_success_rate:
      items === null ? (status === 'completed' ? 100 : 0) : (percentage(items.succeeded, items.total) ?? 0),
    step_success_rate: percentage(succeeded, ran.length),
    agent_confidence_avg: roundedShare(average(ran.flatMap(({ details }) => decisionConfidence(details)))),
    output_quality_score: roundedScore(average(ran.flatMap(({ details }) => details.quality ?? []))),
  }
}

function decisionConfidence({ decision }: RanStep['details']): number[] {
  const confidence = decision !== null && 'confidence' in decision ? decision.confidence : null
  return typeof confidence === 'number' ? [confidence] : []
}
