import type { Counter, Gauge, Histogram, Metrics } from '#kernel/telemetry'

export interface WorkMetrics {
  readonly claimed: Counter<'queue'>
  readonly active: Gauge<'queue'>
  readonly waited: Histogram<'queue'>
  readonly fenced: Counter<'queue'>
  readonly handedOver: Counter<'queue'>
}

export function createWorkMetrics(metrics: Metrics): WorkMetrics {
  const labels = ['queue'] as const
  return {
    claimed: metrics.counter({ name: 'work_claimed_total', help: 'Rows claimed by this process.', labels }),
    active: metrics.gauge({ name: 'work_active', help: 'Rows that this process is handling.', labels }),
    waited: metrics.histogram({
      name: 'work_wait_seconds',
      help: 'Time from when a row was due until it was claimed.',
      labels,
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 30, 300],
    }),
    fenced: metrics.counter({
      name: 'work_fenced_total',
      help: 'Results refused because the claim was lost.',
      labels,
    }),
    handedOver: metrics.counter({
      name: 'work_handed_over_total',
      help: 'Rows of dead workers that this process returned to the queue.',
      labels,
    }),
  }
}
