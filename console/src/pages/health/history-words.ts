import { describeShare, type UptimeBar } from '../../parts/uptime-bars.ts'
import { describeMilliseconds } from '../cluster/node-words.ts'
import type { MetricsSeries, ServiceHistory } from './health-queries.ts'
import { type HealthRange, healthRanges } from './health-search.ts'
import { nameStretch } from './stretch-names.ts'

/** The title of a time range. */
export function wholeOf(range: string): string {
  return healthRanges.find(({ name }) => name === range)?.title ?? range
}

/** The uptime bars of a service, each labelled by its period. */
export function barsOf({ bars }: Pick<ServiceHistory, 'bars'>, range: HealthRange): readonly UptimeBar[] {
  return bars.map(({ at, online, degraded, offline }) => ({
    name: nameBar(at, range),
    online,
    degraded,
    offline,
  }))
}

/** The label of a bar, which spans 15 minutes or a day. */
export function nameBar(at: string, range: HealthRange): string {
  return nameStretch(at, range === '24h' ? 'quarter' : 'day').name
}

/** Share of checks that were not offline; a dash without checks. */
export function describeUptime({ checks, offline }: Pick<ServiceHistory, 'checks' | 'offline'>): string {
  return checks === 0 ? '–' : describeShare((checks - offline) / checks)
}

/** A response time; a dash when none was measured. */
export function describePercentile(ms: number | null): string {
  if (ms === null) return '–'
  return describeMilliseconds(ms >= 10 ? Math.round(ms) : Math.round(ms * 10) / 10)
}

type Point = Pick<
  MetricsSeries['points'][number],
  'requests' | 'average_ms' | 'max_ms' | 'input_tokens' | 'output_tokens'
>

/** The totals of all points. Times are null without responses. */
export function sumPoints(points: readonly Point[]) {
  const sumOf = (valueOf: (point: Point) => number) => points.reduce((sum, point) => sum + valueOf(point), 0)
  const answered = sumOf(({ requests, average_ms }) => (average_ms === null ? 0 : requests))
  const wholeMs = sumOf(({ requests, average_ms }) => (average_ms ?? 0) * requests)
  const longest = points.flatMap(({ max_ms }) => (max_ms === null ? [] : [max_ms]))
  return {
    averageMs: answered === 0 ? null : wholeMs / answered,
    maxMs: longest.length === 0 ? null : Math.max(...longest),
    inputTokens: sumOf(({ input_tokens }) => input_tokens),
    outputTokens: sumOf(({ output_tokens }) => output_tokens),
  }
}
