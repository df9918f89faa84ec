import { array, assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import { bucketCount, durationBounds, quantileMs, spreadOf } from './duration-buckets.ts'

function countsOf(durations: readonly number[]): number[] {
  const counts = Array.from({ length: bucketCount }, () => 0)
  for (const ms of durations) {
    const bucket = durationBounds.filter((bound) => bound <= ms).length
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

test('bounds grow, by a half at most from the third on', () => {
  const steps = durationBounds.slice(2).map((bound, index) => bound / (durationBounds[index + 1] ?? 0))
  expect(Math.min(...steps)).toBeGreaterThan(1.3)
  expect(Math.max(...steps)).toBeLessThanOrEqual(1.5)
  expect(durationBounds.at(-1)).toBeGreaterThan(6 * 86_400_000)
})

test('a quantile lies within a half of the true one', () => {
  const durations = array(integer({ min: 2, max: 500_000_000 }), { minLength: 1, maxLength: 200 })
  assert(
    property(durations, constantFrom(0.5, 0.95), (given, share) => {
      const sorted = given.toSorted((one, other) => one - other)
      const truth = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
      const found = quantileMs(countsOf(given), share) ?? Number.NaN
      expect(found / truth).toBeGreaterThan(0.6)
      expect(found / truth).toBeLessThan(1.6)
    }),
  )
})

test('nothing has no quantile and no spread', () => {
  expect(quantileMs(countsOf([]), 0.5)).toBeNull()
  expect(quantileMs([], 0.5)).toBeNull()
  expect(spreadOf([])).toBeNull()
})

test('the spread grows with the differences', () => {
  const alike = spreadOf(countsOf(Array.from({ length: 100 }, () => 1000))) ?? 1
  const apart = spreadOf(countsOf(Array.from({ length: 100 }, (_, index) => 10 * 1.08 ** index))) ?? 0
  expect(alike).toBeLessThan(0.2)
  expect(apart).toBeGreaterThan(1)
})
