import type { Metrics } from '#kernel/telemetry'
import type { NoticeKind } from '../notice.ts'
import type { Verdict } from './judge.ts'

export interface NoticeMetrics {
  tried(kind: NoticeKind, verdict: Verdict, durationMs: number): void
}

const outcomes = { delivered: 'delivered', pending: 'failed', given_up: 'given_up' } as const

export function createNoticeMetrics(metrics: Metrics): NoticeMetrics {
  const total = metrics.counter({
    name: 'notices_total',
    help: 'Tries to send a mail or a message to Slack, by what became of it: delivered, failed and to be tried again, given_up.',
    labels: ['kind', 'outcome'],
  })
  const seconds = metrics.histogram({
    name: 'notice_seconds',
    help: 'How long it takes to hand over a mail or a message to Slack, or to fail.',
    labels: ['kind'],
    buckets: [0.05, 0.1, 0.5, 1, 5, 10, 30, 60],
  })
  return {
    tried(kind, verdict, durationMs) {
      total.inc({ kind, outcome: outcomes[verdict.state] })
      seconds.observe({ kind }, durationMs / 1000)
    },
  }
}
