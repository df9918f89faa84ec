import { expect, test } from 'vitest'
import { readPage, readText } from './read-search.ts'

test.each([
  ['clara', 'clara'],
  [' clara ', 'clara'],
  [42, '42'],
  ['', undefined],
  [{}, undefined],
  [undefined, undefined],
])('the text %j of an address is read as %j', (value, text) => {
  expect(readText(value)).toBe(text)
})

test.each([
  [2, 2],
  ['3', 3],
  [1, undefined],
  [0, undefined],
  [-1, undefined],
  [1.5, undefined],
  [1e9, undefined],
  ['x', undefined],
])('the page %j of an address is read as %j', (value, page) => {
  expect(readPage(value)).toBe(page)
})
