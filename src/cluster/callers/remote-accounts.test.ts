import { describe, expect, test } from 'vitest'
import { readProfile, readRefusal, readScopes } from './remote-accounts.ts'

describe('an answer of the platform', () => {
  test('is read where it is what was asked for', () => {
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
  ])('%s is none', (text) => {
    expect([readProfile(text), readRefusal(text), readScopes(text)]).toEqual([
      undefined,
      undefined,
      undefined,
    ])
  })

  test('that refuses without scopes names none', () => {
    expect(readScopes(JSON.stringify({ error: { message: 'No.', details: {} } }))).toBeUndefined()
    expect(
      readScopes(JSON.stringify({ error: { message: 'No.', details: { scopes: 'all' } } })),
    ).toBeUndefined()
  })
})
