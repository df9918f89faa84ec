import type { Metrics } from '#kernel/telemetry'
import type { Verdict } from './judge.ts'

export interface DeliveryMetrics {
  /** Without a duration nothing was sent. */
  tried(verdict: Verdict, durationMs: number | undefined): void
}

const outcomes = { delivered: 'delivered', pending: 'failed', dead: 'dead' } as const

export function createDeliveryMetrics(metrics: Metrics): DeliveryMetrics {
  const total = metrics.counter({
    name: 'webhook_deliveries_total',
    help: 'Tries to deliver a webhook, by what became of it: delivered, failed and to be tried again, dead.',
    labels: ['outcome'],
  })
  const seconds = metrics.histogram({
    name: 'webhook_delivery_seconds',
    help: 'How long receivers take to answer, or not to.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
  })
  return {
    tried(verdict, durationMs) {
      total.inc({ outcome: outcomes[verdict.state] })
      if (durationMs !== undefined) seconds.observe(durationMs / 1000)
    },
  }
}
