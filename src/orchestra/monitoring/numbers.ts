import { units } from '#executions-api'

/** Milliseconds in seconds, to a tenth of a millisecond: many responses take less than a millisecond. */
export function secondsOf(ms: number | null): number | null {
  return ms === null ? null : units.round(ms / 1000, 4)
}

/** The sum of the known values; null when none is known. */
export function sumOfKnown(...values: readonly (number | null)[]): number | null {
  const known = values.filter((value) => value !== null)
  return known.length === 0 ? null : units.sum(known)
}

/** The change against the period before as text, such as `+12.5%`; null when there was nothing before. */
export function trendOf(now: number | null, before: number | null): string | null {
  const percent = units.percentChange(now, before, 1)
  return percent === null ? null : `${percent < 0 ? '-' : '+'}${Math.abs(percent)}%`
}
