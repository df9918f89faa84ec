import type { NodemailerError } from 'nodemailer'
import type { Database } from '#kernel/database'
import type { Logger, Metrics } from '#kernel/telemetry'
import {
  type AnyQueueRegistration,
  type Executor,
  type RecurringTask,
  runStatement,
  serveQueue,
} from '#kernel/work'
import { oneLine, plainText } from './bounded-text.ts'
import type { Channels, MailChannel } from './channels.ts'
import { createDeliver, type SendNotification } from './delivery/deliver.ts'
import type { Sent } from './delivery/judge.ts'
import { createNotificationMetrics } from './delivery/metrics.ts'
import { queues } from './delivery/queues.ts'
import { connectMail } from './mail/connect-mail.ts'
import { isAddress } from './mail/mail-server.ts'
import type { Configured, Notification, NotificationKind } from './notification.ts'
import { createSendSlack } from './slack/send-slack.ts'

/** Tells people what happened here. */
export interface Notifications {
  /** Which kinds are sent here. */
  readonly configured: Configured
  /** Puts notices on their way, in the transaction of what happened. Answers how many; what is not configured is left out. */
  post(executor: Executor, notifications: readonly Notification[]): Promise<number>
  /** For the worker of this process. */
  readonly queues: readonly AnyQueueRegistration[]
  readonly tasks: readonly RecurringTask[]
}

export interface NotificationsOptions {
  readonly database: Database
  readonly channels: Channels
  readonly retentionMs: number
  readonly log: Logger
  readonly metrics: Metrics
  /** How long one try may take in all. */
  readonly timeoutsMs?: Readonly<Record<NotificationKind, number>>
}

/** Mail servers dislike crowds, and Slack takes about one message a second. */
const atOnce: Readonly<Record<NotificationKind, number>> = { mail: 4, slack: 2 }

const defaultTimeoutsMs: Readonly<Record<NotificationKind, number>> = { mail: 60_000, slack: 10_000 }

export function createNotifications(options: NotificationsOptions): Notifications {
  const { database, channels, retentionMs, log, metrics, timeoutsMs = defaultTimeoutsMs } = options
  const { mail, slack } = channels
  const configured = { mail: mail !== undefined, slack: slack !== undefined }
  const notificationMetrics = createNotificationMetrics(metrics)
  const serve = (kind: NotificationKind, send: SendNotification) => {
    const queue = queues[kind]
    return serveQueue({
      queue,
      concurrency: atOnce[kind],
      handle: createDeliver({ database, queue, send, metrics: notificationMetrics, log }),
    })
  }
  return {
    configured,
    post: (executor, notifications) => post(executor, notifications, configured),
    // Without a way out here, another process may have one.
    queues: [
      ...(mail === undefined ? [] : [serve('mail', createSendMail(mail, timeoutsMs.mail))]),
      ...(slack === undefined ? [] : [serve('slack', createSendSlack(slack, timeoutsMs.slack))]),
    ],
    tasks: [createPruneTask(database, { retentionMs })],
  }
}

const maxOf = { recipient: 400, subject: 200, body: 20_000, about: 200 } as const

const postStatement = `
  insert into notices (kind, recipient, subject, body, about)
  select kind, recipient, subject, body, about
  from jsonb_to_recordset($1::jsonb) as given (kind text, recipient text, subject text, body text, about text)
`

/**
 * Puts notices on their way in the transaction of what they are about: either both are there or neither. What nobody here can send is
 * left out. Nothing a notice says makes this fail, because what happened must not be undone by the news of it.
 */
async function post(
  executor: Executor,
  notifications: readonly Notification[],
  configured: Configured,
): Promise<number> {
  const rows = notifications.filter(({ kind }) => configured[kind]).map(rowOf)
  if (rows.length === 0) return 0
  await runStatement(executor, postStatement, [JSON.stringify(rows)])
  for (const kind of new Set(rows.map((row) => row.kind))) await queues[kind].wake(executor)
  return rows.length
}

function rowOf(notification: Notification) {
  const { kind, text, about } = notification
  return {
    kind,
    recipient: oneLine(kind === 'mail' ? notification.to : notification.channel, maxOf.recipient),
    subject: kind === 'mail' ? oneLine(notification.subject, maxOf.subject) : null,
    body: plainText(text, maxOf.body),
    about: oneLine(about, maxOf.about),
  }
}

const chunkSize = 1000

const pruneOver = `
  delete from notices where (id, kind) in (
    select id, kind from notices
    where state <> 'pending' and finished_at < now() - $1 * interval '1 millisecond'
    order by finished_at
    limit ${chunkSize}
    for update skip locked
  )
  returning 1
`

/** What still waits after that and a day has nobody left to send it: whoever could would have sent it, or given it up. */
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

/** Forgets notices that were over long ago. */
function createPruneTask(
  database: Pick<Database, 'query'>,
  { retentionMs }: { readonly retentionMs: number },
): RecurringTask {
  return {
    name: 'notices.prune',
    everyMs: 10 * 60_000,
    async run(signal) {
      for (const statement of [pruneOver, pruneStranded]) {
        do signal.throwIfAborted()
        while ((await database.query(statement, [retentionMs])).length === chunkSize)
      }
    },
  }
}

/** The timeout is for all of it: to connect, to sign in, to hand over. */
function createSendMail({ server, from }: MailChannel, timeoutMs: number): SendNotification {
  return async ({ id, recipient, subject, body, created_at: date }, signal) => {
    if (!isAddress(recipient)) return refuse('It is not an address.')
    const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
    try {
      using connection = await connectMail(server, deadline)
      await connection.transport.sendMail({
        from,
        to: { name: '', address: recipient },
        // Said apart from the headers, so that nothing in them decides where it goes.
        envelope: { from: from.address, to: [recipient] },
        subject: subject ?? '',
        text: body,
        date,
        // The same each time, so that a mail that had to be sent again can be told.
        messageId: `<${id}@${from.address.split('@').at(-1)}>`,
        // Says that nobody should answer it, least of all a machine.
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
      return { arrived: true }
    } catch (error) {
      signal.throwIfAborted()
      if (deadline.aborted)
        return { arrived: false, problem: `It took longer than ${timeoutMs / 1000} s.`, isFinal: false }
      return judgeFailure(error)
    }
  }
}

function refuse(problem: string): Sent {
  return { arrived: false, problem, isFinal: true }
}

/**
 * | what the server says                                | then                                      |
 * |-----------------------------------------------------|-------------------------------------------|
 * | 5xx (but 503) to the recipient or to the mail       | final: nobody will take it                |
 * | 5xx to the password, the sender or the greeting     | later: somebody can mend the settings     |
 * | 4xx, 503, nothing, or nobody is there               | later                                     |
 */
function judgeFailure(error: unknown): Sent {
  const { command, permanent, message } = error as NodemailerError
  const isAboutMail = command === 'RCPT TO' || command === 'DATA'
  return { arrived: false, problem: message, isFinal: isAboutMail && permanent === true }
}
