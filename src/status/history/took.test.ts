import { expect, test } from 'vitest'
import { placeOf, timeAt, tookLength } from './took.ts'

function counted(times: readonly number[]): readonly number[] {
  const counts = Array.from({ length: tookLength }, () => 0)
  for (const ms of times) {
    const place = placeOf(ms)
    counts[place] = (counts[place] ?? 0) + 1
  }
  return counts
}

test('what is read is within a fifth of what was measured', () => {
  for (const ms of [0.9, 1, 3.7, 12, 250, 2000, 5000, 30_000]) {
    const counts = counted([ms])
    const [least, most] = [timeAt(counts, 0) ?? Number.NaN, timeAt(counts, 1) ?? Number.NaN]
    expect(least).toBeLessThanOrEqual(ms)
    expect(most).toBeGreaterThanOrEqual(ms)
    if (ms >= 1) expect(most / least).toBeLessThan(1.2)
  }
})

test('the share of slow ones shows where it begins', () => {
  const counts = counted([...Array.from({ length: 95 }, () => 10), ...Array.from({ length: 5 }, () => 1000)])
  expect(timeAt(counts, 0.5)).toBeLessThan(12)
  expect(timeAt(counts, 0.95)).toBeLessThan(12)
  expect(timeAt(counts, 0.99)).toBeGreaterThan(800)
})

test('nothing measured is nothing known, and nothing is too long to be counted', () => {
  expect(timeAt([], 0.5)).toBeNull()
  expect(placeOf(10 ** 9)).toBe(tookLength - 1)
})
