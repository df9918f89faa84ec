/** Rounded to so many digits; null stays null. */
export function rounded(value: number, digits?: number): number
export function rounded(value: number | null, digits?: number): number | null
export function rounded(value: number | null, digits = 2): number | null {
  return value === null ? null : Math.round(value * 10 ** digits) / 10 ** digits
}

/** Milliseconds in seconds, to a tenth of a millisecond: many answers take less than one. */
export function secondsOf(ms: number | null): number | null {
  return ms === null ? null : rounded(ms / 1000, 4)
}

/** A share in percent; null of nothing. */
export function percentOf(part: number, whole: number): number | null {
  return whole <= 0 ? null : rounded((part / whole) * 100)
}

/** The sum of what is known; null when nothing is. */
export function sumOfKnown(...values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0)
}

/** How much more or less than before, with its sign; null when there was nothing before to compare with. */
export function trendOf(now: number | null, before: number | null): string | null {
  if (now === null || before === null || before === 0) return null
  const percent = rounded(((now - before) / before) * 100, 1)
  return `${percent < 0 ? '-' : '+'}${Math.abs(percent)}%`
}
