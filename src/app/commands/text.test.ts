import { expect, test } from 'vitest'
import { oneLine, printable, writeTable, writeTime } from './text.ts'

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

test('a table fits the terminal: empty columns go, and those that may shrink end with an ellipsis', () => {
  const header = ['ID', 'FLOW', 'COST', 'ERROR']
  const rows = [
    ['1', 'a_flow_with_a_long_name', '', 'The API responded with status 400.'],
    ['2', 'short', '', ''],
  ]
  const fitted = writeTable(header, rows, { width: 30, shrink: [1, 3] })
  expect(fitted).toBe('ID  FLOW              ERROR\n1   a_flow_with_a_l…  The API…\n2   short')
  expect(Math.max(...fitted.split('\n').map(({ length }) => length))).toBe(30)
  expect(writeTable(header, rows, { shrink: [1, 3] })).toContain('COST')
  expect(writeTable(header, [], { width: 30 })).toBe('')
})

test.each([
  [-90, true, '1 min ago'],
  [-7200, true, '2 h ago'],
  [3 * 86_400, true, 'in 3 d'],
  [-90, false, '2026-11-16T23:58:30.000Z'],
])('%d seconds from now, terminal %s: %s', (seconds, isTerminal, written) => {
  const now = new Date('2026-11-17T00:00:00Z')
  expect(writeTime(now.getTime() / 1000 + seconds, now, isTerminal)).toBe(written)
})
