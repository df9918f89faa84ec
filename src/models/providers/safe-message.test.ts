import { expect, test } from 'vitest'
import { toSafeMessage } from './safe-message.ts'

test.each([
  ['the context is too long', 'the context is too long'],
  ['two\nlines\u001b[31m in red', 'two lines [31m in red'],
  ['Incorrect API key provided: secret-of-ours.', 'Incorrect API key provided: [key].'],
  ['Incorrect API key provided: sk-proj-****abcd.', 'Incorrect API key provided: [key].'],
  ['x'.repeat(400), `${'x'.repeat(299)}…`],
])('%j becomes %j', (providerMessage, told) => {
  expect(toSafeMessage(providerMessage, 'secret-of-ours')).toBe(told)
})
