import { expect, test } from 'vitest'
import { bodyOfDraft, draftOf, emptyDraft } from './connection-draft.ts'

const times = { own: true, revision: 1, created_at: 1, updated_at: 1, used_at: null }

test('a secret is sent with its value and hosts', () => {
  const draft = {
    ...emptyDraft('secret'),
    name: 'a',
    value: 'the value',
    hosts: 'a.example\n b.example:8443\n',
  }
  expect(bodyOfDraft(draft)).toEqual({
    value: 'the value',
    allowed_hosts: ['a.example', 'b.example:8443'],
    shared: false,
  })
})

test('a stored connection is sent back unchanged, without credentials', () => {
  const settings = {
    token_url: 'https://login.example/token',
    client_id: 'tutti',
    scopes: ['a', 'b'],
    audience: 'https://crm.example',
    client_authentication: 'body' as const,
  }
  const entry = {
    name: 'crm',
    kind: 'oauth2_client_credentials' as const,
    settings,
    allowed_hosts: ['*.crm.example'],
    shared: true,
    ...times,
  }
  expect(bodyOfDraft(draftOf(entry))).toEqual({ settings, allowed_hosts: ['*.crm.example'], shared: true })
})

test.each([
  ['bearer', {}, 'token'],
  ['basic', { username: '' }, 'password'],
  ['api_key', { in: 'header', name: '' }, 'key'],
] as const)('%s has its own fields', (kind, settings, field) => {
  expect(bodyOfDraft({ ...emptyDraft(kind), value: 'x' })).toEqual({
    settings,
    credentials: { [field]: 'x' },
    allowed_hosts: [],
    shared: false,
  })
})
