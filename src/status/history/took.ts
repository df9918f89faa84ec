/**
 * The bounds between the counts of response times, in milliseconds: four steps to each doubling, from one millisecond to a minute, which
 * no probe may take. What is read from them is off by a fifth at most. Stored counts depend on these: they never change.
 */
const stepsPerDoubling = 4
const doublings = 16

const bounds: readonly number[] = Array.from(
  { length: doublings * stepsPerDoubling },
  (_, step) => 2 ** (step / stepsPerDoubling),
)

/** Below the first bound, between each two, and beyond the last. */
export const tookLength = bounds.length + 1

/** Where a response time is counted, from 0 on. */
export function placeOf(ms: number): number {
  if (ms < 1) return 0
  return Math.min(tookLength - 1, Math.floor(Math.log2(ms) * stepsPerDoubling) + 1)
}

/** The time that this share of those counted did not pass; null when there are none. */
export function timeAt(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let passed = 0
  for (const [place, count] of counts.entries()) {
    if (count > 0 && passed + count >= rank) {
      const from = bounds[place - 1] ?? 0
      const to = bounds[place] ?? from
      return from + (to - from) * ((rank - passed) / count)
    }
    passed += count
  }
  return null
}
