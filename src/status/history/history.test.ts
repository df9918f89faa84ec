import { expect, test } from 'vitest'
import { bucketCount, bucketOf, percentileOf, summarise } from './history.ts'

test('one probe has its own time as every percentile', () => {
  const took = Array.from({ length: bucketCount }, (_, bucket) => (bucket === bucketOf(208) ? 1 : 0))
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
  const counts = Array.from({ length: bucketCount }, () => 0)
  for (const ms of times) {
    const bucket = bucketOf(ms)
    counts[bucket] = (counts[bucket] ?? 0) + 1
  }
  return counts
}

test('a percentile is within a fifth of the measured time', () => {
  for (const ms of [0.9, 1, 3.7, 12, 250, 2000, 5000, 30_000]) {
    const counts = counted([ms])
    const [low, high] = [percentileOf(counts, 0) ?? Number.NaN, percentileOf(counts, 1) ?? Number.NaN]
    expect(low).toBeLessThanOrEqual(ms)
    expect(high).toBeGreaterThanOrEqual(ms)
    if (ms >= 1) expect(high / low).toBeLessThan(1.2)
  }
})

test('high percentiles show the share of slow probes', () => {
  const counts = counted([...Array.from({ length: 95 }, () => 10), ...Array.from({ length: 5 }, () => 1000)])
  expect(percentileOf(counts, 0.5)).toBeLessThan(12)
  expect(percentileOf(counts, 0.95)).toBeLessThan(12)
  expect(percentileOf(counts, 0.99)).toBeGreaterThan(800)
})

test('no counts give null, and every time has a bucket', () => {
  expect(percentileOf([], 0.5)).toBeNull()
  expect(bucketOf(10 ** 9)).toBe(bucketCount - 1)
})
