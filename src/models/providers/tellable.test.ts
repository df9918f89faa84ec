import { expect, test } from 'vitest'
import { tellable } from './tellable.ts'

test.each([
  ['the context is too long', 'the context is too long'],
  ['two\nlines\u001b[31m in red', 'two lines [31m in red'],
  ['Incorrect API key provided: secret-of-ours.', 'Incorrect API key provided: [key].'],
  ['Incorrect API key provided: sk-proj-****abcd.', 'Incorrect API key provided: [key].'],
  ['x'.repeat(400), `${'x'.repeat(299)}…`],
])('%j is told as %j', (said, told) => {
  expect(tellable(said, 'secret-of-ours')).toBe(told)
})
