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

/** Durations between the bounds, and the shortest and longest of them as far as they are known. */
export interface Durations {
  readonly counts: readonly number[]
  readonly leastMs: number | null
  readonly mostMs: number | null
}

/** Durations of several kinds together. */
export function addDurations(all: readonly Durations[]): Durations {
  const known = (pick: (durations: Durations) => number | null) => all.flatMap((it) => pick(it) ?? [])
  const [least, most] = [known(({ leastMs }) => leastMs), known(({ mostMs }) => mostMs)]
  return {
    counts: Array.from({ length: bucketCount }, (_, bucket) =>
      all.reduce((sum, { counts }) => sum + (counts[bucket] ?? 0), 0),
    ),
    leastMs: least.length === 0 ? null : Math.min(...least),
    mostMs: most.length === 0 ? null : Math.max(...most),
  }
}

/**
 * The duration that this share of the counted ones did not pass; null when there are none. Inside a bucket durations are taken to lie
 * evenly, in the first one from the shortest on and in the last one up to the longest.
 */
export function quantileMs({ counts, leastMs, mostMs }: Durations, share: number): number | null {
  // Right after an end was taken back a count can be below zero for a moment.
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
      const from = bucket === first && isIn(bucket, leastMs) ? leastMs : lower
      const to = bucket === last && isIn(bucket, mostMs) ? mostMs : upper
      return from + (to - from) * Math.max(0, (rank - passed) / count)
    }
    passed += count
  }
  return null
}

/** How far durations lie apart, as a share of the middle one: 0 when all are alike; null when there are none. */
export function spreadOf(durations: Durations): number | null {
  const middle = quantileMs(durations, 0.5)
  const high = quantileMs(durations, 0.95)
  if (middle === null || high === null) return null
  // Of a bell curve, this many standard deviations lie between the two.
  return middle === 0 ? 0 : (high - middle) / middle / 1.645
}

/** One that is not, an older release counted beside, or it was taken back since: it says nothing about those that are counted. */
function isIn(bucket: number, ms: number | null): ms is number {
  return ms !== null && bucketOf(ms) === bucket
}

/** How many bounds it has reached. */
export function bucketOf(ms: number): number {
  const next = durationBounds.findIndex((bound) => ms < bound)
  return next === -1 ? durationBounds.length : next
}

function boundsOf(bucket: number): readonly [from: number, to: number] {
  const from = bucket === 0 ? 0 : (durationBounds[bucket - 1] ?? 0)
  return [from, durationBounds[bucket] ?? from * 2]
}
