import { expect, test } from 'vitest'
import { medianOf } from './performance.ts'

test.each([
  [[], null],
  [[3], 3],
  [[9, 1, 5], 5],
  [[0.109, 0.108], 0.1085],
  [[0.000_001, 0.000_003], 0.000_002],
])('the median of %j is %j', (values, median) => {
  expect(medianOf(values)).toBe(median)
})
