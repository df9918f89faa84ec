import type { ExecutionInput } from '#engine'
import type { Configured } from '#notices'

/** Which people want to hear how an execution ended. */
export interface NoticeWishes {
  /** Addresses that were written down, each once. */
  readonly addresses: readonly string[]
  /** Whether the account's own address is meant, because none was written down. */
  readonly toAccount: boolean
  readonly slackChannel: string | undefined
}

export function noticeWishesOf({ callbacks = {} }: Pick<ExecutionInput, 'callbacks'>): NoticeWishes {
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

/** Whether somebody is to be told by a way that is open here. */
export function wantsNotices(input: Pick<ExecutionInput, 'callbacks'>, configured: Configured): boolean {
  const { addresses, toAccount, slackChannel } = noticeWishesOf(input)
  return (
    (configured.mail && (toAccount || addresses.length > 0)) ||
    (configured.slack && slackChannel !== undefined)
  )
}

/** Whether those who wait for an end hear of one without success: as the caller says, else as the flow says, else yes. */
export function tellsFailure(
  { options }: Pick<ExecutionInput, 'options'>,
  flowTellsFailure: boolean | undefined,
): boolean {
  return options.error_handling?.notification_on_failure ?? flowTellsFailure ?? true
}
