import type { ExecutionInput } from '#engine'
import type { Configured } from '#notifications'

/** Who is notified when an execution ends. */
export interface NotificationPreferences {
  /** The distinct e-mail addresses. */
  readonly addresses: readonly string[]
  /** Whether to use the address of the account, because none was given. */
  readonly toAccount: boolean
  readonly slackChannel: string | undefined
}

export function notificationPreferencesOf({
  callbacks = {},
}: Pick<ExecutionInput, 'callbacks'>): NotificationPreferences {
  const {
    notification_email: notification,
    email_on_completion: completion,
    slack_channel: channel,
  } = callbacks
  const given = [notification, completion].filter((value) => typeof value === 'string' && value !== '')
  const byName = new Map((given as string[]).map((address) => [address.toLowerCase(), address]))
  return {
    addresses: [...byName.values()],
    toAccount: completion === true && byName.size === 0,
    slackChannel: typeof channel === 'string' && channel !== '' ? channel : undefined,
  }
}

/** Whether a notification is requested on a configured channel. */
export function hasNotifications(input: Pick<ExecutionInput, 'callbacks'>, configured: Configured): boolean {
  const { addresses, toAccount, slackChannel } = notificationPreferencesOf(input)
  return (
    (configured.mail && (toAccount || addresses.length > 0)) ||
    (configured.slack && slackChannel !== undefined)
  )
}

/** Whether failures are reported: by the request, else by the flow, else yes. */
export function reportsFailure(
  { options }: Pick<ExecutionInput, 'options'>,
  flowReportsFailure: boolean | undefined,
): boolean {
  return options.error_handling?.notification_on_failure ?? flowReportsFailure ?? true
}
