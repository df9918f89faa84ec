import type { Metrics } from '#kernel/telemetry'
import type { Notification, NotificationKind } from '../notification.ts'
import type { Outcome } from './classify-attempt.ts'

export interface NotificationMetrics {
  recordAttempt(kind: NotificationKind, outcome: Outcome, durationMs: number): void
  /** Counts notifications that the limit of their account refused. */
  recordLimited(refused: readonly Pick<Notification, 'kind'>[]): void
}

const labels = { delivered: 'delivered', pending: 'failed', given_up: 'given_up' } as const

export function createNotificationMetrics(metrics: Metrics): NotificationMetrics {
  const total = metrics.counter({
    name: 'notices_total',
    help: 'Attempts to send a mail or Slack message, by outcome: delivered, failed (will be retried) or given_up; and messages that were not queued because of the limit of their account: limited.',
    labels: ['kind', 'outcome'],
  })
  const seconds = metrics.histogram({
    name: 'notice_seconds',
    help: 'Duration of an attempt to send a mail or Slack message.',
    labels: ['kind'],
    buckets: [0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  })
  return {
    recordAttempt(kind, outcome, durationMs) {
      total.inc({ kind, outcome: labels[outcome.state] })
      seconds.observe({ kind }, durationMs / 1000)
    },
    recordLimited(refused) {
      for (const { kind } of refused) total.inc({ kind, outcome: 'limited' })
    },
  }
}
