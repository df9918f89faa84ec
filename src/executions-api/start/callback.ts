import type { Database } from '#kernel/database'
import { Failure } from '#kernel/errors'
import type { Outbound } from '#kernel/outbound'
import type { Webhooks } from '#webhooks'
import { invalidField } from '../errors.ts'

/** The address that is called about an execution, and the events it is sent. */
export interface CallbackPlan {
  readonly url: string
  readonly events: readonly string[]
}

/** A callback as its owner is told of it. */
export interface Callback extends CallbackPlan {
  /** Null when it was told in an answer before this one, and cannot be told again. */
  readonly secret: string | null
}

export interface CallbackOptions {
  readonly database: Pick<Database, 'transaction'>
  readonly webhooks: Pick<Webhooks, 'openCallback' | 'closeCallbacks'>
  readonly outbound: Pick<Outbound, 'checkUrl'>
  /** Whose words its events are in. */
  readonly api: 'workflows' | 'orchestra'
}

interface CallbackRequest {
  readonly plan: CallbackPlan
  /** Where the caller wrote the address. */
  readonly field: string
  readonly executionId: string
  readonly accountId: string
}

/** Opens the callback of an execution that is about to be stored, so that it misses nothing. */
export type OpenCallback = (request: CallbackRequest) => Promise<Callback>

export function createCallbackOpener(options: CallbackOptions): OpenCallback {
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
    throw invalidField({
      path: field,
      message: `cannot be called: ${error.message.replace(/\.$/, '')}`,
      code: 'webhook_url',
    })
  }
}

/** Who is called about an execution. The secret is told in the answer to the request that started it, and never again. */
export function describeCallback(callback: Callback | undefined) {
  return {
    webhook_url: callback?.url ?? null,
    webhook_secret: callback?.secret ?? null,
    supported_events: [...(callback?.events ?? [])],
  }
}
