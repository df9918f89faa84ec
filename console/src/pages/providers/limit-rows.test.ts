import { expect, test } from 'vitest'
import { limitBodyOf, limitDraftOf } from './limit-rows.ts'

const limit = {
  provider: 'openai',
  model: '*',
  max_concurrent: 8,
  requests_per_minute: null,
  tokens_per_minute: 200_000,
  updated_at: '2026-11-15T08:55:35.852Z',
  updated_by: null,
}

test('the form of a limit holds its numbers unchanged; an empty field is no limit', () => {
  expect(limitBodyOf(limitDraftOf(limit))).toEqual({
    max_concurrent: 8,
    requests_per_minute: null,
    tokens_per_minute: 200_000,
  })
})

test('a text that is no number is not taken for no limit', () => {
  const draft = { ...limitDraftOf(undefined), requestsPerMinute: 'many', tokensPerMinute: '1.5' }
  expect(limitBodyOf(draft)).toEqual({
    max_concurrent: null,
    requests_per_minute: -1,
    tokens_per_minute: 1.5,
  })
})
