import type { Engine, ExecutionRecord } from '#engine'
import {
  describeFailure,
  hasNotifications,
  notificationPreferencesOf,
  reportsFailure,
  responses,
  units,
} from '#executions-api'
import type { Logger } from '#kernel/telemetry'
import type { Notification, Notifications } from '#notifications'
import type { Publisher } from './event-mapper.ts'
import { createNotificationFeed } from './notification-feed.ts'
import type { OutboxEntry } from './outbox.ts'
import { isEnd, recordAt } from './record-at.ts'

interface NotificationsPublisherOptions {
  readonly engine: Pick<Engine, 'executions'>
  readonly notifications: Pick<Notifications, 'configured' | 'admit' | 'post'>
  /** The address of an account's owner; undefined when there is none, or the account is gone or disabled. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  /** The console page of an execution; undefined when the public URL is not configured. */
  readonly linkOf: (executionId: string) => string | undefined
  readonly log: Logger
}

/** Notifies people by mail and Slack when an execution ends. */
export function createNotificationsPublisher(options: NotificationsPublisherOptions): Publisher {
  const { engine, notifications, addressOf, linkOf, log } = options

  async function* notificationsOf({
    executionId,
    input,
    events,
  }: OutboxEntry): AsyncGenerator<readonly Notification[]> {
    const ends = events.filter(isEnd)
    if (ends.length === 0 || !hasNotifications(input, notifications.configured)) return
    const record = await engine.executions.readWithTexts(executionId)
    // The execution was deleted meanwhile.
    if (record === undefined) return
    const { addresses, toAccount, slackChannel } = notificationPreferencesOf(input)
    const own = toAccount ? await addressOf(record.accountId) : undefined
    const recipients = own === undefined ? addresses : [...addresses, own]
    yield ends
      .map((event) => recordAt(record, event))
      .filter((then) => then.status === 'completed' || reportsFailure(input, flowNotifiesOfFailure(then)))
      .flatMap((then) => {
        const messages = describeEnd(then, linkOf(executionId))
        const mails = recipients.map((to) => ({
          kind: 'mail' as const,
          to,
          ...messages.mail,
          about: executionId,
        }))
        if (slackChannel === undefined) return mails
        return [...mails, { kind: 'slack', channel: slackChannel, text: messages.slack, about: executionId }]
      })
  }

  return {
    feeds: [
      createNotificationFeed({ notifications, notificationsOf, occasion: 'the end of an execution', log }),
    ],
  }
}

function flowNotifiesOfFailure({ definition }: ExecutionRecord): boolean | undefined {
  return definition.global_configuration?.error_handling?.notification_on_failure
}

const verbs = { completed: 'has completed', failed: 'has failed', cancelled: 'was cancelled' } as const

const maxOfReason = 1000

/** The messages about an ended execution. They carry no outputs: the console and the API check who may read those. */
function describeEnd(record: ExecutionRecord, link: string | undefined) {
  const { id, definition, flowVersion, status, spent, startedAt, finishedAt } = record
  const { elapsedMs, items } = responses.deriveStats(record, finishedAt ?? new Date())
  const verb = verbs[status as keyof typeof verbs]
  const reason = status === 'completed' ? undefined : reasonOf(record)
  const facts: readonly (readonly [string, string | undefined])[] = [
    ['Why', reason],
    ['Execution', id],
    ['Flow', `${record.flowId}, version ${flowVersion}`],
    ['Started', startedAt === null ? undefined : moment(startedAt)],
    ['Ended', finishedAt === null ? undefined : moment(finishedAt)],
    ['Took', elapsedMs === null ? undefined : duration(elapsedMs)],
    ['Cost', `$${units.dollars(spent)}`],
    ['Items', items === null ? undefined : `${items.succeeded} of ${items.total} succeeded`],
  ]
  const lines = facts.flatMap(([name, value]) => (value === undefined ? [] : [`${name}: ${value}`]))
  const took = elapsedMs === null ? '' : ` after ${duration(elapsedMs)}`
  return {
    mail: {
      subject: `${definition.label} ${verb}`,
      text: [
        `"${definition.label}" ${verb}${took}.`,
        lines.join('\n'),
        ...(link === undefined ? [] : [link]),
        'You receive this mail because your address was given for notifications about this execution.',
      ].join('\n\n'),
    },
    slack: [
      `"${definition.label}" ${verb}${took}, for $${units.dollars(spent)}.`,
      ...(reason === undefined ? [] : [reason]),
      link ?? `Execution ${id}`,
    ].join('\n'),
  }
}

function reasonOf(record: ExecutionRecord): string {
  const { code, message } = describeFailure(record)
  return `${message.slice(0, maxOfReason)} (${code})`
}

function moment(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}

function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = Math.round(milliseconds / 1000)
  if (seconds < 60) return `${Math.round(milliseconds / 100) / 10} s`
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`
}
