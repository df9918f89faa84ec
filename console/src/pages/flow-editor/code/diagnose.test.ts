import { jsonLanguage } from '@codemirror/lang-json'
import { Text } from '@codemirror/state'
import { expect, test } from 'vitest'
import type { FlowProblem } from '../problems/problem.ts'
import { diagnose } from './diagnose.ts'
import { readCode } from './read-code.ts'

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

test('marks each problem at its place, in the order of the text, and none that is not about the code', () => {
  const text = '{"id": "x", "label": ""}'
  const problems = ['label', 'id', 'metadata.layout'].map((path) => problem(path))
  const marks = diagnose(codeOf(text), [...problems, problem('', 'unreadable_code')], null)
  expect(marks.map(({ from, to, message }) => [text.slice(from, to), message])).toEqual([
    ['"x"', 'id is required'],
    ['""', 'label is required'],
  ])
})

test('marks what keeps the text from being read', () => {
  const text = '{"id": "x" "label": ""}'
  const read = readCode(text)
  const mistake = 'mistake' in read ? read.mistake : null
  expect(diagnose(codeOf(text), [], mistake)).toMatchObject([
    { from: 11, to: 12, severity: 'error', message: 'missing comma or } before "label".' },
  ])
})
