import type { ExecutionInput } from '#engine'
import type { Database } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import type { Configured } from '#notifications'
import type { Webhooks } from '#webhooks'
import { invalidField } from './errors.ts'

/** The address that is called about an execution, and the events it is sent. */
export interface CallbackPlan {
  readonly url: string
  readonly events: readonly string[]
}

/** An open callback. */
export interface Callback extends CallbackPlan {
  /** Null when an earlier response had it: it cannot be shown again. */
  readonly secret: string | null
}

export interface CallbackOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly webhooks: Pick<Webhooks, 'openCallback' | 'closeCallbacks'>
  readonly outbound: Pick<Outbound, 'checkUrl'>
  /** The API whose events it receives. */
  readonly api: 'workflows' | 'orchestra'
}

interface CallbackRequest {
  readonly plan: CallbackPlan
  /** The request field of the URL. */
  readonly field: string
  readonly executionId: string
  readonly accountId: string
}

/**
 * Opens the callback of an execution before the execution is stored, so that no event is missed. Throws `invalid_input` for a URL
 * that may not be called.
 */
export type OpenCallback = (request: CallbackRequest) => Promise<Callback>

/** Returns the function that opens callbacks for one API. */
export function createCallbackOpener(options: CallbackOptions): OpenCallback {
  const { database, webhooks, outbound, api } = options
  return async ({ plan, field, executionId, accountId }) => {
    const url = await checkAddress(outbound, { account: accountId, url: plan.url, field })
    const { secret } = await database.transaction(async (transaction) => {
      // An earlier request with the same idempotency key may have opened a callback and failed: its secret is lost.
      await webhooks.closeCallbacks(transaction, executionId)
      const callback = {
        api,
        accountId,
        url,
        subject: executionId,
        events: plan.events,
      }
      return await webhooks.openCallback(transaction, callback)
    })
    return { ...plan, secret }
  }
}

/** Every problem of a URL is an invalid input, also an unknown host. */
async function checkAddress(
  outbound: Pick<Outbound, 'checkUrl'>,
  { account, url, field }: { readonly account: string; readonly url: string; readonly field: string },
): Promise<string> {
  try {
    return await outbound.checkUrl(url, { account })
  } catch (error) {
    if (!(error instanceof Failure) || !error.code.startsWith('outbound_')) throw error
    throw invalidField({
      path: field,
      message: `cannot be called: ${error.message.replace(/\.$/, '')}`,
      code: 'webhook_url',
    })
  }
}

/** The callback in a response. The secret is shown only in the response to the request that started the execution. */
export function describeCallback(callback: Callback | undefined) {
  return {
    webhook_url: callback?.url ?? null,
    webhook_secret: callback?.secret ?? null,
    supported_events: [...(callback?.events ?? [])],
  }
}

/** The recipients of the notification about the end of an execution. */
interface NotificationPreferences {
  /** The distinct e-mail addresses. */
  readonly addresses: readonly string[]
  /** Whether to use the address of the account, because none was given. */
  readonly toAccount: boolean
  readonly slackChannel: string | undefined
}

/** Reads the recipients from the callback fields of the request. */
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

/** Whether the callback receives progress events; yes unless the request disables them. */
export function reportsProgress({
  callbacks,
  options,
}: Pick<ExecutionInput, 'callbacks' | 'options'>): boolean {
  return callbacks?.['progress_callbacks'] !== false && options.monitoring?.send_progress_updates !== false
}

const millisecondsIn = { s: 1000, m: 60_000, h: 3_600_000 } as const

/** The interval of progress events; undefined when they follow the steps or are disabled. */
export function progressIntervalMs(input: Pick<ExecutionInput, 'callbacks' | 'options'>): number | undefined {
  const { webhook_url: url, progress_interval: interval } = input.callbacks ?? {}
  if (url === undefined || !reportsProgress(input)) return undefined
  if (typeof interval === 'number') return interval * 1000
  const [, amount, unit] = /^(\d+)([smh])$/.exec(String(interval)) ?? []
  return unit === undefined ? undefined : Number(amount) * millisecondsIn[unit as keyof typeof millisecondsIn]
}
