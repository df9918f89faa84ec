import { setImmediate } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPlainJson } from './is-plain-json.ts'

/** Numbers from 10 ** 270 on are not plain. */
const nearLargest = /e\+(?:2[7-9]|3)\d/
const limits = { maxLevels: 200 }

test('every JSON value is plain, however it is written', async () => {
  await fc.assert(
    fc.asyncProperty(fc.jsonValue(), fc.nat(3), async (value, indent) => {
      const text = JSON.stringify(value, null, indent)
      fc.pre(!nearLargest.test(text))
      expect(await isPlainJson(text, limits)).toBe(true)
    }),
  )
})

test('what JSON.parse refuses is not plain', async () => {
  const pieces = fc.constantFrom(
    ...'[]{},:" \n"',
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
  await fc.assert(
    fc.asyncProperty(fc.array(pieces, { maxLength: 12 }), async (given) => {
      const text = given.join('')
      if (await isPlainJson(text, limits)) expect(() => JSON.parse(text) as unknown).not.toThrow()
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
  ])('%s', async (_name, text) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow()
    expect(await isPlainJson(text, limits)).toBe(false)
  })
})

test.each([
  ['an escaped surrogate pair', String.raw`["\ud83d\ude00"]`],
  ['as many levels as allowed', '['.repeat(200) + ']'.repeat(200)],
  ['a name twice', '{"a":1,"a":2}'],
])('%s is plain', async (_name, text) => {
  expect(await isPlainJson(text, limits)).toBe(true)
})

test('others run while a large text is checked', async () => {
  const text = JSON.stringify(Array.from({ length: 40_000 }, (_, id) => ({ id, name: `row ${id}` })))
  let isChecked = false
  let turns = 0
  const checked = isPlainJson(text, limits).then((isPlain) => {
    isChecked = true
    return isPlain
  })
  for (; !isChecked; turns += 1) await setImmediate()
  expect(await checked).toBe(true)
  expect(turns).toBeGreaterThan(10)
})
