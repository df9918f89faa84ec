import { expect, test } from 'vitest'
import { kindOf, linesOf } from './client-kinds.ts'

const client = {
  client_id: 'c',
  name: 'Notes',
  redirect_uris: [],
  scopes: [],
  public: false,
  user_id: 'u',
  username: 'clara',
  created_at: '2026-11-15T12:00:00Z',
  last_used_at: null,
}

test.each([
  [['authorization_code', 'refresh_token'], false, 'Web application'],
  [['authorization_code', 'refresh_token'], true, 'Public application'],
  [['client_credentials'], false, 'Service'],
  [['authorization_code', 'client_credentials', 'refresh_token'], false, 'Web application and service'],
] as const)('a client that uses %j, public: %j, is a %s', (grantTypes, isPublic, kind) => {
  expect(kindOf({ ...client, grant_types: [...grantTypes], public: isPublic })).toBe(kind)
})

test('URLs are read one per line, without empty lines', () => {
  expect(linesOf(' https://a.example/x \n\n https://b.example/y')).toEqual([
    'https://a.example/x',
    'https://b.example/y',
  ])
})
