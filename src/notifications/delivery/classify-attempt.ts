/** The result of one attempt to send. */
export type SendResult =
  | { readonly arrived: true }
  | {
      readonly arrived: false
      readonly problem: string
      /** The recipient or the text was rejected, so that another attempt cannot succeed. */
      readonly isFinal: boolean
      /** The pause the receiver requested. */
      readonly retryAfterMs?: number | undefined
    }

/** The state of a notification after an attempt. */
export type Outcome =
  | { readonly state: 'delivered' }
  | { readonly state: 'pending'; readonly problem: string; readonly pauseMs: number }
  | { readonly state: 'given_up'; readonly problem: string }

interface Attempt {
  /** Including this one. */
  readonly attempts: number
  /** Since the notification was queued. */
  readonly ageMs: number
  /** From 0 to 1: spreads the retries of notifications that failed together. */
  readonly random: number
}

const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** A notification older than a day is of no use to its reader. */
const giveUpAfterMs = 24 * hour

/** The pauses before the second attempt and the following ones. */
const pausesMs: readonly number[] = [
  10 * second,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
]
const maxPauseMs = 4 * hour
const jitter = 0.1

/**
 * | result of the attempt            | state of the notification                                                    |
 * |----------------------------------|------------------------------------------------------------------------------|
 * | arrived                          | delivered                                                                    |
 * | failed for good                  | given up                                                                     |
 * | failed otherwise, within a day   | pending: retried after a growing pause, for the last time at the day's end   |
 * | failed otherwise, after a day    | given up                                                                     |
 */
export function classifyAttempt(result: SendResult, { attempts, ageMs, random }: Attempt): Outcome {
  if (result.arrived) return { state: 'delivered' }
  const { problem, isFinal, retryAfterMs = 0 } = result
  const leftMs = giveUpAfterMs - ageMs
  if (isFinal || leftMs <= 0) return { state: 'given_up', problem }
  const plannedMs = (pausesMs[attempts - 1] ?? maxPauseMs) * (1 + jitter * random)
  return { state: 'pending', problem, pauseMs: Math.min(Math.max(plannedMs, retryAfterMs), leftMs) }
}
