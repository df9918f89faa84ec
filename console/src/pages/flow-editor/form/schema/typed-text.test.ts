import { describe, expect, test } from 'vitest'
import type { Json } from '../../document/json.ts'
import {
  jsonWriting,
  linesWriting,
  readComparison,
  scalarWriting,
  textWriting,
  type Writing,
} from './typed-text.ts'

const number = scalarWriting(new Set(['number']))
const duration = scalarWriting(new Set(['number', 'text']))
const parameter = scalarWriting(new Set(['text', 'number', 'flag']))

describe('typed text', () => {
  test.each<[string, Writing, string, Json | undefined]>([
    ['a number', number, ' 0.5 ', 0.5],
    ['a number that is not whole yet', number, '1.', 1],
    ['no number', number, 'many', 'many'],
    ['a duration in seconds', duration, '30', 30],
    ['a duration in words', duration, '30s', '30s'],
    ['a boolean', parameter, 'false', false],
    ['a text that looks like a number', parameter, '"30"', '30'],
    ['a placeholder', parameter, '{{tone}}', '{{tone}}'],
    ['JSON', jsonWriting, '{"a": [1]}', { a: [1] }],
    ['half of JSON', jsonWriting, '{"a": ', '{"a": '],
    ['plain text', jsonWriting, 'hello', 'hello'],
    ['nothing', jsonWriting, '  ', undefined],
    ['nothing where something may be missing', textWriting(false), '', undefined],
    ['nothing where something is needed', textWriting(true), '', ''],
    ['lines', linesWriting(textWriting(true)), ' a \n\nb', ['a', 'b']],
    ['lines of numbers', linesWriting(number), '1\nx', [1, 'x']],
    ['no lines', linesWriting(number), '\n', undefined],
  ])('as %s is read', (_what, { read }, text, value) => {
    expect(read(text)).toEqual(value)
  })
})

test.each<[Writing, Json]>([
  [number, 70],
  [number, 'many'],
  [parameter, '30'],
  [parameter, 'true'],
  [parameter, true],
  [duration, '5m'],
  [jsonWriting, '70'],
  [jsonWriting, 70],
  [jsonWriting, null],
  [jsonWriting, 'a text'],
  [jsonWriting, { a: [1, { b: '' }] }],
  [textWriting(true), ' as it is\n'],
  [linesWriting(textWriting(true)), ['a', 'b c']],
])('the shown text parses to the same value', ({ read, show }, value) => {
  expect(read(show(value))).toEqual(value)
})

test.each<[string, object]>([
  ['analysis.score < 70', { field: 'analysis.score', operator: '<', value: 70 }],
  ["language in ['de']", { field: 'language', operator: 'in', value: "['de']" }],
  ["language == 'de'", { field: 'language', operator: '==', value: 'de' }],
  ['analysis exists', { field: 'analysis', operator: 'exists' }],
  ['analysis.', { field: 'analysis.', operator: '==' }],
])('%s is split into its parts', (text, parts) => {
  expect(readComparison(text)).toEqual(parts)
})
