import { expect, test } from 'vitest'
import { redactSecrets } from './redact-secrets.ts'

test.each([
  [{ TOKEN: 'abcdef' }, 'token abcdef, again abcdef', 'token •••, again •••'],
  [{ Authorization: 'Bearer abcdef' }, 'you sent abcdef', 'you sent •••'],
  [{ Authorization: 'Basic abcdef' }, 'you sent abcdef', 'you sent •••'],
  [{ A: 'abcdef', B: 'abcdef-and-more' }, 'abcdef-and-more', '•••'],
  [{ LEVEL: '1' }, '1 of 10', '1 of 10'],
])('secrets %j are redacted in %s', (secrets, text, shown) => {
  expect(redactSecrets(secrets)(text)).toBe(shown)
})
