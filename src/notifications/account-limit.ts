import type { Limiter } from '#kernel/limits'
import type { Logger } from '#kernel/telemetry'
import type { NotificationMetrics } from './delivery/metrics.ts'
import type { Configured, Notification } from './notification.ts'

/** Which notifications of an account may be posted. */
export interface Admission {
  readonly admitted: readonly Notification[]
  /** Whether the limit refused some of them; it refuses all further ones until its window ends. */
  readonly isLimited: boolean
}

export interface AccountLimitOptions {
  readonly limiter: Pick<Limiter, 'take'>
  /** Read for each admission. */
  readonly settings: { readonly maxPerDay: number }
  /** The address of an account's owner; undefined when there is none, or the account is gone or disabled. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
  readonly log: Logger
}

interface ComposedOptions extends AccountLimitOptions {
  readonly configured: Configured
  /** Queues the mail to the owner, in a transaction of its own. */
  readonly post: (notifications: readonly Notification[]) => Promise<unknown>
  readonly metrics: Pick<NotificationMetrics, 'recordLimited'>
}

/** A day begins with the first notification of an account. */
const windowSeconds = 86_400

/**
 * Counts the notifications of accounts, of all kinds together and on all replicas. An account that is refused for the first time in a
 * window is logged, and its owner gets a mail, which is not counted.
 */
export function createAccountLimit({
  limiter,
  settings,
  addressOf,
  configured,
  post,
  log,
  metrics,
}: ComposedOptions): (accountId: string, notifications: readonly Notification[]) => Promise<Admission> {
  async function report(accountId: string, limit: number, endsAt: Date): Promise<void> {
    const key = `notifications.limited ${accountId} ${endsAt.toISOString()}`
    const { allowed: isFirst } = await limiter.take(key, { limit: 1, windowSeconds })
    if (!isFirst) return
    log.warn(
      { accountId, limit, endsAt },
      'the notifications of an account have reached TUTTI_NOTICES_PER_DAY, further ones are not sent',
    )
    const to = await addressOf(accountId)
    if (to !== undefined) await post([mailToOwner({ to, accountId, limit, endsAt })])
  }

  return async (accountId, notifications) => {
    const wanted = notifications.filter(({ kind }) => configured[kind])
    const rule = { limit: settings.maxPerDay, windowSeconds }
    // Concurrent requests share one lease, and after the limit none is needed.
    const taken = await Promise.all(
      wanted.map(() => limiter.take(`notifications.account ${accountId}`, rule)),
    )
    const admitted = wanted.filter((_, index) => taken[index]?.allowed)
    const refusal = taken.find(({ allowed }) => !allowed)
    if (refusal === undefined) return { admitted, isLimited: false }
    metrics.recordLimited(wanted.filter((_, index) => !taken[index]?.allowed))
    await report(accountId, refusal.limit, refusal.resetsAt)
    return { admitted, isLimited: true }
  }
}

interface Reached {
  readonly to: string
  readonly accountId: string
  readonly limit: number
  readonly endsAt: Date
}

function mailToOwner({ to, accountId, limit, endsAt }: Reached): Notification {
  const until = `${endsAt.toISOString().slice(0, 16).replace('T', ' ')} UTC`
  return {
    kind: 'mail',
    to,
    subject: 'Your notifications have reached their daily limit',
    text: [
      `Your executions have reached the limit of ${limit} notifications by mail and to Slack per account and day.`,
      `Further notifications are not sent until ${until}, and not afterwards either.`,
      'Executions continue, and human tasks stay open: they can be answered in the console.',
      'You receive this mail because it is the address of your account.',
    ].join('\n\n'),
    about: accountId,
  }
}
