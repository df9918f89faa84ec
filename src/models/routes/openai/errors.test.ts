import { expect, test } from 'vitest'
import { describeOpenAiError } from './errors.ts'

test.each([
  [400, 'invalid_request', 'invalid_request_error'],
  [401, 'invalid_api_key', 'authentication_error'],
  [403, 'insufficient_scope', 'permission_error'],
  [404, 'unknown_url', 'invalid_request_error'],
  [413, 'body_too_large', 'invalid_request_error'],
  [429, 'rate_limit_exceeded', 'rate_limit_error'],
  [429, 'insufficient_quota', 'insufficient_quota'],
  [500, 'internal_error', 'server_error'],
  [504, 'provider_timeout', 'server_error'],
])('a %i %s is a %s', (status, code, type) => {
  expect(describeOpenAiError({ status, code, message: 'm', problems: [] })).toEqual({
    message: 'm',
    type,
    param: null,
    code,
  })
})

test.each([
  ['required', 'missing_required_parameter'],
  ['unknown_field', 'unknown_parameter'],
  ['unsupported', 'unsupported_parameter'],
  ['type', 'invalid_type'],
  ['maximum', 'invalid_value'],
])('a problem %s names its field and has the code %s', (code, told) => {
  const problems = [{ path: 'messages[1].content', message: 'is wrong', code }]
  expect(describeOpenAiError({ status: 400, code: 'invalid_request', message: 'm', problems })).toMatchObject(
    {
      param: 'messages[1].content',
      code: told,
    },
  )
})

test('an unknown model is a problem of the field model', () => {
  const error = describeOpenAiError({ status: 404, code: 'model_not_found', message: 'm', problems: [] })
  expect(error).toMatchObject({ param: 'model', code: 'model_not_found' })
})
