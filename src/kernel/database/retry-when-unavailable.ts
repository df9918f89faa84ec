import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from './database-errors.ts'

interface RetryOptions {
  /** No attempt starts after this time. */
  readonly deadlineMs?: number
  readonly attempts?: number
  readonly signal?: AbortSignal
}

/**
 * Retries `work` while the database is unreachable, then throws its last error. Only for idempotent work: when a connection breaks, it
 * is unknown whether a commit in progress was carried out.
 */
export async function retryWhenUnavailable<Result>(
  work: () => Promise<Result>,
  { deadlineMs = 60_000, attempts = Number.POSITIVE_INFINITY, signal }: RetryOptions = {},
): Promise<Result> {
  const deadline = Date.now() + deadlineMs
  for (let attempt = 1, waitMs = 50; ; attempt++, waitMs = Math.min(waitMs * 2, 2000)) {
    signal?.throwIfAborted()
    try {
      return await work()
    } catch (error) {
      if (!isDatabaseUnavailable(error) || attempt >= attempts || Date.now() + waitMs >= deadline) throw error
    }
    // Jitter, so that waiting callers do not all retry in the same instant.
    await delay(waitMs * (0.5 + Math.random() / 2), undefined, signal === undefined ? {} : { signal })
  }
}
