import { expect, test } from 'vitest'
import { bucketOf } from './duration-buckets.ts'
import { createMinuteBuffer } from './minute-buffer.ts'

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
  const buffer = createMinuteBuffer({ maxMinutes: 10 })
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
