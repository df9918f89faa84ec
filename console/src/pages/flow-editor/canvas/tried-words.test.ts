import { expect, test } from 'vitest'
import { describeTried } from './tried-words.ts'

const plain = { output: null, error: null, skippedBecause: null }

test('a tested step shows its result in one line', () => {
  expect(describeTried({ ...plain, state: 'completed', output: ' {\n  "a": 1\n}' })).toBe('{ "a": 1 }')
  expect(describeTried({ ...plain, state: 'waiting' })).toBe('')
  const error = { code: 'x', message: 'The key is wrong.' }
  expect(describeTried({ ...plain, state: 'failed', output: 'half', error })).toBe('The key is wrong.')
  expect(describeTried({ ...plain, state: 'skipped', skippedBecause: 'Not chosen.' })).toBe('Not chosen.')
})

test('a long text shows its beginning, and its end while it is streamed', () => {
  const output = `begin ${'and so on '.repeat(20)}end`
  expect(describeTried({ ...plain, state: 'completed', output })).toMatch(/^begin .*…$/)
  expect(describeTried({ ...plain, state: 'running', output })).toMatch(/^….* end$/)
})
