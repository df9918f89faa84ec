import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPlainJson } from './is-plain-json.ts'

/** Numbers from 10 ** 270 on are not plain. */
const nearLargest = /e\+(?:2[7-9]|3)\d/

function isPlain(text: string): boolean {
  const scan = isPlainJson(text, { maxLevels: 200 })
  for (;;) {
    const { done, value } = scan.next()
    if (done === true) return value
  }
}

test('every JSON value is plain, however it is written', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      fc.pre(!nearLargest.test(text))
      expect(isPlain(text)).toBe(true)
    }),
  )
})

test('what JSON.parse refuses is not plain', () => {
  const pieces = fc.constantFrom(
    ...Array.from('[]{},:" \n"'),
    '"a"',
    '1',
    '-',
    '0',
    '.5',
    'e3',
    'true',
    'null',
    'nul',
    '\\u12',
    '\\n',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 12 }), (given) => {
      const text = given.join('')
      if (isPlain(text)) expect(() => JSON.parse(text) as unknown).not.toThrow()
      // None of the pieces makes JSON that is not plain.
      else expect(() => JSON.parse(text) as unknown).toThrow()
    }),
    { numRuns: 2000 },
  )
})

describe('not plain, although JSON.parse accepts it', () => {
  test.each([
    ['NUL', String.raw`["\u0000"]`],
    ['the first half of a surrogate pair', String.raw`["\ud83d"]`],
    ['the first half before another character', String.raw`["\ud83dA"]`],
    ['the second half of a surrogate pair', String.raw`{"\ude00":1}`],
    ['a number that no double has', '[1e400]'],
    ['a number of a hundred digits', `[${'9'.repeat(100)}]`],
    ['a list inside more lists than allowed', '['.repeat(201) + ']'.repeat(201)],
  ])('%s', (_name, text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow()
    expect(isPlain(text)).toBe(false)
  })
})

test.each([
  ['an escaped surrogate pair', String.raw`["\ud83d\ude00"]`],
  ['as many levels as allowed', '['.repeat(200) + ']'.repeat(200)],
  ['a name twice', '{"a":1,"a":2}'],
])('%s is plain', (_name, text) => {
  expect(isPlain(text)).toBe(true)
})

test('others may run while a large text is checked', () => {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, id) => ({ id, name: `row ${id}` })))
  let yields = 0
  for (const _ of isPlainJson(text, { maxLevels: 200 })) yields += 1
  expect(yields).toBeGreaterThan(10)
})
