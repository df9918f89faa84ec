import { expect, test } from 'vitest'
import { oneLine, printable, writeTable } from './text.ts'

test('columns are aligned, without trailing spaces', () => {
  expect(
    writeTable(
      ['NAME', 'STATE'],
      [
        ['clara', 'active'],
        ['al', ''],
      ],
    ),
  ).toBe('NAME   STATE\nclara  active\nal')
})

test('wide characters count as two columns, combining marks as none', () => {
  const [, wide, marked] = writeTable(
    ['NAME', 'X'],
    [
      ['武満徹', 'x'],
      ['zoe\u0308', 'x'],
    ],
  ).split('\n')
  expect(wide).toBe('武満徹  x')
  expect(marked).toBe('zoe\u0308     x')
})

test.each([
  ['plain text, with\nlines and\ttabs', 'plain text, with\nlines and\ttabs'],
  ['\u001b[31mred\u001b[0m', '[31mred[0m'],
  ['bell\u0007 and back\u0008', 'bell and back'],
  ['\u202eedis rehto eht', 'edis rehto eht'],
  ['Umlaute äöü, 漢字 and 🎻', 'Umlaute äöü, 漢字 and 🎻'],
])('%j cannot control the terminal', (text, expected) => {
  expect(printable(text)).toBe(expected)
})

test('a text with line breaks becomes one line', () => {
  expect(oneLine(' one\r\n  two\u0000 ')).toBe('one two')
})
