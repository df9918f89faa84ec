import { type Durations, quantileMs } from '#engine'

/** A share as a percentage with two digits; null of nothing. */
export function percentOf(part: number, whole: number): number | null {
  return whole > 0 ? round((part / whole) * 100, 2) : null
}

/** Of those that ended by themselves; cancelled ones say nothing about success. */
export function successRateOf({
  completed,
  failed,
}: {
  readonly completed: number
  readonly failed: number
}): number | null {
  return percentOf(completed, completed + failed)
}

export function averageOf(sum: number, count: number): number | null {
  return count > 0 ? sum / count : null
}

/** How much more or less than before, in percent; null when there was nothing before. */
export function changeOf(current: number | null, before: number | null): number | null {
  if (current === null || before === null || before === 0) return null
  return round(((current - before) / before) * 100, 2)
}

/** Milliseconds in seconds. */
export function secondsOf(ms: number): number
export function secondsOf(ms: number | null): number | null
export function secondsOf(ms: number | null): number | null {
  return ms === null ? null : round(ms / 1000, 3)
}

/** Micro-dollars in dollars. */
export function dollarsOf(microDollars: number): number
export function dollarsOf(microDollars: number | null): number | null
export function dollarsOf(microDollars: number | null): number | null {
  return microDollars === null ? null : Math.round(microDollars) / 1e6
}

export function round(value: number, digits: number): number
export function round(value: number | null, digits: number): number | null
export function round(value: number | null, digits: number): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits
}

/** The middle of some numbers; null of none. */
export function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const middle = sorted.length >> 1
  const [low, high] =
    sorted.length % 2 === 1 ? [sorted[middle], sorted[middle]] : [sorted[middle - 1], sorted[middle]]
  return low === undefined || high === undefined ? null : (low + high) / 2
}

/** Average, middle and the time nineteen of twenty stay below, in seconds. */
export function durationsOf({
  duration_ms: ms,
  completed,
  took,
}: {
  readonly duration_ms: number
  readonly completed: number
  readonly took: Durations
}) {
  return {
    average_duration: secondsOf(averageOf(ms, completed)),
    median_duration: secondsOf(quantileMs(took, 0.5)),
    p95_duration: secondsOf(quantileMs(took, 0.95)),
  }
}

export function epochSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

/** Those that were read and those that were written. */
export function tokensOf(sums: { readonly input_tokens: number; readonly output_tokens: number }): number {
  return sums.input_tokens + sums.output_tokens
}
