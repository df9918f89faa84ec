import type { Metrics } from '#kernel/telemetry'
import type { ResponseTail } from './response-tail.ts'
import { readTokenCounts, type TokenCounts } from './token-counts.ts'

/** The Prometheus metrics of requests. Times are given in milliseconds and exported in seconds. */
export interface RequestMetrics {
  /** Wait of queued requests. */
  waited(ms: number): void
  failover(node: string, reason: string): void
  /** A node continued the stream of another. */
  continued(node: string): void
  firstByte(node: string, ms: number): void
  left(node: string, strategy: string, outcome: 'answered' | 'failed' | 'cancelled', ms: number): void
  /** Returns the counted tokens; undefined when the response has no counts. */
  tokens(node: string, model: string, tail: ResponseTail): TokenCounts | undefined
}

const secondsUpToMinutes = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

interface RequestMetricsOptions {
  readonly metrics: Metrics
  /** Waiting requests by model. */
  readonly depths: () => ReadonlyMap<string, number>
}

export function measureRequests({ metrics, depths }: RequestMetricsOptions): RequestMetrics {
  const requests = metrics.counter({
    name: 'cluster_requests_total',
    help: 'Requests sent to a node, by strategy and outcome.',
    labels: ['node', 'strategy', 'outcome'],
  })
  const failovers = metrics.counter({
    name: 'cluster_failovers_total',
    help: 'Requests retried on another node, by failed node and reason.',
    labels: ['node', 'reason'],
  })
  const continuations = metrics.counter({
    name: 'cluster_continuations_total',
    help: 'Streams that a node continued after another had failed.',
    labels: ['node'],
  })
  const firstByte = metrics.histogram({
    name: 'cluster_first_byte_seconds',
    help: 'Time to the first byte of the response of a node.',
    labels: ['node'],
    buckets: secondsUpToMinutes,
  })
  const total = metrics.histogram({
    name: 'cluster_request_seconds',
    help: 'Time to the end of the response of a node.',
    labels: ['node'],
    buckets: secondsUpToMinutes,
  })
  const waits = metrics.histogram({
    name: 'cluster_queue_seconds',
    help: 'Queue time of the requests that had to wait for a node.',
    buckets: secondsUpToMinutes,
  })
  const tokens = metrics.counter({
    name: 'cluster_tokens_total',
    help: 'Tokens reported by the nodes, read (prompt) and written (completion).',
    labels: ['node', 'model', 'kind'],
  })
  metrics.gauge({
    name: 'cluster_queue_depth',
    help: 'Requests waiting for a model.',
    labels: ['model'],
    collect(gauge) {
      gauge.reset()
      for (const [model, depth] of depths()) gauge.set({ model }, depth)
    },
  })
  return {
    waited: (ms) => waits.observe(ms / 1000),
    failover: (node, reason) => failovers.inc({ node, reason }),
    continued: (node) => continuations.inc({ node }),
    firstByte: (node, ms) => firstByte.observe({ node }, ms / 1000),
    left(node, strategy, outcome, ms) {
      requests.inc({ node, strategy, outcome })
      if (outcome === 'answered') total.observe({ node }, ms / 1000)
    },
    tokens(node, model, tail) {
      const counts = readTokenCounts(tail.bytes(), tail.beginning())
      if (counts === undefined) return undefined
      tokens.inc({ node, model, kind: 'prompt' }, counts.prompt)
      tokens.inc({ node, model, kind: 'completion' }, counts.completion)
      return counts
    },
  }
}
