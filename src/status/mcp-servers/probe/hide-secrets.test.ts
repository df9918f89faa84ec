import { expect, test } from 'vitest'
import { hideSecrets } from './hide-secrets.ts'

test.each([
  [{ TOKEN: 'abcdef' }, 'token abcdef, again abcdef', 'token •••, again •••'],
  [{ Authorization: 'Bearer abcdef' }, 'you sent abcdef', 'you sent •••'],
  [{ Authorization: 'Basic abcdef' }, 'you sent abcdef', 'you sent •••'],
  [{ A: 'abcdef', B: 'abcdef-and-more' }, 'abcdef-and-more', '•••'],
  [{ LEVEL: '1' }, '1 of 10', '1 of 10'],
])('of %j nothing is left in %s', (secrets, text, shown) => {
  expect(hideSecrets(secrets)(text)).toBe(shown)
})
