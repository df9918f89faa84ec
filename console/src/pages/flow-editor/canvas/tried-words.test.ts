import { expect, test } from 'vitest'
import { describeTried } from './tried-words.ts'

const plain = { output: null, error: null, skippedBecause: null }

test('a step that was tried says in one line what came of it', () => {
  expect(describeTried({ ...plain, state: 'completed', output: ' {\n  "a": 1\n}' })).toBe('{ "a": 1 }')
  expect(describeTried({ ...plain, state: 'waiting' })).toBe('')
  const error = { code: 'x', message: 'The key is wrong.' }
  expect(describeTried({ ...plain, state: 'failed', output: 'half', error })).toBe('The key is wrong.')
  expect(describeTried({ ...plain, state: 'skipped', skippedBecause: 'Not chosen.' })).toBe('Not chosen.')
})

test('of a long text the beginning is shown, and while it is being said the end', () => {
  const output = `begin ${'and so on '.repeat(20)}end`
  expect(describeTried({ ...plain, state: 'completed', output })).toMatch(/^begin .*…$/)
  expect(describeTried({ ...plain, state: 'running', output })).toMatch(/^….* end$/)
})
