import type { Metrics } from '#kernel/telemetry'
import type { Outcome } from './classify-attempt.ts'

export interface DeliveryMetrics {
  /** `durationMs` is undefined when nothing was sent. */
  recordAttempt(outcome: Outcome, durationMs: number | undefined): void
}

const labels = { delivered: 'delivered', pending: 'failed', dead: 'dead' } as const

export function createDeliveryMetrics(metrics: Metrics): DeliveryMetrics {
  const total = metrics.counter({
    name: 'webhook_deliveries_total',
    help: 'Attempts to deliver a webhook, by outcome: delivered, failed (will be retried) or dead.',
    labels: ['outcome'],
  })
  const seconds = metrics.histogram({
    name: 'webhook_delivery_seconds',
    help: 'Response time of receivers, timeouts included.',
    buckets: [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30],
  })
  return {
    recordAttempt(outcome, durationMs) {
      total.inc({ outcome: labels[outcome.state] })
      if (durationMs !== undefined) seconds.observe(durationMs / 1000)
    },
  }
}
