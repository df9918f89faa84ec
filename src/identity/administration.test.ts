import { describe, expect, test } from 'vitest'
import { requireKeyName, requireScopes } from './administration.ts'

describe('an API key created at the terminal', () => {
  test('needs a name of 1 to 100 characters', () => {
    expect(() => requireKeyName('ci')).not.toThrow()
    for (const name of ['', ' ', 'x'.repeat(101)]) {
      expect(() => requireKeyName(name)).toThrow('The name of an API key must have 1 to 100 characters')
    }
  })

  test('accepts known scopes only, or none for full access', () => {
    expect(() => requireScopes(null)).not.toThrow()
    expect(() => requireScopes(['models.read'])).not.toThrow()
    expect(() => requireScopes(['models.read', 'models.reed'])).toThrow(
      /^There is no scope "models\.reed"\. Use one of: models\.read, /,
    )
  })
})
