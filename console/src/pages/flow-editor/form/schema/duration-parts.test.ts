import { expect, test } from 'vitest'
import { readDuration, writeDuration } from './duration-parts.ts'

test.each([
  ['30s', { amount: '30', unit: 's' }],
  ['1.5 h', { amount: '1.5', unit: 'h' }],
  ['7d', { amount: '7', unit: 'd' }],
  [90, { amount: '90', unit: 's' }],
  ['250ms', { amount: '250', unit: 'ms' }],
  ['{{delay}}', undefined],
  ['soon', undefined],
  [undefined, undefined],
])('%j is read as %j', (value, parts) => expect(readDuration(value)).toEqual(parts))

test('an amount and a unit are written as one text', () => {
  expect(writeDuration({ amount: ' 5 ', unit: 'm' })).toBe('5m')
  expect(writeDuration({ amount: '', unit: 'm' })).toBeUndefined()
})
