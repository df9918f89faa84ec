import { describe, expect, test } from 'vitest'
import { createNewUserCheck, type NewUserFields, requireKeyName, requireScopes } from './terminal-checks.ts'

const fit: NewUserFields = {
  username: 'clara',
  email: 'clara@example.org',
  displayName: 'Clara Schumann',
  tier: 'basic',
}

describe('an account to be added from the terminal', () => {
  const check = createNewUserCheck()

  test('may say everything, or nothing but its name', () => {
    expect(() => check(fit)).not.toThrow()
    expect(() =>
      check({ username: 'clara', email: undefined, displayName: undefined, tier: undefined }),
    ).not.toThrow()
  })

  test.each<[wrong: Partial<NewUserFields>, message: string | RegExp]>([
    [{ username: 'a:b' }, /^username must be 1 to 64 letters/],
    [{ email: 'clara@' }, '"clara@" is not an e-mail address.'],
    [{ displayName: ' ' }, 'A display name has 1 to 100 characters, not all of them spaces.'],
    [{ tier: 'gold' }, 'There is no tier "gold". There are: basic, professional, enterprise, custom'],
  ])('%j is told', (wrong, message) => expect(() => check({ ...fit, ...wrong })).toThrow(message))
})

describe('an API key to be made at the terminal', () => {
  test('has a name', () => {
    expect(() => requireKeyName('ci')).not.toThrow()
    for (const name of ['', ' ', 'x'.repeat(101)]) {
      expect(() => requireKeyName(name)).toThrow('The name of a key has 1 to 100 characters')
    }
  })

  test('is limited to scopes there are, or to nothing', () => {
    expect(() => requireScopes(null)).not.toThrow()
    expect(() => requireScopes(['models.read'])).not.toThrow()
    expect(() => requireScopes(['models.read', 'models.reed'])).toThrow(
      /^There is no scope "models\.reed"\. There are: models\.read, /,
    )
  })
})
