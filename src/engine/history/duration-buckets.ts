/**
 * The bounds between the counts of durations, in milliseconds: 1, 2, 3, 4, 6, 8, 12, 16 … to about six days. What is read from
 * them is off by a half at most, however many were counted. Stored counts depend on these: they never change.
 */
export const durationBounds: readonly number[] = [
  1,
  2,
  ...Array.from({ length: 28 }, (_, octave) => [3 * 2 ** octave, 4 * 2 ** octave]).flat(),
]

/** Below the first bound, between each two, and beyond the last. */
export const bucketCount = durationBounds.length + 1

/** The duration that this share of the counted ones did not pass; null when there are none. */
export function quantileMs(counts: readonly number[], share: number): number | null {
  // Right after an end was taken back a count can be below zero for a moment.
  const present = counts.map((count) => Math.max(0, count))
  const total = present.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let passed = 0
  for (const [bucket, count] of present.entries()) {
    if (count > 0 && passed + count >= rank) {
      const [from, to] = boundsOf(bucket)
      return from + (to - from) * Math.max(0, (rank - passed) / count)
    }
    passed += count
  }
  return null
}

/** How far durations lie apart, as a share of the middle one: 0 when all are alike; null when there are none. */
export function spreadOf(counts: readonly number[]): number | null {
  const middle = quantileMs(counts, 0.5)
  const high = quantileMs(counts, 0.95)
  if (middle === null || high === null) return null
  // Of a bell curve, this many standard deviations lie between the two.
  return middle === 0 ? 0 : (high - middle) / middle / 1.645
}

function boundsOf(bucket: number): readonly [from: number, to: number] {
  const from = bucket === 0 ? 0 : (durationBounds[bucket - 1] ?? 0)
  return [from, durationBounds[bucket] ?? from * 2]
}
