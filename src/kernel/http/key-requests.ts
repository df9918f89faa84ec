import { type Failure, kernelFailure } from '#kernel/errors'
import type { Count, Limiter } from '#kernel/limits'
import type { Principal } from './access.ts'

const windowSeconds = 60

/**
 * Counts one model call against the requests per minute of an API key, under the same name for every API, so that they share the limit.
 * Returns undefined for a caller without that limit. Rejects as `Limiter.take` does.
 */
export async function countKeyRequest(
  limiter: Pick<Limiter, 'take'>,
  { credential, limits }: Principal,
): Promise<{ readonly count: Count; readonly refusal: Failure | undefined } | undefined> {
  const limit = limits?.requestsPerMinute
  if (limit === undefined || credential === null) return undefined
  const { allowed, ...count } = await limiter.take(`api-key-requests ${credential}`, { limit, windowSeconds })
  return { count, refusal: allowed ? undefined : keyLimitUsedUp(count, 'requests') }
}

/** The failure of a call when a limit of its API key is used up for this minute. Does not throw. */
export function keyLimitUsedUp({ limit, secondsLeft }: Count, unit: 'requests' | 'tokens'): Failure {
  const seconds = Math.max(1, Math.ceil(secondsLeft))
  return kernelFailure('too_many_requests', {
    message: `The limit of this API key, ${limit} ${unit} per minute, is used up. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
    details: { limit, unit, window_seconds: windowSeconds },
    retryAfterSeconds: seconds,
  })
}
