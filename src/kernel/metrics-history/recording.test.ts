import { expect, test } from 'vitest'
import {
  bucketCount,
  bucketOf,
  coverTime,
  createMinuteBuffer,
  durationAt,
  durationBounds,
  kindOf,
} from './recording.ts'

const minute = 60_000

test('values of one minute are aggregated with their maximum', () => {
  let now = 10 * minute
  const buffer = createMinuteBuffer({ maxMinutes: 10, now: () => now })
  buffer.add('load', 2)
  buffer.add('load', 5)
  now += minute
  buffer.add('load', 1)
  const [first, second] = buffer.take()
  expect(first?.at).toBe(10 * minute)
  expect(first?.aggregates.get('load')).toMatchObject({ count: 2, sum: 7, max: 5, took: undefined })
  expect(second?.aggregates.get('load')).toMatchObject({ count: 1, sum: 1, max: 1 })
  expect(buffer.take()).toEqual([])
})

test('durations are counted by bucket', () => {
  const buffer = createMinuteBuffer({ maxMinutes: 10, now: () => 0 })
  for (const ms of [1, 1, 40]) buffer.time('requests', ms)
  const aggregate = buffer.take()[0]?.aggregates.get('requests')
  expect(aggregate?.took?.[bucketOf(1)]).toBe(2)
  expect(aggregate?.took?.[bucketOf(40)]).toBe(1)
})

test('minutes put back are merged, and the oldest are dropped beyond the maximum', () => {
  let now = 0
  const buffer = createMinuteBuffer({ maxMinutes: 3, now: () => now })
  for (; now < 3 * minute; now += minute) buffer.time('requests', 8)
  const taken = buffer.take()
  now = 2 * minute
  buffer.time('requests', 16)
  expect(buffer.putBack(taken)).toBe(0)
  now = 3 * minute
  buffer.time('requests', 8)
  expect(buffer.putBack([])).toBe(1)
  const remaining = buffer.take()
  expect(remaining.map(({ at }) => at / minute)).toEqual([1, 2, 3])
  expect(remaining[1]?.aggregates.get('requests')).toMatchObject({ count: 2, sum: 24, max: 16 })
})

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

const at = (text: string) => Date.parse(`2026-03-${text}:00Z`)
const cover = (finest: 'minute' | 'hour' | 'day', from: string, to: string) =>
  coverTime(finest, at(from), at(to)).map(
    (segment) =>
      `${segment.grain} ${new Date(segment.from).toISOString().slice(8, 16)} ${new Date(segment.to).toISOString().slice(8, 16)}`,
  )

test('the last hour consists of minutes, including the current one', () => {
  expect(cover('minute', '01T10:20', '01T10:59')).toEqual(['minute 01T10:20 01T10:59'])
})

test('the last 24 hours consist of minutes at the ends and hours between', () => {
  expect(cover('minute', '01T10:20', '02T10:20')).toEqual([
    'minute 01T10:20 01T11:00',
    'hour 01T11:00 02T10:00',
    'minute 02T10:00 02T10:20',
  ])
})

test('weeks consist of hours at the ends and days between, without minutes', () => {
  expect(cover('hour', '01T10:20', '08T10:20')).toEqual([
    'hour 01T10:00 02T00:00',
    'day 02T00:00 08T00:00',
    'hour 08T00:00 08T11:00',
  ])
})

test.each([
  [{ status: 200 }, 'answered'],
  [{ status: 422 }, 'refused'],
  [{ status: 500 }, 'failed'],
  [{ status: 500, isExpectedFailure: true }, 'refused'],
  [{ status: 502, isExpectedFailure: true }, 'provider_failed'],
  [{ status: 503 }, 'failed'],
  [{ status: 504, isExpectedFailure: true }, 'timed_out'],
  [{ status: 200, left: true }, 'left'],
])('%j counts as %s', (response, kind) => {
  expect(kindOf({ interfaceName: 'x', ms: 1, left: false, streamed: false, ...response })).toBe(kind)
})
