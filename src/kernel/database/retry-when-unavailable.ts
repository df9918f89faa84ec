import { setTimeout as delay } from 'node:timers/promises'
import { isDatabaseUnavailable } from './connection-errors.ts'

export interface RetryOptions {
  /** No attempt starts after this long. */
  readonly deadlineMs?: number
  readonly attempts?: number
  readonly signal?: AbortSignal
}

/**
 * Runs `work` again while the database is away. Only for work that may run twice: when a connection breaks, nobody can
 * tell whether the commit on its way was still carried out.
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
    // Spread out, so that everyone who was waiting does not come back in the same instant.
    await delay(waitMs * (0.5 + Math.random() / 2), undefined, signal === undefined ? {} : { signal })
  }
}
