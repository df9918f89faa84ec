import type { ExecutionRecord } from '#engine'
import type { Configured, Notifications } from '#notifications'
import { notificationPreferencesOf } from '../start/notification-preferences.ts'

/** Which notification channels an execution can use. */
export interface Reach extends Configured {
  /** False when the e-mail address of the account is requested, and it has none. */
  readonly hasAddress?: boolean
}

export interface ReachOptions {
  readonly notifications: Pick<Notifications, 'configured'>
  /** The e-mail address of an account; undefined without one. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
}

/** Returns a function that reads which notifications are possible. It reads an e-mail address only where one is needed. */
export function createReachOf({
  notifications: { configured },
  addressOf,
}: ReachOptions): (record: Pick<ExecutionRecord, 'accountId' | 'input'>) => Promise<Reach> {
  return async ({ accountId, input }) => {
    if (!configured.mail || !notificationPreferencesOf(input).toAccount) return configured
    return { ...configured, hasAddress: (await addressOf(accountId)) !== undefined }
  }
}
