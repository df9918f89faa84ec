/*
 * The rounding of numbers in responses, events and webhooks, by kind:
 *
 * | kind                              | digits after the point        |
 * |-----------------------------------|-------------------------------|
 * | durations in seconds              | 3: a millisecond              |
 * | costs in dollars                  | 6: a micro-dollar             |
 * | percentages, scores from 0 to 100 | 2                             |
 * | confidences and shares, 0 to 1    | 4                             |
 * | megabytes                         | 3: a kilobyte                 |
 *
 * The output of a step is not rounded. An unknown number is null, and stays null in another unit.
 */

/** Whole seconds since 1970. */
export function epochSeconds(moment: Date): number
export function epochSeconds(moment: Date | null): number | null
export function epochSeconds(moment: Date | null): number | null {
  return moment === null ? null : Math.floor(moment.getTime() / 1000)
}

/** Seconds, to the millisecond. */
export function seconds(milliseconds: number): number
export function seconds(milliseconds: number | null): number | null
export function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds) / 1000
}

/** Dollars, to the micro-dollar. */
export function dollars(microDollars: number): number
export function dollars(microDollars: number | null): number | null
export function dollars(microDollars: number | null): number | null {
  return microDollars === null ? null : Math.round(microDollars) / 1e6
}

/** Mebibytes, to the kilobyte. */
export function megabytes(bytes: number): number {
  return Math.round((bytes / 1024 / 1024) * 1000) / 1000
}

/** A share in percent; null without a whole. */
export function percentage(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 100 : null
}

/** The completed executions in percent of the completed and failed ones; cancelled executions do not count. */
export function successRate({
  completed,
  failed,
}: {
  readonly completed: number
  readonly failed: number
}): number | null {
  return percentage(completed, completed + failed)
}

/** The change from one value to the next in percent; null without a first value or when it is 0. */
export function percentChange(current: number | null, before: number | null, digits = 2): number | null {
  if (current === null || before === null || before === 0) return null
  return round(((current - before) / before) * 100, digits)
}

/** Rounds a score from 0 to 100. */
export function roundedScore(score: number): number
export function roundedScore(score: number | null): number | null
export function roundedScore(score: number | null): number | null {
  return round(score, 2)
}

/** Rounds a confidence or another share from 0 to 1. */
export function roundedShare(share: number): number
export function roundedShare(share: number | null): number | null
export function roundedShare(share: number | null): number | null {
  return round(share, 4)
}

/** Rounds to the given number of digits after the point. */
export function round(value: number, digits: number): number
export function round(value: number | null, digits: number): number | null
export function round(value: number | null, digits: number): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits
}

/** The sum of numbers; 0 without any. */
export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** The mean, not rounded: responses round once. Null without numbers. */
export function average(numbers: readonly number[]): number | null {
  return ratio(sum(numbers), numbers.length)
}

/** The total for each counted entry, not rounded; null when the count is 0. */
export function ratio(total: number, count: number): number | null {
  return count > 0 ? total / count : null
}
