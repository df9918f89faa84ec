/**
 * The bounds between the counts of durations, in milliseconds: four steps to each doubling, from an eighth of a millisecond to about an
 * hour. What is read from them is off by a fifth at most. Stored counts depend on these: they never change.
 */
const stepsPerDoubling = 4
const doublings = 25
const firstBoundMs = 0.125

export const durationBounds: readonly number[] = Array.from(
  { length: doublings * stepsPerDoubling },
  (_, step) => firstBoundMs * 2 ** (step / stepsPerDoubling),
)

/** Below the first bound, between each two, and beyond the last. */
export const bucketCount = durationBounds.length + 1

/** Where a duration is counted. */
export function bucketOf(ms: number): number {
  if (ms < firstBoundMs) return 0
  return Math.min(bucketCount - 1, Math.floor(Math.log2(ms / firstBoundMs) * stepsPerDoubling) + 1)
}

/** The duration that this share of the counted ones did not pass; null when there are none. */
export function durationAt(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let passed = 0
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && passed + count >= rank) {
      const from = bucket === 0 ? 0 : (durationBounds[bucket - 1] ?? 0)
      const to = durationBounds[bucket] ?? from
      return from + (to - from) * ((rank - passed) / count)
    }
    passed += count
  }
  return null
}
