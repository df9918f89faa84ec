import type { TrafficCounts } from '#cluster'
import type { MetricsHistory, MetricsReading } from '#kernel/metrics-history'

/** The counters that requests and tokens of the cluster service are kept under. */
export const clusterCounters = {
  requests: 'cluster.requests',
  prompt_tokens: 'cluster.prompt_tokens',
  completion_tokens: 'cluster.completion_tokens',
} as const satisfies Readonly<Record<keyof TrafficCounts, string>>

const fields = Object.keys(clusterCounters) as (keyof TrafficCounts)[]

/** Counts what passes through the cluster service of this process. */
export function createTrafficCounter(
  metricsHistory: Pick<MetricsHistory, 'add'>,
): (added: TrafficCounts) => void {
  return (added) => {
    for (const field of fields) if (added[field] > 0) metricsHistory.add(clusterCounters[field], added[field])
  }
}

/** The same as amounts by counter, for traffic that was read from a service elsewhere. */
export function amountsOf(added: TrafficCounts): Readonly<Record<string, number>> {
  return Object.fromEntries(
    fields.filter((field) => added[field] > 0).map((field) => [clusterCounters[field], added[field]]),
  )
}

/** What the cluster added to a time. */
export function readTraffic(reading: Pick<MetricsReading, 'total'>): TrafficCounts {
  const of = (field: keyof TrafficCounts) => Math.round(reading.total(clusterCounters[field]))
  return {
    requests: of('requests'),
    prompt_tokens: of('prompt_tokens'),
    completion_tokens: of('completion_tokens'),
  }
}
