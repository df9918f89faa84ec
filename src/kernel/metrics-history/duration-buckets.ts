/**
 * The bucket bounds of durations in milliseconds: four per doubling, from an eighth of a millisecond to about an hour. Percentiles are
 * accurate to a fifth. Stored counts depend on the bounds, so they must never change.
 */
const stepsPerDoubling = 4
const doublings = 25
const firstBoundMs = 0.125

export const durationBounds: readonly number[] = Array.from(
  { length: doublings * stepsPerDoubling },
  (_, step) => firstBoundMs * 2 ** (step / stepsPerDoubling),
)

/** One bucket below the first bound, one between each two, and one above the last. */
export const bucketCount = durationBounds.length + 1

/** The bucket of a duration. */
export function bucketOf(ms: number): number {
  if (ms < firstBoundMs) return 0
  return Math.min(bucketCount - 1, Math.floor(Math.log2(ms / firstBoundMs) * stepsPerDoubling) + 1)
}

/** The percentile of the counted durations, `share` from 0 to 1; null without durations. */
export function durationAt(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let counted = 0
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && counted + count >= rank) {
      const from = bucket === 0 ? 0 : (durationBounds[bucket - 1] ?? 0)
      const to = durationBounds[bucket] ?? from
      return from + (to - from) * ((rank - counted) / count)
    }
    counted += count
  }
  return null
}
