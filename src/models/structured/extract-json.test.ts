import { describe, expect, test } from 'vitest'
import { findJson } from './extract-json.ts'

const valuesIn = (answer: string) => findJson(answer).map(({ value }) => value)

describe('JSON is found', () => {
  test.each([
    ['alone', ' {"a": 1}\n', [{ a: 1 }]],
    ['when it is a single word', '"yes"', ['yes']],
    ['when it is a number', '42', [42]],
    ['in a code fence', 'Sure!\n```json\n{"a": 1}\n```\nAnything else?', [{ a: 1 }]],
    ['in a code fence that names no language', '```\n[1, 2]\n```', [[1, 2]]],
    ['among words', 'The answer is {"a": {"b": "}"}} as you see.', [{ a: { b: '}' } }]],
    ['with a comma too many', '{"a": [1, 2, ], }', [{ a: [1, 2] }]],
    ['with a line break in a text', '{"a": "one\ntwo"}', [{ a: 'one\ntwo' }]],
    ['behind a bracket that is never closed', 'a { b: {"a": 1}', [{ a: 1 }]],
    ['behind thoughts', '<think>maybe {x}?</think>{"a": 1}', [{ a: 1 }]],
  ])('%s', (_name, answer, values) => {
    expect(valuesIn(answer)).toEqual(values)
  })

  test('several times, in order, so that the caller can take the valid one', () => {
    expect(valuesIn('As [1] says: {"a": 1}')).toEqual([[1], { a: 1 }])
  })

  test('with the text that was parsed, commas in strings included', () => {
    expect(findJson('{"a": "x, ]\\" ,}", }')).toEqual([
      { text: '{"a": "x, ]\\" ,}" }', value: { a: 'x, ]" ,}' } },
    ])
  })
})

test.each(['', 'No.', '{"a": }', '{a: 1}', "{'a': 1}", '{"a": 1', '```json\n```', '[1}'])(
  'there is no JSON in %j',
  (answer) => {
    expect(findJson(answer)).toEqual([])
  },
)

test('deeply nested JSON is ignored', () => {
  expect(findJson(`${'['.repeat(300)}${']'.repeat(300)}`)).toEqual([])
  expect(valuesIn(`${'['.repeat(150)}${']'.repeat(150)}`)).toHaveLength(1)
})

test.each([
  ['opening brackets', '['.repeat(500_000)],
  ['objects that begin', '{"a":'.repeat(80_000)],
  ['code fences', '```\n'.repeat(100_000)],
  ['quotes', '"'.repeat(400_001)],
  ['unterminated escaped quotes', `["${'\\"'.repeat(200_000)}\\`],
  ['commas', `[${',\n'.repeat(200_000)}]`],
  ['blanks behind a comma', `[1,${' '.repeat(500_000)}x]`],
  ['commas that close', `[1${',]'.repeat(100_000)}`],
  ['more than anybody reads', '[1]'.repeat(400_000)],
])('half a megabyte of %s takes linear time', (_name, answer) => {
  const before = process.cpuUsage()
  findJson(answer)
  // Linear time takes a few milliseconds; quadratic time would take minutes.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000)
})
