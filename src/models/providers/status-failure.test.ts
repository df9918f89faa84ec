import { expect, test } from 'vitest'
import { failureOfStatus } from './status-failure.ts'

const nothing = { who: 'OpenAI', said: undefined, code: undefined, retryAfterSeconds: undefined }

test.each([
  [401, {}, 'unauthorized', 'OpenAI does not accept our key (status 401).'],
  [402, {}, 'unauthorized', 'OpenAI does not answer: what was paid for is used up.'],
  [403, {}, 'unauthorized', 'OpenAI does not accept our key (status 403).'],
  [
    404,
    { said: 'The model `x` does not exist' },
    'model_not_found',
    'OpenAI has no such model: The model `x` does not exist',
  ],
  [404, { code: 'model_not_found' }, 'model_not_found', 'OpenAI has no such model.'],
  [
    404,
    { said: 'Invalid URL (POST /chat)' },
    'unavailable',
    'OpenAI cannot answer (status 404): Invalid URL (POST /chat)',
  ],
  [429, {}, 'rate_limited', 'OpenAI takes no more requests for now.'],
  [
    429,
    { code: 'insufficient_quota' },
    'unauthorized',
    'OpenAI does not answer: what was paid for is used up.',
  ],
  [
    400,
    { said: 'Your credit balance is too low to access the API.' },
    'unauthorized',
    'OpenAI does not answer: what was paid for is used up.',
  ],
  [
    400,
    { said: 'max_tokens is too large' },
    'refused',
    'OpenAI does not take this request: max_tokens is too large',
  ],
  [413, {}, 'refused', 'OpenAI does not take this request.'],
  [408, {}, 'timeout', 'OpenAI did not answer in time (status 408).'],
  [504, {}, 'timeout', 'OpenAI did not answer in time (status 504).'],
  [301, {}, 'unavailable', 'OpenAI cannot answer (status 301).'],
  [500, {}, 'unavailable', 'OpenAI cannot answer (status 500).'],
  [529, { said: 'Overloaded' }, 'unavailable', 'OpenAI cannot answer (status 529): Overloaded'],
])('status %i with %j is %s', (status, more, kind, message) => {
  expect(failureOfStatus({ ...nothing, status, ...more })).toMatchObject({ kind, message })
})

test('how long to wait is passed on', () => {
  expect(failureOfStatus({ ...nothing, status: 429, retryAfterSeconds: 7 }).retryAfterSeconds).toBe(7)
})
