import type { Database } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import type { Webhooks } from '#webhooks'
import { type CallbackPlan, refuseAddress } from './callback-plan.ts'

/** A callback as its owner is told of it. */
export interface Callback extends CallbackPlan {
  /** Null when it was told in an answer before this one, and cannot be told again. */
  readonly secret: string | null
}

interface CallbackOpenerOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly webhooks: Pick<Webhooks, 'openCallback' | 'closeCallbacks'>
  readonly outbound: Pick<Outbound, 'checkUrl'>
  /** Whose words its events are in. */
  readonly api: 'workflows' | 'orchestra'
}

interface CallbackWish {
  readonly plan: CallbackPlan
  /** Where the caller wrote the address. */
  readonly field: string
  readonly executionId: string
  readonly accountId: string
}

/** Opens the callback of an execution that is about to be stored, so that it misses nothing. */
export type OpenCallback = (wish: CallbackWish) => Promise<Callback>

export function createCallbackOpener(options: CallbackOpenerOptions): OpenCallback {
  const { database, webhooks, outbound, api } = options
  return async ({ plan, field, executionId, accountId }) => {
    const url = await checkAddress(outbound, { account: accountId, url: plan.url, field })
    const { secret } = await database.transaction(async (transaction) => {
      // A request that came before with the same key may have opened one and got no further: nobody knows its secret.
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

/** Everything that is wrong with an address is the caller's to mend, also a name that nobody knows. */
async function checkAddress(
  outbound: Pick<Outbound, 'checkUrl'>,
  { account, url, field }: { readonly account: string; readonly url: string; readonly field: string },
): Promise<string> {
  try {
    return await outbound.checkUrl(url, { account })
  } catch (error) {
    if (!(error instanceof Failure) || !error.code.startsWith('outbound_')) throw error
    throw refuseAddress(field, `cannot be called: ${error.message.replace(/\.$/, '')}`)
  }
}
