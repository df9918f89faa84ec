import { expect, test } from 'vitest'
import { bucketCount, bucketOf, durationAt, durationBounds } from './duration-buckets.ts'

function countsOf(durations: readonly number[]): number[] {
  const counts = Array.from({ length: bucketCount }, () => 0)
  for (const ms of durations) counts[bucketOf(ms)] = (counts[bucketOf(ms)] ?? 0) + 1
  return counts
}

test('every duration is in the bucket between its bounds', () => {
  expect(bucketOf(0)).toBe(0)
  expect(bucketOf(1e12)).toBe(bucketCount - 1)
  for (const [index, bound] of durationBounds.entries()) {
    expect(bucketOf(bound * 1.001)).toBe(index + 1)
    expect(bucketOf(bound * 0.999)).toBe(index)
  }
})

test('percentiles are accurate to a fifth', () => {
  const durations = Array.from({ length: 1000 }, (_, index) => index + 1)
  const counts = countsOf(durations)
  for (const share of [0.5, 0.95, 0.99]) {
    const found = durationAt(counts, share) ?? 0
    expect(Math.abs(found / (share * 1000) - 1)).toBeLessThan(0.2)
  }
})

test('there is no percentile without durations', () => {
  expect(durationAt(countsOf([]), 0.5)).toBeNull()
})
