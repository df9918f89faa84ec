import { expect, test } from 'vitest'
import { failureOfStatus, readErrorBody, readRetrySeconds, toSafeMessage } from './status-failure.ts'

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

test('the failure contains Retry-After', () => {
  expect(failureOfStatus({ ...nothing, status: 429, retryAfterSeconds: 7 }).retryAfterSeconds).toBe(7)
})

test.each([
  ['7', 7],
  ['0.4', 1],
  ['999999999', 86_400],
  ['Sun, 15 Nov 2020 09:00:00 GMT', 0],
  ['soon', undefined],
])('Retry-After %s means %s seconds', (header, seconds) => {
  expect(readRetrySeconds(header)).toBe(seconds)
})

test.each([
  [{ error: { message: 'no', type: 'a', code: 'b' } }, { providerMessage: 'no', code: 'b' }],
  [{ error: { message: 'no', type: 'a', code: 404 } }, { providerMessage: 'no', code: 'a' }],
  [
    { type: 'error', error: { type: 'not_found_error', message: 'no' } },
    { providerMessage: 'no', code: 'not_found_error' },
  ],
  [{ error: 'no' }, { providerMessage: 'no', code: undefined }],
  [
    { error: 'no', code: 'c' },
    { providerMessage: 'no', code: 'c' },
  ],
  [{ message: 'no' }, { providerMessage: 'no', code: undefined }],
  [{ error: null }, { providerMessage: undefined, code: undefined }],
  [['no'], { providerMessage: undefined, code: undefined }],
  ['no', { providerMessage: undefined, code: undefined }],
  [undefined, { providerMessage: undefined, code: undefined }],
])('%j has the message %j', (body, told) => {
  expect(readErrorBody(body)).toEqual(told)
})

test.each([
  ['the context is too long', 'the context is too long'],
  ['two\nlines\u001b[31m in red', 'two lines [31m in red'],
  ['Incorrect API key provided: secret-of-ours.', 'Incorrect API key provided: [key].'],
  ['Incorrect API key provided: sk-proj-****abcd.', 'Incorrect API key provided: [key].'],
  ['x'.repeat(400), `${'x'.repeat(299)}…`],
])('%j becomes %j', (providerMessage, told) => {
  expect(toSafeMessage(providerMessage, 'secret-of-ours')).toBe(told)
})
