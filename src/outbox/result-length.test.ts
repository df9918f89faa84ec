import { expect, test } from 'vitest'
import { JsonText } from '#kernel/json-text'
import { isTooLong } from './result-length.ts'

/** A text that must not be parsed. */
const unparsable = new JsonText('x'.repeat(100))

test.each([
  ['the result', unparsable],
  ['a step of it', { one: unparsable }],
  ['an item of a step', { one: ['short', unparsable] }],
])('a long text is not parsed when it is %s', (_where, results) => {
  expect(isTooLong(results, 99)).toBe(true)
})

test('everything else is measured as JSON', () => {
  const results = { one: 'é', two: new JsonText('[1, 2]') }
  expect(isTooLong(results, 23)).toBe(false)
  expect(isTooLong(results, 22)).toBe(true)
  expect(isTooLong(undefined, 0)).toBe(false)
})
