import { expect, test } from 'vitest'
import { placeOf, summarise, timeAt, tookLength } from './history.ts'

test('one probe has its own time as every percentile', () => {
  const took = Array.from({ length: tookLength }, (_, place) => (place === placeOf(208) ? 1 : 0))
  const row = {
    service: 'database',
    at: 0,
    online: 1,
    degraded: 0,
    offline: 0,
    timed: 1,
    sum: 208,
    max: 208,
  } as const
  expect(summarise('database', [row], took, [0])).toMatchObject({ p50: 208, p95: 208, p99: 208, maxMs: 208 })
})

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
