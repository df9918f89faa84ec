import type { ExecutionRecord } from '#engine'
import type { Configured, Notices } from '#notices'
import { noticeWishesOf } from '../telling/notice-wishes.ts'

/** Which people can be told of an execution. */
export interface Reach extends Configured {
  /** False when the address of the account is meant, and it has none. */
  readonly hasAddress?: boolean
}

interface ReachOptions {
  readonly notices: Pick<Notices, 'configured'>
  /** The address of an account's owner; undefined when there is none. */
  readonly addressOf: (accountId: string) => Promise<string | undefined>
}

/** Finds out whether what is asked for can be done. Looks for an address only where one is needed. */
export function createReachOf({
  notices: { configured },
  addressOf,
}: ReachOptions): (record: Pick<ExecutionRecord, 'accountId' | 'input'>) => Promise<Reach> {
  return async ({ accountId, input }) => {
    if (!configured.mail || !noticeWishesOf(input).toAccount) return configured
    return { ...configured, hasAddress: (await addressOf(accountId)) !== undefined }
  }
}
