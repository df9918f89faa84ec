import type { RetryPolicy } from '../webhook.ts'

const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** The pauses before the second attempt and the following ones: they cover outages of a moment, a night and a weekend. */
const defaultPausesMs: readonly number[] = [
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
]

const maxPauseMs = 24 * hour
const jitter = 0.1
const defaultTimeoutMs = 10 * second

export function maxAttempts({ max_attempts: limit }: RetryPolicy): number {
  return limit ?? defaultPausesMs.length + 1
}

export function timeoutMsOf({ timeout }: RetryPolicy): number {
  return timeout === undefined ? defaultTimeoutMs : timeout * second
}

interface PauseOptions {
  /** From 0 to 1: spreads the retries of deliveries that failed together. */
  readonly random: number
  /** The pause the receiver requested. */
  readonly retryAfterMs?: number | undefined
}

/** The pause after `failedAttempts`, never shorter than the receiver requested. Undefined after the last attempt. */
export function pauseAfter(
  failedAttempts: number,
  policy: RetryPolicy,
  { random, retryAfterMs = 0 }: PauseOptions,
): number | undefined {
  if (failedAttempts >= maxAttempts(policy)) return undefined
  const plannedMs = plannedPause(failedAttempts, policy) * (1 + jitter * random)
  return Math.min(Math.max(plannedMs, retryAfterMs), maxPauseMs * (1 + jitter))
}

function plannedPause(failedAttempts: number, policy: RetryPolicy): number {
  const { retry_delay: delay, exponential_backoff: isExponential = true } = policy
  if (delay === undefined) return defaultPausesMs[failedAttempts - 1] ?? maxPauseMs
  const factor = isExponential ? 2 ** (failedAttempts - 1) : 1
  return Math.min(delay * second * factor, maxPauseMs)
}
