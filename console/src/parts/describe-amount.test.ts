import { describe, expect, test } from 'vitest'
import { describeDollars, describeExactDollars, describePrice, describeRoughly } from './describe-amount.ts'

describe('describeDollars', () => {
  test.each([
    [0, '$0'],
    [1, '$0.000001'],
    [5, '$0.000005'],
    [4_200, '$0.0042'],
    [500_000, '$0.50'],
    [310_540, '$0.3105'],
    [1_000_000, '$1.00'],
    [1_234_567_890, '$1,234.57'],
  ])('writes %d micro-dollars as %s', (microDollars, told) => {
    expect(describeDollars(microDollars)).toBe(told)
  })
})

test('an exact amount keeps every micro-dollar', () => {
  expect(describeExactDollars(1_234_567)).toBe('$1.234567')
})

test('a price has two decimals, and more for fractions of a cent', () => {
  expect([2.5, 0.075, 10].map(describePrice)).toEqual(['$2.50', '$0.075', '$10.00'])
})

test('a rounded number is short enough for an axis', () => {
  for (const amount of [0, 950, 12_300, 3_400_000]) expect(describeRoughly(amount).length).toBeLessThan(9)
  expect(describeRoughly(950)).toBe('950')
})
