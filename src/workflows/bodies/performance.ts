import type { ExecutionRecord } from '#engine'
import {
  average,
  dollars,
  type Measures,
  megabytes,
  percentage,
  type RanStep,
  roundedScore,
  roundedShare,
  seconds,
  sumOf,
} from '#runs'

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

/** How the steps that asked a model are spread over the providers that answered, in percent. */
function describeProviders({ ran }: Measures): Record<string, number> {
  const asked = ran.filter(({ details }) => details.usage.provider !== null)
  const byProvider = Map.groupBy(asked, ({ details }) => details.usage.provider ?? '')
  return Object.fromEntries(
    [...byProvider].map(([provider, steps]) => [provider, percentage(steps.length, asked.length) ?? 0]),
  )
}

export function describeResources(measures: Measures, { facts }: Pick<ExecutionRecord, 'facts'>) {
  return {
    peak_memory_usage: facts === null ? null : megabytes(facts.peak_bytes),
    cpu_time: seconds(measures.cpuMs),
    network_requests: measures.networkRequests,
    cache_operations: measures.aiCalls + measures.cacheHits,
  }
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

/** What each provider has cost so far. */
export function describeCostByProvider({ ran }: Pick<Measures, 'ran'>): Record<string, number> {
  const paid = ran.filter(({ details }) => details.usage.provider !== null)
  const byProvider = Map.groupBy(paid, ({ details }) => details.usage.provider ?? '')
  return Object.fromEntries(
    [...byProvider].map(([provider, steps]) => [
      provider,
      dollars(sumOf(steps, ({ outcome }) => outcome.spent ?? 0)),
    ]),
  )
}

/** How long providers took to answer on average, in seconds. */
export function describeResponseTimes({ ran }: Pick<Measures, 'ran'>): Record<string, number> {
  const asked = ran.filter(({ details: { usage } }) => usage.provider !== null && usage.aiCalls > 0)
  const byProvider = Map.groupBy(asked, ({ details }) => details.usage.provider ?? '')
  return Object.fromEntries(
    [...byProvider].map(([provider, steps]) => {
      const calls = sumOf(steps, ({ details }) => details.usage.aiCalls)
      return [provider, seconds(sumOf(steps, ({ details }) => details.usage.aiMs) / calls)]
    }),
  )
}
