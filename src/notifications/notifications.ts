import { randomUUID } from 'node:crypto'
import type { Database } from '#kernel/database'
import type { Metrics } from '#kernel/telemetry'
import {
  type AnyQueueRegistration,
  type Executor,
  type RecurringTask,
  runStatement,
  serveQueue,
} from '#kernel/work'
import { type AccountLimitOptions, type Admission, createAccountLimit } from './account-limit.ts'
import { oneLine, plainText } from './bounded-text.ts'
import type { Channels } from './channels.ts'
import { createDeliver, type SendNotification } from './delivery/deliver.ts'
import { createNotificationMetrics } from './delivery/metrics.ts'
import { queues } from './delivery/queues.ts'
import { notificationsFailure } from './errors.ts'
import { createSendMail } from './mail/send-mail.ts'
import type { Configured, Notification, NotificationKind } from './notification.ts'
import { createSendSlack } from './slack/send-slack.ts'

/** Sends mail and Slack messages to people. */
export interface Notifications {
  /** The kinds this process has a channel for, at the time of reading. */
  readonly configured: Configured
  /**
   * Counts notifications that executions of an account cause, and returns those that its limit admits. Kinds without a configured channel
   * are dropped and not counted. Runs statements outside of the caller's transaction: a transaction that fails and is tried again counts
   * twice. Rejects with `database_unavailable`.
   */
  admit(accountId: string, notifications: readonly Notification[]): Promise<Admission>
  /**
   * Queues notifications in the caller's transaction and resolves to how many it queued. Kinds without a configured channel are skipped.
   * Throws database errors only: no text or recipient makes it fail.
   */
  post(executor: Executor, notifications: readonly Notification[]): Promise<number>
  /**
   * Sends a notification at once, without the queue and without retries. Resolves to undefined when it has arrived, else to the reason.
   * Throws `notifications_not_configured` without a channel of its kind.
   */
  sendNow(notification: Notification): Promise<string | undefined>
  /** To be served by the worker of this process. */
  readonly queues: readonly AnyQueueRegistration[]
  readonly tasks: readonly RecurringTask[]
}

export interface NotificationsOptions extends AccountLimitOptions {
  readonly database: Database
  /** The channels now. */
  readonly channels: () => Channels
  /** Read when they are used. */
  readonly settings: AccountLimitOptions['settings'] & { readonly retentionMs: number }
  readonly metrics: Metrics
  /** The limit of one attempt: connecting, signing in and sending. */
  readonly timeoutsMs?: Readonly<Record<NotificationKind, number>>
}

/** Mail servers limit connections per client, and Slack accepts about one message a second. */
const concurrencyOf: Readonly<Record<NotificationKind, number>> = { mail: 4, slack: 2 }

const defaultTimeoutsMs: Readonly<Record<NotificationKind, number>> = { mail: 60_000, slack: 10_000 }

/** Creates the module: its queues go to the worker, its tasks to the scheduler. Does not throw. */
export function createNotifications(options: NotificationsOptions): Notifications {
  const { database, channels, settings, log, metrics, timeoutsMs = defaultTimeoutsMs } = options
  const configured: Configured = {
    get mail() {
      return channels().mail !== undefined
    },
    get slack() {
      return channels().slack !== undefined
    },
  }
  const notificationMetrics = createNotificationMetrics(metrics)
  const senderOf = createSenders(channels)
  const serve = (kind: NotificationKind) => {
    const queue = queues[kind]
    const send: SendNotification = async (row, signal) => {
      const sender = senderOf(kind, timeoutsMs[kind])
      return sender === undefined ? notConfigured : await sender(row, signal)
    }
    return serveQueue({
      queue,
      concurrency: concurrencyOf[kind],
      // A kind without a channel here may have one in another process, so its rows are left to that process.
      onlyKeys: () => (configured[kind] ? undefined : []),
      handle: createDeliver({ database, queue, send, metrics: notificationMetrics, log }),
    })
  }
  return {
    configured,
    admit: createAccountLimit({
      ...options,
      configured,
      post: (some) => post(database, some, configured),
      metrics: notificationMetrics,
    }),
    post: (executor, notifications) => post(executor, notifications, configured),
    async sendNow(notification) {
      const { kind, recipient, subject, body, about } = toRow(notification)
      const sender = senderOf(kind, Math.min(timeoutsMs[kind], nowTimeoutMs))
      if (sender === undefined) throw notificationsFailure('notifications_not_configured')
      const row = {
        id: randomUUID(),
        kind,
        recipient,
        subject,
        body,
        about,
        attempts: 0,
        created_at: new Date(),
      }
      const result = await sender(row, new AbortController().signal)
      return result.arrived ? undefined : oneLine(result.problem, maxProblemLength)
    },
    queues: [serve('mail'), serve('slack')],
    tasks: [createPruneTask(database, settings)],
  }
}

