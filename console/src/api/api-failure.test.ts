import { describe, expect, test } from 'vitest'
import { apiFailureOf, readApiFailure } from './api-failure.ts'

describe('readApiFailure', () => {
  test('reads code, message and request id of the platform’s own errors', async () => {
    const body = JSON.stringify({ error: { code: 'permission_denied', message: 'You may not do this.' } })
    const response = new Response(body, { status: 403, headers: { 'x-request-id': 'req-1' } })
    expect(await readApiFailure(response)).toMatchObject({
      status: 403,
      code: 'permission_denied',
      message: 'You may not do this.',
      requestId: 'req-1',
      retryable: false,
    })
  })

  test('reads the invalid fields, and leaves out entries that are no problem', async () => {
    const problems = [{ path: 'name', message: 'must not be empty', code: 'minLength' }, 'odd', { path: 1 }]
    const body = JSON.stringify({ error: { code: 'invalid_request', message: 'No.', problems } })
    const failure = await readApiFailure(new Response(body, { status: 400 }))
    expect(failure.problems).toEqual([{ path: 'name', message: 'must not be empty', code: 'minLength' }])
  })

  test.each(['<html>Bad gateway</html>', '', '[]', '{"error":"no"}', 'null'])(
    'falls back to the status for a proxy’s error body like %j',
    async (body) => {
      expect(await readApiFailure(new Response(body, { status: 502 }))).toMatchObject({
        status: 502,
        code: 'http_502',
        problems: [],
        requestId: undefined,
        retryable: true,
      })
    },
  )
})

test('reads problems beside the message and in its details', () => {
  const problems = [{ path: 'url', message: 'is private' }]
  const response = new Response(null, { status: 422 })
  for (const error of [{ problems }, { details: { problems } }]) {
    expect(apiFailureOf(response, { error }).problems).toEqual(problems)
  }
})

test('reads the message and details beside an error that is only a code', () => {
  const problems = [{ path: 'name', message: 'is required' }]
  const body = { error: 'BAD_REQUEST', message: 'No.', timestamp: '2026-11-15T12:00:00Z', problems }
  const { code, message, problems: told } = apiFailureOf(new Response(null, { status: 400 }), body)
  expect({ code, message, told }).toEqual({ code: 'BAD_REQUEST', message: 'No.', told: problems })
})
