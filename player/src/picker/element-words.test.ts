import { expect, test } from 'vitest'
import { cutWords } from './element-words.ts'

test.each([
  ['  Save\n the   way ', 'Save the way'],
  [' \n ', null],
  ['The quick brown fox', 'The quick…'],
  ['The quick, brown fox', 'The quick…'],
  ['Donaudampfschiff', 'Donaudampfs…'],
  ['これは長い日本語の文章です', 'これは長い日本語の文章…'],
  ['Exactly twel', 'Exactly twel'],
  ['😀😀😀😀😀😀😀😀😀😀😀😀😀', '😀😀😀😀😀😀😀😀😀😀😀…'],
])('%j is cut to %j', (text, expected) => {
  expect(cutWords(text, 12)).toBe(expected)
})
