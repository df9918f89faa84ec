import { expect, test } from 'vitest'
import { bucketOf } from './duration-buckets.ts'
import { createTally } from './tally.ts'

const minute = 60_000

test('values of one minute become one sum with the largest of them', () => {
  let now = 10 * minute
  const tally = createTally({ mostMinutes: 10, now: () => now })
  tally.add('load', 2)
  tally.add('load', 5)
  now += minute
  tally.add('load', 1)
  const [first, second] = tally.take()
  expect(first?.at).toBe(10 * minute)
  expect(first?.cells.get('load')).toMatchObject({ count: 2, sum: 7, max: 5, took: undefined })
  expect(second?.cells.get('load')).toMatchObject({ count: 1, sum: 1, max: 1 })
  expect(tally.take()).toEqual([])
})

test('durations are counted by their place', () => {
  const tally = createTally({ mostMinutes: 10 })
  for (const ms of [1, 1, 40]) tally.time('requests', ms)
  const cell = tally.take()[0]?.cells.get('requests')
  expect(cell?.took?.[bucketOf(1)]).toBe(2)
  expect(cell?.took?.[bucketOf(40)]).toBe(1)
})

test('what was put back is there with what came since, and the oldest is forgotten when there is too much', () => {
  let now = 0
  const tally = createTally({ mostMinutes: 3, now: () => now })
  for (; now < 3 * minute; now += minute) tally.time('requests', 8)
  const taken = tally.take()
  now = 2 * minute
  tally.time('requests', 16)
  expect(tally.putBack(taken)).toBe(0)
  now = 3 * minute
  tally.time('requests', 8)
  expect(tally.putBack([])).toBe(1)
  const left = tally.take()
  expect(left.map(({ at }) => at / minute)).toEqual([1, 2, 3])
  expect(left[1]?.cells.get('requests')).toMatchObject({ count: 2, sum: 24, max: 16 })
})
