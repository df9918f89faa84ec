import { describe, expect, test } from 'vitest'
import { ApiFailure } from '../../api/api-failure.ts'
import type { Call } from '../usage/usage-queries.ts'
import { describeCost, describeSpeed, explainFailure, listDetails } from './answer-details.ts'
import type { Turn } from './conversation.ts'

const by = { callId: 'c1', provider: 'openai', model: 'gpt-4o-mini', attempts: 1, cache: 'miss' }
const turn: Turn = {
  id: 1,
  question: 'Why?',
  model: 'gpt-4o-mini',
  json: false,
  answer: {
    state: 'answered',
    text: 'Because.',
    thinking: '',
    by,
    tokens: { input: 1200, cached: 400, output: 41 },
    firstMs: 500,
    totalMs: 2500,
  },
}
const call: Call = {
  id: 'c1',
  account: 'a1',
  source: 'gateway',
  provider: 'openai',
  model: 'gpt-4o-mini',
  requested_model: 'gpt-4o-mini',
  started_at: '2026-11-15T08:00:00.000Z',
  input_tokens: 1200,
  cached_input_tokens: 400,
  output_tokens: 41,
  micro_dollars: 175,
  unpriced: false,
  price_source: 'table',
  price_version: '1',
  estimated: false,
  latency_ms: 2400,
  first_token_ms: 480,
  outcome: 'answered',
  failure_code: null,
  cache_hit: false,
  attempts: 1,
  key: null,
  tags: [],
}

/** The number in the format of this machine's locale. */
const many = (1200).toLocaleString()

function detailsOf(about: Turn, recorded: Call | null | undefined): Record<string, string | undefined> {
  return Object.fromEntries(listDetails(about, recorded).map(({ name, value }) => [name, value]))
}

describe('listDetails', () => {
  test('lists tokens, times, speed and cost', () => {
    expect(detailsOf(turn, call)).toEqual({
      Provider: 'OpenAI',
      Tokens: `${many} in (400 cached), 41 out`,
      'First token': '500 ms',
      Total: '2.5 s',
      Speed: '20 tokens/s',
      Cost: '$0.000175',
    })
  })

  test('has no cost until the call is recorded, and shows when it was not recorded', () => {
    expect(detailsOf(turn, undefined)['Cost']).toBeUndefined()
    expect(detailsOf(turn, null)['Cost']).toBe('not recorded')
  })

  test('shows the requested model, the number of attempts and a cache hit', () => {
    const answer = { ...turn.answer, by: { ...by, attempts: 3, cache: 'hit' } }
    expect(detailsOf({ ...turn, model: 'auto', answer }, call)).toMatchObject({
      'Requested model': 'auto',
      Attempts: '3',
      Cache: 'hit',
    })
  })

  test('takes the tokens of a stopped answer from the call record', () => {
    const { tokens: _, ...answer } = turn.answer
    expect(detailsOf({ ...turn, answer }, { ...call, estimated: true })['Tokens']).toBe(
      `${many} in (400 cached), 41 out at most`,
    )
    const uncounted = { ...call, input_tokens: null, output_tokens: null }
    expect(detailsOf({ ...turn, answer }, uncounted)['Tokens']).toBe('not counted')
  })

  test('is empty without an answer', () => {
    expect(listDetails({ ...turn, answer: { state: 'failed', text: '', thinking: '' } }, undefined)).toEqual(
      [],
    )
  })
})

test.each([
  ['price unknown', { micro_dollars: 0, unpriced: true, price_source: 'unpriced' }],
  ['free', { micro_dollars: 0, price_source: 'free' }],
  ['free', { micro_dollars: 0, cache_hit: true }],
  ['$0.000175', {}],
  ['$0.000175 at most', { estimated: true }],
])('a cost is shown as %s', (told, changes) => {
  expect(describeCost({ ...call, ...changes })).toBe(told)
})

test('an answer that arrived in one piece has no speed', () => {
  expect(describeSpeed({ ...turn.answer, firstMs: 500, totalMs: 505 }, 40)).toBe('–')
  expect(describeSpeed(turn.answer, null)).toBe('–')
  expect(describeSpeed({ ...turn.answer, totalMs: 10_500 }, 13)).toBe('1.2 tokens/s')
})

function explain(failure: Partial<ConstructorParameters<typeof ApiFailure>[0]>): string {
  return explainFailure(new ApiFailure({ status: 400, code: 'x', message: 'No.', ...failure }))
}

describe('explainFailure', () => {
  test('explains when an exhausted budget is renewed', () => {
    expect(explain({ status: 429, code: 'insufficient_quota' })).toContain('midnight UTC')
  })

  test('suggests fallback models for an unavailable provider', () => {
    expect(explain({ status: 502, code: 'provider_unavailable' })).toContain('fallback')
  })

  test('refers to the invalid setting', () => {
    const problems = [{ path: 'temperature', message: 'must be at most 2' }]
    expect(explain({ code: 'invalid_value', problems })).toContain('setting')
  })

  test('has advice for unknown error codes', () => {
    expect(explain({ status: 500, code: 'constructor' })).toContain('request ID')
    expect(explain({ status: 418, code: 'teapot' })).toContain('Fix the named field')
  })
})
