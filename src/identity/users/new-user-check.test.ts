import { describe, expect, test } from 'vitest'
import { checkNewUser, type NewUserFields } from './new-user-check.ts'

const fit: NewUserFields = {
  username: 'clara',
  email: 'clara@example.org',
  displayName: 'Clara Schumann',
  tier: 'basic',
}

describe('an account added at the terminal', () => {
  test('needs a username only', () => {
    expect(() => checkNewUser(fit)).not.toThrow()
    expect(() =>
      checkNewUser({ username: 'clara', email: undefined, displayName: undefined, tier: undefined }),
    ).not.toThrow()
  })

  test.each<[wrong: Partial<NewUserFields>, message: string | RegExp]>([
    [{ username: 'a:b' }, /^username must be 1 to 64 letters/],
    [{ email: 'clara@' }, '"clara@" is not an e-mail address.'],
    [{ displayName: ' ' }, 'A display name must have 1 to 100 characters, not only spaces.'],
    [{ tier: 'gold' }, 'There is no tier "gold". Use one of: basic, professional, enterprise, custom'],
  ])('%j is refused', (wrong, message) => expect(() => checkNewUser({ ...fit, ...wrong })).toThrow(message))
})
