import type { Engine, ExecutionEvent, HumanTask } from '#engine'
import type { AnswerLinks } from '#executions-api'
import type { Logger } from '#kernel/telemetry'
import type { Notification, Notifications } from '#notifications'
import type { Publisher } from './event-mapper.ts'
import { createNotificationFeed } from './notification-feed.ts'
import type { OutboxEntry } from './outbox.ts'
import { createTtlCache } from './ttl-cache.ts'

interface HumanTaskPublisherOptions {
  readonly engine: Pick<Engine, 'humanTasks'>
  readonly notifications: Pick<Notifications, 'configured' | 'admit' | 'post'>
  readonly answerLinks: Pick<AnswerLinks, 'linkOf'>
  /** The address of an account, by id or username; undefined when there is none, or the account is gone or disabled. */
  readonly addressOf: (account: string) => Promise<string | undefined>
  /** The console page of a task; undefined when the public URL is not configured. */
  readonly linkOf: (taskId: string) => string | undefined
  readonly log: Logger
}

/** The tasks of a step have the same assignees, and there may be thousands of them. */
const keepAddressMs = 10_000

/** Notifies people by mail and Slack when an execution asks them. */
export function createHumanTaskPublisher(options: HumanTaskPublisherOptions): Publisher {
  const { engine, notifications, log } = options
  const addressOf = createTtlCache({
    keepMs: keepAddressMs,
    nameOf: (account: string) => account,
    load: options.addressOf,
  })

  async function notificationsAbout(task: HumanTask): Promise<Notification[]> {
    const { configured } = notifications
    const { email, slack_channel: channel } = task.notify
    return [
      ...(email && configured.mail ? await mailsOf(task, { ...options, addressOf }) : []),
      ...(channel !== null && configured.slack ? [slackMessageOf(task, channel, options)] : []),
    ]
  }

  async function* notificationsOf({ events }: OutboxEntry): AsyncGenerator<readonly Notification[]> {
    const { mail, slack } = notifications.configured
    if (!mail && !slack) return
    for (const event of events.filter(isOpenedTask)) {
      const task = await engine.humanTasks.read(String(event.data['wait_id']))
      // Other states: it was answered before its notification was sent. Undefined: its execution was deleted.
      yield task?.state === 'open' ? await notificationsAbout(task) : []
    }
  }

  return {
    feeds: [createNotificationFeed({ notifications, notificationsOf, occasion: 'a human task', log })],
  }
}

/** Whether the event says that an execution asks a person. */
function isOpenedTask({ type, data }: Pick<ExecutionEvent, 'type' | 'data'>): boolean {
  return type === 'wait_opened' && data['kind'] === 'human'
}

/** Addresses get a link with which they can answer; accounts get the page of the task in the console. */
async function mailsOf(
  task: HumanTask,
  { answerLinks, addressOf, linkOf }: HumanTaskPublisherOptions,
): Promise<Notification[]> {
  const { assignees, executionId } = task
  const accounts = assignees === null ? [task.accountId] : assignees.accounts
  const owned = await Promise.all(accounts.map((account) => addressOf(account)))
  const emails = assignees?.emails ?? []
  const byLink = await Promise.all(
    emails.map(async (to) => ({ to, link: await answerLinks.linkOf(task, to) })),
  )
  const inConsole = [...new Set(owned)].flatMap((to) =>
    to === undefined || emails.includes(to) ? [] : [{ to, link: linkOf(task.id) }],
  )
  return [...byLink, ...inConsole].map(({ to, link }) => ({
    kind: 'mail',
    to,
    subject: task.notify.subject ?? `${task.flowLabel} needs your answer`,
    text: [
      `"${task.flowLabel}" waits for your answer${deadlineOf(task)}.`,
      task.message,
      link === undefined ? 'Answer it in the console.' : `Answer here: ${link}`,
      'You receive this mail because your address was given for this question.',
    ].join('\n\n'),
    about: executionId,
  }))
}

/** Incoming webhooks of Slack cannot take answers: the message has a plain link. */
function slackMessageOf(
  task: HumanTask,
  channel: string,
  { linkOf }: HumanTaskPublisherOptions,
): Notification {
  const { id, executionId, flowLabel, message } = task
  return {
    kind: 'slack',
    channel,
    text: [
      `"${flowLabel}" waits for an answer${deadlineOf(task)}.`,
      message.length > maxSlackLength ? `${message.slice(0, maxSlackLength)} …` : message,
      linkOf(id) ?? `Execution ${executionId}`,
    ].join('\n'),
    about: executionId,
  }
}

const maxSlackLength = 1000

function deadlineOf({ expiresAt }: HumanTask): string {
  return expiresAt === null ? '' : ` until ${expiresAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
}
