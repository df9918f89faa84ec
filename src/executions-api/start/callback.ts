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

/** Opens the callback of an execution before it is stored, so that no event is missed. */
export type OpenCallback = (request: CallbackRequest) => Promise<Callback>

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
