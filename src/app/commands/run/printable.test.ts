import { expect, test } from 'vitest'
import { oneLine, printable } from './printable.ts'

test.each([
  ['plain text, with\nlines and\ttabs', 'plain text, with\nlines and\ttabs'],
  ['\u001b[31mred\u001b[0m', '[31mred[0m'],
  ['bell\u0007 and back\u0008', 'bell and back'],
  ['\u202eedis rehto eht', 'edis rehto eht'],
  ['Umlaute äöü, 漢字 and 🎻', 'Umlaute äöü, 漢字 and 🎻'],
])('%j can only be read', (text, expected) => {
  expect(printable(text)).toBe(expected)
})

test('a line stays one', () => {
  expect(oneLine(' one\r\n  two\u0000 ')).toBe('one two')
})
