import type { RetryPolicy } from '../webhook.ts'

const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** The pauses before the second try and those after it: some failures last a moment, some a night, some a weekend. */
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

const longestPauseMs = 24 * hour
const jitter = 0.1
const defaultTimeoutMs = 10 * second

export function mostAttempts({ max_attempts: most }: RetryPolicy): number {
  return most ?? defaultPausesMs.length + 1
}

export function timeoutMsOf({ timeout }: RetryPolicy): number {
  return timeout === undefined ? defaultTimeoutMs : timeout * second
}

interface PauseOptions {
  /** From 0 to 1: spreads what failed together. */
  readonly random: number
  /** What the receiver asked for. */
  readonly retryAfterMs?: number | undefined
}

/** How long to wait after so many failed tries; undefined when that was the last. Never shorter than the receiver asks for. */
export function pauseAfter(
  failedAttempts: number,
  policy: RetryPolicy,
  { random, retryAfterMs = 0 }: PauseOptions,
): number | undefined {
  if (failedAttempts >= mostAttempts(policy)) return undefined
  const plannedMs = plannedPause(failedAttempts, policy) * (1 + jitter * random)
  return Math.min(Math.max(plannedMs, retryAfterMs), longestPauseMs * (1 + jitter))
}

function plannedPause(failedAttempts: number, policy: RetryPolicy): number {
  const { retry_delay: delay, exponential_backoff: grows = true } = policy
  if (delay === undefined) return defaultPausesMs[failedAttempts - 1] ?? longestPauseMs
  const factor = grows ? 2 ** (failedAttempts - 1) : 1
  return Math.min(delay * second * factor, longestPauseMs)
}

/** Reads a `Retry-After`: seconds, or a date. Undefined when it says neither. */
export function readRetryAfter(header: string | string[] | undefined, now: Date): number | undefined {
  const text = [header].flat()[0]?.trim()
  if (text === undefined || text === '') return undefined
  if (/^\d{1,10}$/.test(text)) return Number(text) * second
  const at = /^[A-Za-z]{3},/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, at - now.getTime())
}
