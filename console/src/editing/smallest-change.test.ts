import { expect, test } from 'vitest'
import { smallestChange } from './smallest-change.ts'

test.each([
  ['a middle that differs', 'one two three', 'one 2 three', { from: 4, to: 7, insert: '2' }],
  ['what is added at the end', 'ab', 'abc', { from: 2, to: 2, insert: 'c' }],
  ['what is taken from the beginning', 'abc', 'bc', { from: 0, to: 1, insert: '' }],
  ['a repetition that grows', 'aa', 'aaa', { from: 2, to: 2, insert: 'a' }],
  ['nothing at all', 'same', 'same', { from: 4, to: 4, insert: '' }],
  ['everything', 'abc', 'xyz', { from: 0, to: 3, insert: 'xyz' }],
  ['characters of two halves, which stay whole', 'a😀b', 'a😁b', { from: 1, to: 3, insert: '😁' }],
])('replaces only the difference: %s', (_what, before, after, change) => {
  expect(smallestChange(before, after)).toEqual(change)
})

test('turns any text into any other', () => {
  const texts = ['', 'a', 'ab', 'ba', 'aba', 'abab', '😀', '😁😀', 'a😀', '{\n  "id": "x"\n}', '{\n}']
  for (const before of texts) {
    for (const after of texts) {
      const { from, to, insert } = smallestChange(before, after)
      expect(before.slice(0, from) + insert + before.slice(to)).toBe(after)
    }
  }
})
