import type { MetricsSeries } from './health-queries.ts'

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
