import { expect, test } from 'vitest'
import { dollarsOf, microDollarsOf } from './micro-dollars.ts'

test.each([
  [0, 0],
  [0.1, 100_000],
  [0.3, 300_000],
  [0.029, 29_000],
  [0.005, 5000],
  [3.125, 3_125_000],
  [600, 600_000_000],
  // In floating point 1.1 * 1e6 is 1100000.0000000002.
  [1.1, 1_100_000],
  [1e-6, 1],
  [1e-7, 1],
  [0.000_000_4, 1],
  [1.000_000_1, 1_000_001],
  [2e3, 2_000_000_000],
  ['0.15', 150_000],
  ['15', 15_000_000],
  ['0.1500000', 150_000],
])('%s dollars are %i micro-dollars', (dollars, microDollars) => {
  expect(microDollarsOf(dollars)).toBe(microDollars)
})

test.each([
  '',
  '-1',
  '1,5',
  '0x10',
  '1.',
  '.5',
  'NaN',
  Number.NaN,
  Number.POSITIVE_INFINITY,
  -0.5,
  '1e30',
  'free',
])('%s is not an amount', (dollars) => {
  expect(microDollarsOf(dollars)).toBeUndefined()
})

test('formatted amounts equal the stored amounts exactly', () => {
  for (let microDollars = 0; microDollars < 3_000_000; microDollars += 997) {
    expect(microDollarsOf(dollarsOf(microDollars))).toBe(microDollars)
  }
})
