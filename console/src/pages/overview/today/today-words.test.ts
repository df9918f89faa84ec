import { expect, test } from 'vitest'
import { describeChange, describeCount, describeNearness, nameBucket } from './today-words.ts'

test.each([
  [0, 10, undefined],
  [7.9, 10, undefined],
  [8, 10, 'near limit'],
  [10, 10, 'limit reached'],
  [3, 0, undefined],
])('describes a usage of %d of %d as %s', (used, limit, word) => {
  expect(describeNearness(used, limit)?.word).toBe(word)
})

test('counts with the right noun', () => {
  expect([0, 1, 2].map((count) => describeCount(count, 'run', 'runs'))).toEqual(['0 runs', '1 run', '2 runs'])
})

test.each([
  [12, 10, '+20 % vs. before'],
  [5, 10, '−50 % vs. before'],
  [10, 10, 'as before'],
  [3, 0, undefined],
])('describes %d after %d as %s', (now, before, words) => {
  expect(describeChange(now, before)).toBe(words)
})

test('names quarters of an hour by the clock, hours with their day, and days in UTC', () => {
  const at = new Date(2026, 10, 17, 9, 15).toISOString()
  expect(nameBucket(at, '24h').name).toMatch(/17.*09:15.* to .*09:30/)
  expect(nameBucket(at, '24h').shortName).toMatch(/09:15/)
  expect(nameBucket(at, '7d').shortName).toMatch(/17/)
  expect(nameBucket('2026-11-17T00:00:00.000Z', '30d').name).toMatch(/17.*UTC/)
})
