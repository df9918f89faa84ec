import type { TrafficCounts } from '#cluster'
import type { MetricsHistory, MetricsReading } from '#kernel/metrics-history'
import type { Models } from '#models'

/** The key numbers of the platform. */
export interface LiveStats {
  /** Requests answered by the platform and the cluster service within the retention of two years. */
  readonly totalRequests: number
  /** Input and output tokens of all models: through the gateway without limit, through the cluster service for two years. */
  readonly totalTokens: number
  /** Milliseconds, of the platform's own responses over the last day; 0 without requests. */
  readonly averageResponseTime: number
  /** Models loaded on a node or used within the last five minutes. */
  readonly modelsActive: number
  /** Of the process that runs longest. */
  readonly uptime: string
  readonly uptimeSeconds: number
  /** Over the last five minutes. */
  readonly requestsPerMinute: number
}

export interface LiveOptions {
  readonly metricsHistory: Pick<MetricsHistory, 'read' | 'now'>
  readonly models: Pick<Models, 'usage' | 'catalogue'>
}

const [minuteMs, dayMs] = [60_000, 86_400_000] as const
const keptDays = 730
const recentMinutes = 5

export async function readLiveStats({ metricsHistory, models }: LiveOptions): Promise<LiveStats> {
  const now = new Date()
  const ago = (ms: number) => new Date(now.getTime() - ms)
  const recently = ago(recentMinutes * minuteMs)
  // First: it flushes the metrics of this process, which the reads below include.
  const ever = await metricsHistory.read({ from: ago(keptDays * dayMs), to: now, grain: 'day' })
  const [day, recent, usage, used, entries, { processes }] = await Promise.all([
    metricsHistory.read({ from: ago(dayMs), to: now, grain: 'minute' }),
    metricsHistory.read({ from: recently, to: now, grain: 'minute' }),
    models.usage.totals({ from: '1970-01-01', to: now.toISOString().slice(0, 10), groupBy: [] }),
    models.usage.namesSince(recently),
    models.catalogue.find(),
    metricsHistory.now(),
  ])
  const loaded = entries.filter(({ model }) => model.loaded && model.nodes.length > 0)
  const active = new Set([
    ...loaded.map(({ provider, model }) => `${provider}/${model.id}`),
    ...used.map(({ provider, model }) => `${provider}/${model}`),
  ])
  const startedAt = Math.min(now.getTime(), ...processes.map((process) => process.startedAt.getTime()))
  const uptimeSeconds = Math.floor((now.getTime() - startedAt) / 1000)
  const [passed, passedRecently] = [readTraffic(ever), readTraffic(recent)]
  return {
    totalRequests: ever.requests.count + passed.requests,
    totalTokens:
      usage.totals.input_tokens +
      usage.totals.output_tokens +
      passed.prompt_tokens +
      passed.completion_tokens,
    averageResponseTime: Math.round((day.requests.averageMs ?? 0) * 100) / 100,
    modelsActive: active.size,
    uptime: describeDuration(uptimeSeconds),
    uptimeSeconds,
    requestsPerMinute:
      Math.round(((recent.requests.count + passedRecently.requests) / recentMinutes) * 100) / 100,
  }
}

const units = [
  ['d', 86_400],
  ['h', 3600],
  ['m', 60],
  ['s', 1],
] as const

/** A duration in its two largest units, such as `3d 4h`, `12m 5s` or `0s`. */
export function describeDuration(seconds: number): string {
  const first = units.findIndex(([, length]) => seconds >= length)
  if (first < 0) return '0s'
  let rest = seconds
  return units
    .slice(first, first + 2)
    .map(([unit, length]) => {
      const count = Math.floor(rest / length)
      rest -= count * length
      return `${count}${unit}`
    })
    .join(' ')
}

/** Names of the metrics-history counters of the cluster service. */
export const clusterCounters = {
  requests: 'cluster.requests',
  prompt_tokens: 'cluster.prompt_tokens',
  completion_tokens: 'cluster.completion_tokens',
} as const satisfies Readonly<Record<keyof TrafficCounts, string>>

const fields = Object.keys(clusterCounters) as (keyof TrafficCounts)[]

/** Counts the traffic of the cluster service in this process. */
export function createTrafficCounter(
  metricsHistory: Pick<MetricsHistory, 'add'>,
): (added: TrafficCounts) => void {
  return (added) => {
    for (const field of fields) if (added[field] > 0) metricsHistory.add(clusterCounters[field], added[field])
  }
}

/** The same as amounts by counter, for traffic read from a cluster service in another process. */
export function amountsOf(added: TrafficCounts): Readonly<Record<string, number>> {
  return Object.fromEntries(
    fields.filter((field) => added[field] > 0).map((field) => [clusterCounters[field], added[field]]),
  )
}

/** The traffic of the cluster service in a reading. */
export function readTraffic(reading: Pick<MetricsReading, 'total'>): TrafficCounts {
  const of = (field: keyof TrafficCounts) => Math.round(reading.total(clusterCounters[field]))
  return {
    requests: of('requests'),
    prompt_tokens: of('prompt_tokens'),
    completion_tokens: of('completion_tokens'),
  }
}
