import { expect, test } from 'vitest'
import { joinTexts } from './join-texts.ts'

test.each([
  ['The sea ', 'is calm.', 'The sea is calm.'],
  ['The sea is', ' is calm.', 'The sea is calm.'],
  ['The sea is calm.', 'is calm.', 'The sea is calm.'],
  ['', 'calm', 'calm'],
  ['calm', '', 'calm'],
])('joins %j and %j to %j', (before, heard, whole) => {
  expect(joinTexts(before, heard)).toBe(whole)
})
