import type { Database } from '#kernel/database'
import type { Logger, Metrics } from '#kernel/telemetry'
import { type AnyQueueRegistration, type Executor, type RecurringTask, serveQueue } from '#kernel/work'
import type { Channels } from './channels.ts'
import { createDeliver, type SendNotice } from './delivery/deliver.ts'
import { createNoticeMetrics } from './delivery/metrics.ts'
import { queues } from './delivery/queues.ts'
import { createSendMail } from './mail/send-mail.ts'
import type { Configured, Notice, NoticeKind } from './notice.ts'
import { post } from './post.ts'
import { createPruneTask } from './prune.ts'
import { createSendSlack } from './slack/send-slack.ts'

/** Tells people what happened here. */
export interface Notices {
  /** Which kinds are sent here. */
  readonly configured: Configured
  /** Puts notices on their way, in the transaction of what happened. Answers how many; what is not configured is left out. */
  post(executor: Executor, notices: readonly Notice[]): Promise<number>
  /** For the worker of this process. */
  readonly queues: readonly AnyQueueRegistration[]
  readonly tasks: readonly RecurringTask[]
}

export interface NoticesOptions {
  readonly database: Database
  readonly channels: Channels
  readonly retentionMs: number
  readonly log: Logger
  readonly metrics: Metrics
  /** How long one try may take in all. */
  readonly timeoutsMs?: Readonly<Record<NoticeKind, number>>
}

/** Mail servers dislike crowds, and Slack takes about one message a second. */
const atOnce: Readonly<Record<NoticeKind, number>> = { mail: 4, slack: 2 }

const defaultTimeoutsMs: Readonly<Record<NoticeKind, number>> = { mail: 60_000, slack: 10_000 }

export function createNotices(options: NoticesOptions): Notices {
  const { database, channels, retentionMs, log, metrics, timeoutsMs = defaultTimeoutsMs } = options
  const { mail, slack } = channels
  const configured = { mail: mail !== undefined, slack: slack !== undefined }
  const noticeMetrics = createNoticeMetrics(metrics)
  const serve = (kind: NoticeKind, send: SendNotice) => {
    const queue = queues[kind]
    return serveQueue({
      queue,
      concurrency: atOnce[kind],
      handle: createDeliver({ database, queue, send, metrics: noticeMetrics, log }),
    })
  }
  return {
    configured,
    post: (executor, notices) => post(executor, notices, configured),
    // Without a way out here, another process may have one.
    queues: [
      ...(mail === undefined ? [] : [serve('mail', createSendMail(mail, timeoutsMs.mail))]),
      ...(slack === undefined ? [] : [serve('slack', createSendSlack(slack, timeoutsMs.slack))]),
    ],
    tasks: [createPruneTask(database, { retentionMs })],
  }
}
