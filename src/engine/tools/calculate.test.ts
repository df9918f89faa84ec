import { expect, test } from 'vitest'
import { calculate } from './calculate.ts'

test.each([
  ['1 + 2 * 3', 7],
  ['(1 + 2) * 3', 9],
  ['-2^2', -4],
  ['2^-1', 0.5],
  ['2^3^2', 512],
  ['7 % 4 - 10 / 4', 0.5],
  ['1.5e3 + .5', 1500.5],
  ['max(1, sqrt(16), 3) + round(2.4)', 6],
  ['--3', 3],
  ['2 * pi', 2 * Math.PI],
])('%s is %d', (expression, value) => {
  expect(calculate(expression)).toBeCloseTo(value, 10)
})

test.each([
  ['', 'ends too early'],
  ['1 +', 'ends too early'],
  ['1 / 0', 'divided by zero'],
  ['5 % 0', 'divided by zero'],
  ['2 3', '"3" is not expected here'],
  ['(1 + 2', 'Expected ")"'],
  ['constructor', 'is not expected here'],
  ['toString()', 'is not expected here'],
  ['1; process', 'is not expected here'],
  ['10^400', 'not a finite number'],
  ['sqrt(-1)', 'not a finite number'],
  ['('.repeat(200) + '1' + ')'.repeat(200), 'nested more than 50 deep'],
  ['1+'.repeat(600), 'more than 1000 characters'],
])('%s has no value', (expression, why) => {
  expect(() => calculate(expression)).toThrow(why)
})