/** The user waits for the result. */
const nowTimeoutMs = 15_000
const maxProblemLength = 500

/** The channel was removed after the row was claimed. */
const notConfigured = {
  arrived: false,
  problem: 'The channel is no longer configured.',
  isFinal: false,
} as const

/** Finds the sender of a kind with its channel of this moment. */
function createSenders(channels: () => Channels) {
  return (kind: NotificationKind, timeoutMs: number): SendNotification | undefined => {
    const { mail, slack } = channels()
    if (kind === 'mail') return mail && createSendMail(mail, timeoutMs)
    return slack && createSendSlack(slack, timeoutMs)
  }
}

const maxLengths = { recipient: 400, subject: 200, body: 20_000, about: 200 } as const

const postStatement = `
  insert into notices (kind, recipient, subject, body, about)
  select kind, recipient, subject, body, about
  from jsonb_to_recordset($1::jsonb) as entry (kind text, recipient text, subject text, body text, about text)
`

/**
 * Inserts the rows in the transaction of the event they are about, so that both are committed or neither. Texts are shortened and cleaned
 * instead of rejected: a notification must never roll back the event it reports.
 */
async function post(
  executor: Executor,
  notifications: readonly Notification[],
  configured: Configured,
): Promise<number> {
  const rows = notifications.filter(({ kind }) => configured[kind]).map(toRow)
  if (rows.length === 0) return 0
  await runStatement(executor, postStatement, [JSON.stringify(rows)])
  for (const kind of new Set(rows.map((row) => row.kind))) await queues[kind].wake(executor)
  return rows.length
}

function toRow(notification: Notification) {
  const { kind, text, about } = notification
  return {
    kind,
    recipient: oneLine(kind === 'mail' ? notification.to : notification.channel, maxLengths.recipient),
    subject: kind === 'mail' ? oneLine(notification.subject, maxLengths.subject) : null,
    body: plainText(text, maxLengths.body),
    about: oneLine(about, maxLengths.about),
  }
}

const chunkSize = 1000

const pruneFinished = `
  delete from notices where (id, kind) in (
    select id, kind from notices
    where state <> 'pending' and finished_at < now() - $1 * interval '1 millisecond'
    order by finished_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

/** A notification still queued after the retention and a day has no process with its channel: any such process would have finished it. */
const pruneStranded = `
  delete from notices where (id, kind) in (
    select id, kind from notices
    where state = 'pending' and work_state = 'queued'
      and created_at < now() - $1 * interval '1 millisecond' - interval '1 day'
    order by created_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

/** Deletes notifications that finished before the retention began, in chunks that keep transactions short. */
function createPruneTask(
  database: Pick<Database, 'query'>,
  settings: { readonly retentionMs: number },
): RecurringTask {
  return {
    name: 'notices.prune',
    everyMs: 10 * 60_000,
    async run(signal) {
      for (const statement of [pruneFinished, pruneStranded]) {
        do signal.throwIfAborted()
        while ((await database.query(statement, [settings.retentionMs])).length === chunkSize)
      }
    },
  }
}
