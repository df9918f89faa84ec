import { jsonLanguage } from '@codemirror/lang-json'
import { Text } from '@codemirror/state'
import { describe, expect, test } from 'vitest'
import type { FlowProblem } from '../problems/problem.ts'
import { diagnose, findJsonMistake, readCode, writeCode } from './read-code.ts'

const problemIn = (text: string) => {
  const read = readCode(text)
  return 'mistake' in read ? read.mistake.problem : undefined
}

describe('code', () => {
  test('is parsed to its definition, valid or not', () => {
    const definition = {
      id: 'x',
      label: '',
      steps: [{ id: 'a', type: 'nonsense', prompt: 7 }],
      problem: 'none',
    }
    expect(readCode(writeCode(definition))).toEqual({ definition })
    expect(readCode('{}')).toEqual({ definition: { id: '', label: '', steps: [] } })
  })

  test('that is not JSON reports the line', () => {
    expect(problemIn('{\n  "id": "x"\n  "label": ""\n}')).toBe('Line 3: missing comma or } before "label".')
    expect(problemIn('')).toBe('Line 1: missing value at the end of the text.')
    expect(problemIn('{\n')).toBe('Line 1: missing } at the end of the text.')
  })

  test('that cannot be edited as steps reports the reason and the line', () => {
    expect(problemIn('[]')).toBe('Line 1: A workflow must be a JSON object in braces.')
    expect(problemIn('{\n"steps": 1}')).toBe('Line 2: steps must be an array.')
    expect(problemIn('{\n"steps": [\n{"id": "a", "type": "b"},\n{"id": "a", "type": "b"}]}')).toBe(
      'Line 4: steps[1].id: "a" is used by another step.',
    )
    expect(problemIn('{"steps": [\n{"id": "a"}]}')).toBe('Line 2: steps[0].type must be a string.')
  })

  test('reports a mistake inside the text', () => {
    for (const text of ['', '{', '{"a"', '[]', '{"id": 1}', '{} x']) {
      const read = readCode(text)
      if (!('mistake' in read)) throw new Error(`no mistake in ${text}`)
      const { from, to } = read.mistake
      expect(from).toBeLessThanOrEqual(to)
      expect(to).toBeLessThanOrEqual(text.length)
    }
  })
})

test.each([
  ['', 0, 'missing value at the end of the text.'],
  ['{', 1, 'missing } at the end of the text.'],
  ['{"a": 1', 7, 'missing } at the end of the text.'],
  ['["a", ', 6, 'missing value at the end of the text.'],
  ['{"a": 1 "b": 2}', 8, 'missing comma or } before "b".'],
  ['[1 2]', 3, 'missing comma or ] before 2.'],
  ['{"a": 1, }', 7, 'extra comma before the }.'],
  ['[1,]', 2, 'extra comma before the ].'],
  ['{,}', 1, 'extra comma.'],
  ['{"a" 1}', 4, 'missing colon after "a".'],
  ['{"a": }', 6, 'missing value before }.'],
  ['{a: 1}', 1, 'missing field name in double quotes before a.'],
  ["{'a': 1}", 1, "missing field name in double quotes before 'a'."],
  ['{"a": yes}', 6, 'yes is not a value; put strings in double quotes.'],
  ['{"a": 01}', 6, '01 is not a value; put strings in double quotes.'],
  ['{"a": "b\n}', 6, 'unterminated string; write a line break as \\n.'],
  ['{"a": "\\d"}', 7, '\\d is not a valid escape; write a backslash as \\\\.'],
  ['{"a": "\t"}', 7, 'control character in a string; write a tab as \\t.'],
  ['{"a": 1, "a": 2}', 9, '"a" appears twice in one object.'],
  ['{} {}', 3, 'unexpected text after the end of the workflow.'],
  ['{ // why\n}', 2, 'comments are not allowed in JSON.'],
  [`${'['.repeat(300)}${']'.repeat(300)}`, 201, 'nested more than 200 levels deep.'],
])('%j: at %d, %s', (text, at, message) => {
  expect(findJsonMistake(text)).toEqual({ at, message })
})

test('finds no mistake in text that JSON.parse accepts, and one in text it refuses', () => {
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

const problem = (path: string, code = 'required'): FlowProblem => ({
  severity: 'warning',
  path,
  message: 'is required',
  code,
})

const codeOf = (text: string) => ({
  tree: jsonLanguage.parser.parse(text),
  doc: Text.of(text.split('\n')),
})

test('marks each problem at its path, in text order, without those of metadata', () => {
  const text = '{"id": "x", "label": ""}'
  const problems = ['label', 'id', 'metadata.layout'].map((path) => problem(path))
  const marks = diagnose(codeOf(text), [...problems, problem('', 'unreadable_code')], null)
  expect(marks.map(({ from, to, message }) => [text.slice(from, to), message])).toEqual([
    ['"x"', 'id is required'],
    ['""', 'label is required'],
  ])
})

test('marks the syntax error of an invalid text', () => {
  const text = '{"id": "x" "label": ""}'
  const read = readCode(text)
  const mistake = 'mistake' in read ? read.mistake : null
  expect(diagnose(codeOf(text), [], mistake)).toMatchObject([
    { from: 11, to: 12, severity: 'error', message: 'missing comma or } before "label".' },
  ])
})
