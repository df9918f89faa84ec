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
    claimed: metrics.counter({ name: 'work_claimed_total', help: 'Rows this process has claimed.', labels }),
    active: metrics.gauge({ name: 'work_active', help: 'Rows this process is working on.', labels }),
    waited: metrics.histogram({
      name: 'work_wait_seconds',
      help: 'From when a row was due to when it was claimed.',
      labels,
      buckets: [0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.5, 1, 5, 30, 300],
    }),
    fenced: metrics.counter({
      name: 'work_fenced_total',
      help: 'Results refused because the claim was no longer held.',
      labels,
    }),
    handedOver: metrics.counter({
      name: 'work_handed_over_total',
      help: 'Rows this process took from dead workers and put back.',
      labels,
    }),
  }
}
