import { expect, test } from 'vitest'
import { describeApiError } from './public-api.ts'

test('an API error says what is wrong, where, and how to fix it', () => {
  const body = {
    error: {
      code: 'VALIDATION_FAILED',
      message: 'The request is not valid.',
      details: { problems: [{ path: 'context.content', message: 'is required' }] },
      recovery_options: [],
    },
  }
  expect(describeApiError(400, body, undefined).split('\n')).toEqual([
    'VALIDATION_FAILED: The request is not valid.',
    '- context.content is required',
    'Correct the arguments and call again; get_flow shows the required inputs of a flow, list_human_tasks the form of an answer.',
  ])
})

test('an API error contains suggestions and the time of a retry', () => {
  const unknown = { error: { code: 'FLOW_NOT_FOUND', message: 'No.', details: { suggestions: ['a', 'b'] } } }
  expect(describeApiError(404, unknown, undefined)).toContain('Did you mean a or b?')
  const limited = { error: { code: 'rate_limited', message: 'Too many requests.' } }
  expect(describeApiError(429, limited, 12)).toBe('RATE_LIMITED: Too many requests.\nTry again in 12 s.')
})

test('an empty error response is described by its status', () => {
  expect(describeApiError(502, undefined, undefined)).toBe(
    'STATUS_502: The platform responded with status 502.',
  )
})
