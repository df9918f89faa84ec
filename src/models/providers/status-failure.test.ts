import { expect, test } from 'vitest'
import { failureOfStatus } from './status-failure.ts'

const nothing = { label: 'OpenAI', providerMessage: undefined, code: undefined, retryAfterSeconds: undefined }

test.each([
  [401, {}, 'unauthorized', 'OpenAI does not accept the API key (status 401).'],
  [402, {}, 'unauthorized', 'OpenAI rejected the request: the quota of the account is used up.'],
  [403, {}, 'unauthorized', 'OpenAI does not accept the API key (status 403).'],
  [
    404,
    { providerMessage: 'The model `x` does not exist' },
    'model_not_found',
    'OpenAI has no such model: The model `x` does not exist',
  ],
  [404, { code: 'model_not_found' }, 'model_not_found', 'OpenAI has no such model.'],
  [
    404,
    { providerMessage: 'Invalid URL (POST /chat)' },
    'unavailable',
    'OpenAI failed (status 404): Invalid URL (POST /chat)',
  ],
  [429, {}, 'rate_limited', 'OpenAI has reached its rate limit.'],
  [
    429,
    { code: 'insufficient_quota' },
    'unauthorized',
    'OpenAI rejected the request: the quota of the account is used up.',
  ],
  [
    400,
    { providerMessage: 'Your credit balance is too low to access the API.' },
    'unauthorized',
    'OpenAI rejected the request: the quota of the account is used up.',
  ],
  [
    400,
    { providerMessage: 'max_tokens is too large' },
    'refused',
    'OpenAI rejected the request: max_tokens is too large',
  ],
  [413, {}, 'refused', 'OpenAI rejected the request.'],
  [408, {}, 'timeout', 'OpenAI did not respond in time (status 408).'],
  [504, {}, 'timeout', 'OpenAI did not respond in time (status 504).'],
  [301, {}, 'unavailable', 'OpenAI failed (status 301).'],
  [500, {}, 'unavailable', 'OpenAI failed (status 500).'],
  [529, { providerMessage: 'Overloaded' }, 'unavailable', 'OpenAI failed (status 529): Overloaded'],
])('status %i with %j is %s', (status, more, kind, message) => {
  expect(failureOfStatus({ ...nothing, status, ...more })).toMatchObject({ kind, message })
})

test('Retry-After is passed on', () => {
  expect(failureOfStatus({ ...nothing, status: 429, retryAfterSeconds: 7 }).retryAfterSeconds).toBe(7)
})
