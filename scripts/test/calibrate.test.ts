import { expect, test } from 'vitest'
import { patienceFor } from './calibrate.ts'

test.each([
  [14_000, 1],
  [7_000, 1],
  [6_500, 1.25],
  [5_000, 1.5],
  [3_500, 2],
  [100, 4],
  [0, 4],
])('%i rounds give a patience of %d', (rounds, patience) => {
  expect(patienceFor(rounds)).toBe(patience)
})

test('milliseconds multiplied by a patience are whole', () => {
  const timeouts = Array.from({ length: 140 }, (_, index) => 110_000 * patienceFor(100 * index))
  expect(timeouts.filter((timeout) => !Number.isInteger(timeout))).toEqual([])
})
