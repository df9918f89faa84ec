import { expect, test } from 'vitest'
import { patienceFor } from './calibrate.ts'

test.each([
  [14_000, 1],
  [7_000, 1],
  [5_000, 1.4],
  [3_500, 2],
  [100, 4],
  [0, 4],
])('%i rounds give a patience of %d', (rounds, patience) => {
  expect(patienceFor(rounds)).toBe(patience)
})
