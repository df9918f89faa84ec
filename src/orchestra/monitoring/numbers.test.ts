import { expect, test } from 'vitest'
import { sumOfKnown, trendOf } from './numbers.ts'

test('trends are percent with a sign', () => {
  expect(trendOf(112.5, 100)).toBe('+12.5%')
  expect(trendOf(50, 100)).toBe('-50%')
  expect(trendOf(100, 100)).toBe('+0%')
})

test('there is no trend without a previous value', () => {
  expect(trendOf(5, 0)).toBeNull()
  expect(trendOf(5, null)).toBeNull()
  expect(trendOf(null, 5)).toBeNull()
})

test('unknown values are left out of a sum, and a sum of unknown values is unknown', () => {
  expect(sumOfKnown(2, null, 3)).toBe(5)
  expect(sumOfKnown(null, null)).toBeNull()
})
