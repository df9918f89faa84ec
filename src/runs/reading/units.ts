/*
 * How numbers of answers, events and webhooks are rounded, by what they are:
 *
 * | kind                              | digits after the point        |
 * |-----------------------------------|-------------------------------|
 * | durations in seconds              | 3: a millisecond              |
 * | costs in dollars                  | 6: a micro-dollar             |
 * | percentages, scores from 0 to 100 | 2                             |
 * | confidences and shares, 0 to 1    | 4                             |
 * | megabytes                         | 3: a kilobyte                 |
 *
 * What a step made is its own, and is not rounded.
 */

/** Whole seconds since 1970, as this interface tells moments. */
export function epochSeconds(moment: Date): number {
  return Math.floor(moment.getTime() / 1000)
}

/** Seconds, to the millisecond. */
export function seconds(milliseconds: number): number {
  return Math.round(milliseconds) / 1000
}

export function dollars(microDollars: number): number {
  return Math.round(microDollars) / 1e6
}

/** To the kilobyte, as memory is also asked for. */
export function megabytes(bytes: number): number {
  return Math.round((bytes / 1024 / 1024) * 1000) / 1000
}

/** To a hundredth; null when there is nothing to take a part of. */
export function percentage(part: number, whole: number): number | null {
  return whole === 0 ? null : Math.round((part / whole) * 10_000) / 100
}

/** Of a score, 0 to 100. */
export function roundedScore(score: number): number
export function roundedScore(score: number | null): number | null
export function roundedScore(score: number | null): number | null {
  return score === null ? null : Math.round(score * 100) / 100
}

/** Of a confidence or another share, 0 to 1. */
export function roundedShare(share: number): number
export function roundedShare(share: number | null): number | null
export function roundedShare(share: number | null): number | null {
  return share === null ? null : Math.round(share * 10_000) / 10_000
}

/** Not rounded: that is done once, for what is told. */
export function average(numbers: readonly number[]): number | null {
  if (numbers.length === 0) return null
  return numbers.reduce((sum, number) => sum + number, 0) / numbers.length
}
