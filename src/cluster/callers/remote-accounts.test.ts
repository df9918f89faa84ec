import { describe, expect, test } from 'vitest'
import { readProfile, readRefusal, readScopes } from './remote-accounts.ts'

const read = (key: unknown) => readProfile(JSON.stringify({ id: 'u1', permissions: [], api_key: key }))

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

  test('yields the limits of an API key', () => {
    const limits = {
      models: ['gemma3*'],
      micro_dollars_per_day: 0,
      micro_dollars_per_month: null,
      micro_dollars_total: 5,
      requests_per_minute: 2,
      tokens_per_minute: null,
    }
    expect(read({ id: 'k1', limits })?.key).toEqual({
      id: 'k1',
      limits: {
        models: ['gemma3*'],
        microDollarsPerDay: 0,
        microDollarsTotal: 5,
        requestsPerMinute: 2,
      },
    })
    expect(read({ id: 'k1', limits: null })?.key).toEqual({ id: 'k1', limits: undefined })
    // Limits that cannot be read must not be ignored.
    expect(read({ id: 'k1', limits: { models: 'all' } })).toBeUndefined()
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
