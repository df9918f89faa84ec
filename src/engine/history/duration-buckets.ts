/**
 * Bucket boundaries of durations, in milliseconds: 1, 2, 3, 4, 6, 8, 12, 16 … to about six days. Quantiles read from the buckets are off
 * by at most half. Stored counts depend on these boundaries, so they must never change.
 */
export const durationBounds: readonly number[] = [
  1,
  2,
  ...Array.from({ length: 28 }, (_, octave) => [3 * 2 ** octave, 4 * 2 ** octave]).flat(),
]

/** Below the first boundary, between each two, and beyond the last. */
export const bucketCount = durationBounds.length + 1

/** Counts per bucket, with the shortest and the longest duration as far as they are known. */
export interface Durations {
  readonly counts: readonly number[]
  readonly minMs: number | null
  readonly maxMs: number | null
}

/** Sums several histograms. Never throws. */
export function addDurations(all: readonly Durations[]): Durations {
  const known = (pick: (durations: Durations) => number | null) => all.flatMap((it) => pick(it) ?? [])
  const [least, most] = [known(({ minMs }) => minMs), known(({ maxMs }) => maxMs)]
  return {
    counts: Array.from({ length: bucketCount }, (_, bucket) =>
      all.reduce((sum, { counts }) => sum + (counts[bucket] ?? 0), 0),
    ),
    minMs: least.length === 0 ? null : Math.min(...least),
    maxMs: most.length === 0 ? null : Math.max(...most),
  }
}

/**
 * The quantile of counted durations; null without any. Durations are assumed to be evenly distributed within a bucket, in the first
 * one from the shortest duration on and in the last one up to the longest. Never throws.
 */
export function quantileMs({ counts, minMs, maxMs }: Durations, share: number): number | null {
  // A count can be negative for a moment, right after an end was subtracted.
  const present = counts.map((count) => Math.max(0, count))
  const total = present.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  const first = present.findIndex((count) => count > 0)
  const last = present.findLastIndex((count) => count > 0)
  let passed = 0
  for (const [bucket, count] of present.entries()) {
    if (count > 0 && passed + count >= rank) {
      const [lower, upper] = boundsOf(bucket)
      const from = bucket === first && isIn(bucket, minMs) ? minMs : lower
      const to = bucket === last && isIn(bucket, maxMs) ? maxMs : upper
      return from + (to - from) * Math.max(0, (rank - passed) / count)
    }
    passed += count
  }
  return null
}

/** The spread of durations relative to the median: 0 when all are equal; null without any. */
export function spreadOf(durations: Durations): number | null {
  const middle = quantileMs(durations, 0.5)
  const high = quantileMs(durations, 0.95)
  if (middle === null || high === null) return null
  // The number of standard deviations between the two quantiles of a normal distribution.
  return middle === 0 ? 0 : (high - middle) / middle / 1.645
}

/** A minimum or maximum outside its bucket comes from an older release or a subtracted end, and is ignored. */
function isIn(bucket: number, ms: number | null): ms is number {
  return ms !== null && bucketOf(ms) === bucket
}

/** The number of boundaries that the duration has reached. */
export function bucketOf(ms: number): number {
  const next = durationBounds.findIndex((bound) => ms < bound)
  return next === -1 ? durationBounds.length : next
}

function boundsOf(bucket: number): readonly [from: number, to: number] {
  const from = bucket === 0 ? 0 : (durationBounds[bucket - 1] ?? 0)
  return [from, durationBounds[bucket] ?? from * 2]
}
