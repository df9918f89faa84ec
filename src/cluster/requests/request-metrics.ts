import type { Metrics } from '#kernel/telemetry'
import type { AnswerTail } from './answer-tail.ts'
import { readTokenCounts, type TokenCounts } from './token-counts.ts'

/** What of the requests Prometheus is told. Times come in milliseconds and are shown in seconds. */
export interface RequestMetrics {
  /** Of those who had to. */
  waited(ms: number): void
  failover(node: string, reason: string): void
  firstByte(node: string, ms: number): void
  left(node: string, strategy: string, outcome: 'answered' | 'failed' | 'cancelled', ms: number): void
  /** Answers what it counted; undefined when the answer does not tell. */
  tokens(node: string, model: string, tail: AnswerTail): TokenCounts | undefined
}

const secondsUpToMinutes = [0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 300]

interface RequestMetricsOptions {
  readonly metrics: Metrics
  /** By model: how many wait. */
  readonly depths: () => ReadonlyMap<string, number>
}

export function measureRequests({ metrics, depths }: RequestMetricsOptions): RequestMetrics {
  const requests = metrics.counter({
    name: 'cluster_requests_total',
    help: 'Requests given to a node, by the strategy that chose it and how they ended.',
    labels: ['node', 'strategy', 'outcome'],
  })
  const failovers = metrics.counter({
    name: 'cluster_failovers_total',
    help: 'Requests that moved on to another node, by the node that failed and why.',
    labels: ['node', 'reason'],
  })
  const firstByte = metrics.histogram({
    name: 'cluster_first_byte_seconds',
    help: 'Time from asking a node to the first byte of its answer.',
    labels: ['node'],
    buckets: secondsUpToMinutes,
  })
  const total = metrics.histogram({
    name: 'cluster_request_seconds',
    help: 'Time from asking a node to the end of its answer.',
    labels: ['node'],
    buckets: secondsUpToMinutes,
  })
  const waits = metrics.histogram({
    name: 'cluster_queue_seconds',
    help: 'Time requests waited for a node to have a hand free, of those that had to.',
    buckets: secondsUpToMinutes,
  })
  const tokens = metrics.counter({
    name: 'cluster_tokens_total',
    help: 'Tokens the nodes say they read (prompt) and wrote (completion).',
    labels: ['node', 'model', 'kind'],
  })
  metrics.gauge({
    name: 'cluster_queue_depth',
    help: 'Requests that wait for a model.',
    labels: ['model'],
    collect(gauge) {
      gauge.reset()
      for (const [model, depth] of depths()) gauge.set({ model }, depth)
    },
  })
  return {
    waited: (ms) => waits.observe(ms / 1000),
    failover: (node, reason) => failovers.inc({ node, reason }),
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
