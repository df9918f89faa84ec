import { setTimeout as delay } from 'node:timers/promises'
import { isTransactionConflict } from './database-errors.ts'

interface RetryConflictsOptions {
  /** Including the first one. */
  readonly attempts?: number
  /** The mean pause before the second attempt; each further pause is longer by as much. */
  readonly pauseMs?: number
}

/**
 * Runs `work` again when PostgreSQL ended its transaction because of another one: a deadlock or a serialisation failure. Throws the last
 * conflict after the last attempt, and any other error at once. `work` is a whole transaction, or one statement outside of one: PostgreSQL
 * has rolled back all of it. What it does besides must be repeatable.
 *
 * Statements that lock several rows lock them in one order, so that there is nothing to retry. This helper is for what no order covers,
 * such as index entries, foreign keys, and replicas of another release.
 */
export async function retryConflicts<Result>(
  work: () => Promise<Result>,
  { attempts = 5, pauseMs = 20 }: RetryConflictsOptions = {},
): Promise<Result> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work()
    } catch (error) {
      if (!isTransactionConflict(error) || attempt >= attempts) throw error
    }
    // Jitter, so that the transactions that met do not meet again.
    await delay(pauseMs * attempt * (0.5 + Math.random()))
  }
}
