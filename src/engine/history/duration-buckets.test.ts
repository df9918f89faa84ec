import { array, assert, constantFrom, integer, property } from 'fast-check'
import { expect, test } from 'vitest'
import {
  addDurations,
  bucketCount,
  type Durations,
  durationBounds,
  quantileMs,
  spreadOf,
} from './duration-buckets.ts'

function countsOf(durations: readonly number[]): Durations {
  const counts = Array.from({ length: bucketCount }, () => 0)
  for (const ms of durations) {
    const bucket = durationBounds.filter((bound) => bound <= ms).length
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  const isEmpty = durations.length === 0
  return {
    counts,
    minMs: isEmpty ? null : Math.min(...durations),
    maxMs: isEmpty ? null : Math.max(...durations),
  }
}

const someDurations = array(integer({ min: 2, max: 500_000_000 }), { minLength: 1, maxLength: 200 })
const someShare = constantFrom(0.5, 0.95)

test('bounds grow, by a half at most from the third on', () => {
  const steps = durationBounds.slice(2).map((bound, index) => bound / (durationBounds[index + 1] ?? 0))
  expect(Math.min(...steps)).toBeGreaterThan(1.3)
  expect(Math.max(...steps)).toBeLessThanOrEqual(1.5)
  expect(durationBounds.at(-1)).toBeGreaterThan(6 * 86_400_000)
})

test('a quantile lies within a half of the true one', () => {
  assert(
    property(someDurations, someShare, (given, share) => {
      const sorted = given.toSorted((one, other) => one - other)
      const truth = sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0
      const found = quantileMs(countsOf(given), share) ?? Number.NaN
      expect(found / truth).toBeGreaterThan(0.6)
      expect(found / truth).toBeLessThan(1.6)
    }),
  )
})

test('one duration is its own median, whatever the bounds around it are', () => {
  expect(quantileMs(countsOf([2080]), 0.5)).toBe(2080)
  expect(quantileMs(countsOf([2080]), 0.95)).toBe(2080)
  expect(quantileMs(countsOf([2080, 2080, 2080]), 0.95)).toBe(2080)
  expect(spreadOf(countsOf([2080]))).toBe(0)
})

test('a quantile lies between the shortest and the longest', () => {
  assert(
    property(someDurations, someShare, (given, share) => {
      const found = quantileMs(countsOf(given), share) ?? Number.NaN
      expect(found).toBeGreaterThanOrEqual(Math.min(...given))
      expect(found).toBeLessThanOrEqual(Math.max(...given))
    }),
  )
})

test('the shortest and longest of durations that are no longer counted say nothing', () => {
  const { counts } = countsOf([2080])
  const plain = quantileMs({ counts, minMs: null, maxMs: null }, 0.5)
  expect(quantileMs({ counts, minMs: 1, maxMs: 90_000 }, 0.5)).toBe(plain)
  expect(quantileMs({ counts, minMs: 90_000, maxMs: 1 }, 0.5)).toBe(plain)
})

test('durations of several kinds are counted together', () => {
  const together = addDurations([countsOf([100, 2080]), countsOf([5, 900]), countsOf([])])
  expect(together).toEqual(countsOf([100, 2080, 5, 900]))
})

test('nothing has no quantile and no spread', () => {
  const nothing = { counts: [], minMs: null, maxMs: null }
  expect(quantileMs(countsOf([]), 0.5)).toBeNull()
  expect(quantileMs(nothing, 0.5)).toBeNull()
  expect(spreadOf(nothing)).toBeNull()
})

test('the spread grows with the differences', () => {
  const alike = spreadOf(countsOf(Array.from({ length: 100 }, () => 1000))) ?? 1
  const apart = spreadOf(countsOf(Array.from({ length: 100 }, (_, index) => 10 * 1.08 ** index))) ?? 0
  expect(alike).toBeLessThan(0.2)
  expect(apart).toBeGreaterThan(1)
})
