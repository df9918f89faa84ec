import { expect, test } from 'vitest'
import { describeLimits, draftOf, limitsOf, noLimits } from './key-limits.ts'

const limits = {
  models: ['gemma3', 'openai/gpt-*'],
  micro_dollars_per_day: 500_000,
  micro_dollars_per_month: null,
  micro_dollars_total: 20_000_000,
  requests_per_minute: 60,
  tokens_per_minute: 500,
}

test('limits survive the form', () => {
  expect(draftOf(limits)).toEqual({
    models: 'gemma3\nopenai/gpt-*',
    dollarsPerDay: '0.5',
    dollarsPerMonth: '',
    dollarsTotal: '20',
    requestsPerMinute: '60',
    tokensPerMinute: '500',
  })
  expect(limitsOf(draftOf(limits))).toEqual(limits)
  expect(limitsOf(draftOf(null))).toBeNull()
  expect(limitsOf({ ...noLimits, models: ' \n\n' })).toBeNull()
})

test.each([
  ['0', 0],
  [' 1.5 ', 1_500_000],
  ['0.0000004', 0],
  ['five', -1],
  ['1,5', -1],
])('the dollars %j are %i micro-dollars', (dollarsPerDay, amount) => {
  expect(limitsOf({ ...noLimits, dollarsPerDay })?.micro_dollars_per_day).toBe(amount)
})

test('limits are described in a few words', () => {
  expect(describeLimits(null)).toBe('')
  expect(describeLimits(limits)).toBe(
    '2 models · $0.50 per day · $20.00 in total · 60 requests/min · 500 tokens/min',
  )
  expect(describeLimits({ ...limits, models: ['gemma3'] })).toMatch(/^gemma3 · /)
})
