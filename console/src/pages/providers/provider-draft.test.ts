import { expect, test } from 'vitest'
import { bodyOfDraft, changeOfDraft, emptyDraft } from './provider-draft.ts'

const draft = { ...emptyDraft, name: ' groq ', baseUrl: 'https://api.groq.com/openai/v1 ' }

test('empty fields of a new provider are left to the platform', () => {
  expect(bodyOfDraft(draft)).toEqual({
    name: 'groq',
    kind: 'openai',
    base_url: 'https://api.groq.com/openai/v1',
    headers: null,
    model_ids: null,
    price_list: null,
    enabled: true,
  })
})

test('models and headers are read from lines', () => {
  const filled = { ...draft, modelIds: 'a, b\nc,a', headers: 'X-Tenant: one:two\n\nX-Flag' }
  expect(bodyOfDraft(filled)).toMatchObject({
    model_ids: ['a', 'b', 'c'],
    headers: { 'X-Tenant': 'one:two', 'X-Flag': '' },
  })
})

test('a change keeps the key and the headers that are not typed again', () => {
  const change = changeOfDraft(draft)
  expect(change).not.toHaveProperty('api_key')
  expect(change).not.toHaveProperty('headers')
  expect(change).not.toHaveProperty('name')
  expect(change.default_model).toBeNull()
  expect(changeOfDraft({ ...draft, apiKey: 'k', headers: 'a: b' })).toMatchObject({
    api_key: 'k',
    headers: { a: 'b' },
  })
})
