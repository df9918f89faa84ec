import { array, assert, constantFrom, double, property } from 'fast-check'
import { expect, test } from 'vitest'
import { readingOf } from './reading.ts'
import { bucketCount, bucketOf, requestDurations } from './recording.ts'

function readingOfDurations(durations: readonly number[]) {
  const took = Array.from({ length: bucketCount }, () => 0)
  for (const ms of durations) took[bucketOf(ms)] = (took[bucketOf(ms)] ?? 0) + 1
  const sum = durations.reduce((total, ms) => total + ms, 0)
  return readingOf(
    new Map([[requestDurations, { count: durations.length, sum, max: Math.max(...durations), took }]]),
  )
}

test('with one request, or equal durations, every percentile is that duration', () => {
  const slow = readingOfDurations([2400])
  expect([0.5, 0.95, 0.99].map((share) => slow.durationAt(share))).toEqual([2400, 2400, 2400])
  expect(readingOfDurations([2400, 2400, 2400]).durationAt(0.5)).toBe(2400)
})

test('a percentile is between the shortest and the longest duration', () => {
  const durations = array(double({ min: 0.2, max: 60_000, noNaN: true }), { minLength: 1, maxLength: 50 })
  assert(
    property(durations, constantFrom(0.5, 0.95, 0.99), (given, share) => {
      const found = readingOfDurations(given).durationAt(share) ?? Number.NaN
      expect(found).toBeLessThanOrEqual(Math.max(...given))
      expect(found).toBeGreaterThan(Math.min(...given) * 0.8)
    }),
  )
})
