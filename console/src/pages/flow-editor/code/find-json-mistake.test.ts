import { expect, test } from 'vitest'
import { findJsonMistake } from './find-json-mistake.ts'

test.each([
  ['', 0, 'the text ends where a value is missing.'],
  ['{', 1, 'the text ends before a } that is missing.'],
  ['{"a": 1', 7, 'the text ends before a } that is missing.'],
  ['["a", ', 6, 'the text ends where a value is missing.'],
  ['{"a": 1 "b": 2}', 8, 'a comma or } is missing before "b".'],
  ['[1 2]', 3, 'a comma or ] is missing before 2.'],
  ['{"a": 1, }', 7, 'there is a comma too many before the }.'],
  ['[1,]', 2, 'there is a comma too many before the ].'],
  ['{,}', 1, 'there is a comma too many.'],
  ['{"a" 1}', 4, 'a colon is missing after "a".'],
  ['{"a": }', 6, 'a value is missing before }.'],
  ['{a: 1}', 1, 'the name of a field, in double quotes, is missing before a.'],
  ["{'a': 1}", 1, "the name of a field, in double quotes, is missing before 'a'."],
  ['{"a": yes}', 6, 'yes is no value; texts stand in double quotes.'],
  ['{"a": 01}', 6, '01 is no value; texts stand in double quotes.'],
  ['{"a": "b\n}', 6, 'this text has no end on its line; a line break inside of it is written \\n.'],
  ['{"a": "\\d"}', 7, '\\d is no escape; a backslash itself is written \\\\.'],
  ['{"a": "\t"}', 7, 'a text has a control character in it; a tab is written \\t.'],
  ['{"a": 1, "a": 2}', 9, '"a" stands twice in one object.'],
  ['{} {}', 3, 'nothing may stand after the end of the flow.'],
  ['{ // why\n}', 2, 'JSON has no comments.'],
  [`${'['.repeat(300)}${']'.repeat(300)}`, 201, 'this is nested more than 200 levels deep.'],
])('%j: at %d, %s', (text, at, message) => {
  expect(findJsonMistake(text)).toEqual({ at, message })
})

test('finds none in what JSON.parse takes, and one in what it refuses', () => {
  const texts = [
    '1',
    '-0.5e+3',
    '""',
    '"\\u00e9\\n"',
    '[]',
    '{}',
    ' [ {"a": [null, true]} ] ',
    '"😀"',
    '1.',
    '.5',
    '+1',
  ]
  texts.push(
    '0x1',
    'NaN',
    '[,]',
    '{"a":1,,"b":2}',
    '"\\u00"',
    'tru',
    'nullx',
    '"a',
    '\u00a0{}',
    '[1]]',
    '{]',
    '[}',
  )
  for (const text of texts) expect([text, findJsonMistake(text) === undefined]).toEqual([text, isJson(text)])
})

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
