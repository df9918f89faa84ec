import { expect, test } from 'vitest'
import { describeBytes, foldText, nameOfField, readValue } from './value-views.ts'

test.each([
  ['# A title', ['markdown', 'text']],
  ['{"a": 1}', ['tree', 'text']],
  ['{"a": 1', ['markdown', 'text']],
  ['12', ['markdown', 'text']],
  [{ a: 1 }, ['tree', 'raw']],
  [null, ['tree', 'raw']],
])('%j is shown as %j', (value, views) => {
  expect(readValue(value).views).toEqual(views)
})

test('a text that is JSON is read for the tree, and stays as it is for copies', () => {
  expect(readValue('{"a":1}')).toMatchObject({ text: '{"a":1}', tree: { a: 1 } })
})

test('a short text is not folded, a long one is cut between two lines', () => {
  expect(foldText('short')).toBe(undefined)
  expect(foldText('x'.repeat(2_000))).toBe(undefined)
  expect(foldText('x'.repeat(2_001))).toBe('x'.repeat(2_000))
  const lines = Array.from({ length: 50 }, (_, index) => `line ${index}`)
  expect(foldText(lines.join('\n'))).toBe(lines.slice(0, 40).join('\n'))
  const wide = Array.from({ length: 30 }, () => 'y'.repeat(99)).join('\n')
  expect(foldText(wide)?.length).toBe(1_999)
})

test('sizes are counted in bytes', () => {
  expect(describeBytes('é')).toBe('2 bytes')
  expect(describeBytes('x'.repeat(34_400))).toBe('34 KB')
  expect(describeBytes('x'.repeat(8_400_000))).toBe('8.4 MB')
})

test('an object with a text to read has fields, and its tree stays the default', () => {
  const summary = 'Tutti means all together, when every instrument plays at once.'
  expect(readValue({ summary, language: 'en' }).views).toEqual(['tree', 'fields', 'raw'])
  expect(readValue({ id: 'a1', count: 3 }).views).toEqual(['tree', 'raw'])
  expect(readValue([summary]).views).toEqual(['tree', 'raw'])
  expect(readValue({ nested: JSON.stringify({ summary }) }).views).toEqual(['tree', 'raw'])
  const many = Object.fromEntries(Array.from({ length: 13 }, (_, index) => [`field_${index}`, summary]))
  expect(readValue(many).views).toEqual(['tree', 'raw'])
})

test('names of fields are words', () => {
  expect(nameOfField('source_language')).toBe('Source language')
  expect(nameOfField('_')).toBe('_')
})
