import { expect, test } from 'vitest'
import { writeTable } from './text-table.ts'

test('columns begin at the same place, and nothing trails', () => {
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

test('letters that take two places are counted as two, marks on letters as none', () => {
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
