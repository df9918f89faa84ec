import { expect, test } from 'vitest'
import { csvCell } from './export.ts'

test.each([
  ['a text', 'a text'],
  ['one, two', '"one, two"'],
  ['a "word"', '"a ""word"""'],
  ['two\nlines', '"two\nlines"'],
  ['=1+1', "'=1+1"],
  ['@sum(a1)', "'@sum(a1)"],
  ['-2', "'-2"],
  ['\t=1, 2', '"\'\t=1, 2"'],
  [-2.5, '-2.5'],
  [true, 'true'],
  [null, ''],
])('writes the cell %j as %j', (value, written) => {
  expect(csvCell(value)).toBe(written)
})
