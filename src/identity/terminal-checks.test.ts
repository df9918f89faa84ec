import { describe, expect, test } from 'vitest'
import { requireKeyName, requireScopes } from './terminal-checks.ts'

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
