/** What came of a try. */
export type Sent =
  | { readonly arrived: true }
  | {
      readonly arrived: false
      readonly problem: string
      /** Trying again cannot help: it is the notice itself that is not wanted. */
      readonly isFinal: boolean
      /** What the other side asked for. */
      readonly retryAfterMs?: number | undefined
    }

/** What becomes of a notice after a try. */
export type Verdict =
  | { readonly state: 'delivered' }
  | { readonly state: 'pending'; readonly problem: string; readonly pauseMs: number }
  | { readonly state: 'given_up'; readonly problem: string }

interface Tried {
  /** With this one. */
  readonly attempts: number
  /** Since it was posted. */
  readonly ageMs: number
  /** From 0 to 1: spreads what failed together. */
  readonly random: number
}

const [second, minute, hour] = [1000, 60_000, 3_600_000]

/** News of yesterday is none. */
const giveUpAfterMs = 24 * hour

/** The pauses before the second try and those after it. */
const pausesMs: readonly number[] = [
  10 * second,
  minute,
  5 * minute,
  15 * minute,
  30 * minute,
  hour,
  2 * hour,
]
const longestPauseMs = 4 * hour
const jitter = 0.1

/**
 * | what came of the try                         | the notice                                                    |
 * |----------------------------------------------|---------------------------------------------------------------|
 * | it arrived                                   | delivered                                                     |
 * | it is not wanted, and never will be          | given up                                                      |
 * | anything else, within a day                  | pending; after a growing pause, the last time as the day ends |
 * | anything else, after a day                   | given up                                                      |
 */
export function judge(sent: Sent, { attempts, ageMs, random }: Tried): Verdict {
  if (sent.arrived) return { state: 'delivered' }
  const { problem, isFinal, retryAfterMs = 0 } = sent
  const leftMs = giveUpAfterMs - ageMs
  if (isFinal || leftMs <= 0) return { state: 'given_up', problem }
  const plannedMs = (pausesMs[attempts - 1] ?? longestPauseMs) * (1 + jitter * random)
  return { state: 'pending', problem, pauseMs: Math.min(Math.max(plannedMs, retryAfterMs), leftMs) }
}
