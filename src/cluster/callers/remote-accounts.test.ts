import { describe, expect, test } from 'vitest'
import { readProfile, readRefusal, readScopes } from './remote-accounts.ts'

describe('a platform response', () => {
  test('yields the profile, the error message and the scopes', () => {
    const profile = { id: 'u1', permissions: ['administer cluster'], username: 'ada' }
    expect(readProfile(JSON.stringify(profile))).toMatchObject({
      id: 'u1',
      permissions: ['administer cluster'],
    })
    const refusal = JSON.stringify({
      error: { code: 'x', message: 'No.', details: { scopes: ['models.read'] } },
    })
    expect(readRefusal(refusal)).toBe('No.')
    expect(readScopes(refusal)).toEqual(['models.read'])
  })

  test.each([
    '',
    'null',
    '<html>',
    '{}',
    '{"id":"","permissions":[]}',
    '{"id":"u1"}',
    '{"error":"No."}',
    '[]',
  ])('%s yields nothing', (text) => {
    expect([readProfile(text), readRefusal(text), readScopes(text)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('without valid scopes yields no scopes', () => {
    expect(readScopes(JSON.stringify({ error: { message: 'No.', details: {} } }))).toBeUndefined()
    expect(
      readScopes(JSON.stringify({ error: { message: 'No.', details: { scopes: 'all' } } })),
    ).toBeUndefined()
  })
})
