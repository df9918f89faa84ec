/*
 * How the numbers of responses, events and webhooks are rounded, by what they are:
 *
 * | kind                              | digits after the point        |
 * |-----------------------------------|-------------------------------|
 * | durations in seconds              | 3: a millisecond              |
 * | costs in dollars                  | 6: a micro-dollar             |
 * | percentages, scores from 0 to 100 | 2                             |
 * | confidences and shares, 0 to 1    | 4                             |
 * | megabytes                         | 3: a kilobyte                 |
 *
 * The output of a step is not rounded. A number that is unknown is null, and stays null in another unit.
 */

/** Whole seconds since 1970. */
export function epochSeconds(moment: Date): number
export function epochSeconds(moment: Date | null): number | null
export function epochSeconds(moment: Date | null): number | null {
  return moment === null ? null : Math.floor(moment.getTime() / 1000)
}

export function seconds(milliseconds: number): number
export function seconds(milliseconds: number | null): number | null
export function seconds(milliseconds: number | null): number | null {
  return milliseconds === null ? null : Math.round(milliseconds) / 1000
}

export function dollars(microDollars: number): number
export function dollars(microDollars: number | null): number | null
export function dollars(microDollars: number | null): number | null {
  return microDollars === null ? null : Math.round(microDollars) / 1e6
}

export function megabytes(bytes: number): number {
  return Math.round((bytes / 1024 / 1024) * 1000) / 1000
}

/** A share in percent; null without a whole. */
export function percentage(part: number, whole: number): number | null {
  return whole > 0 ? Math.round((part / whole) * 10_000) / 100 : null
}

/** Percent of those that completed or failed; cancelled ones say nothing about success. */
export function successRate({
  completed,
  failed,
}: {
  readonly completed: number
  readonly failed: number
}): number | null {
  return percentage(completed, completed + failed)
}

/** How much more or less than before, in percent; null when there was nothing before. */
export function percentChange(current: number | null, before: number | null, digits = 2): number | null {
  if (current === null || before === null || before === 0) return null
  return round(((current - before) / before) * 100, digits)
}

/** A score from 0 to 100. */
export function roundedScore(score: number): number
export function roundedScore(score: number | null): number | null
export function roundedScore(score: number | null): number | null {
  return round(score, 2)
}

/** A confidence or another share from 0 to 1. */
export function roundedShare(share: number): number
export function roundedShare(share: number | null): number | null
export function roundedShare(share: number | null): number | null {
  return round(share, 4)
}

export function round(value: number, digits: number): number
export function round(value: number | null, digits: number): number | null
export function round(value: number | null, digits: number): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits
}

export function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

/** Not rounded: responses round once. */
export function average(numbers: readonly number[]): number | null {
  return ratio(sum(numbers), numbers.length)
}

/** A sum for each of those that were counted; null when none were. */
export function ratio(total: number, count: number): number | null {
  return count > 0 ? total / count : null
}
