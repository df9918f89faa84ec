import type { Callback } from './open-callback.ts'

/** Who is called about an execution. The secret is told in the answer to the request that started it, and never again. */
export function describeCallback(callback: Callback | undefined) {
  return {
    webhook_url: callback?.url ?? null,
    webhook_secret: callback?.secret ?? null,
    supported_events: [...(callback?.events ?? [])],
  }
}
