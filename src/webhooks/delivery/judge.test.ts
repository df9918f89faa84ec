import { describe, expect, test } from 'vitest'
import { judge } from './judge.ts'
import type { Sent } from './send.ts'

const tried = { event: 'flow.step.completed', attempts: 1, policy: {}, challenge: undefined }
const answered = (status: number, body = ''): Sent => ({
  durationMs: 1,
  answer: { status, headers: {}, body },
  error: null,
  retryable: true,
  retryAfterMs: undefined,
})
const failed = (code: string, retryable: boolean): Sent => ({
  ...answered(0),
  answer: null,
  error: { code, message: 'No.' },
  retryable,
})

describe('a try', () => {
  test.for([200, 201, 202, 204, 299])('is a success with %i', (status) => {
    expect(judge(answered(status), tried, 0)).toEqual({ state: 'delivered', verified: false })
  })

  test.for([300, 301, 308, 400, 404, 429, 500, 503, 199])('is to be made again after %i', (status) => {
    expect(judge(answered(status), tried, 0)).toMatchObject({ state: 'pending', pauseMs: 5000 })
  })

  test('ends everything with 410', () => {
    expect(judge(answered(410), tried, 0)).toMatchObject({ state: 'dead', reason: 'gone' })
  })

  test('is to be made again after a failure on the way, and not after a refusal', () => {
    expect(judge(failed('outbound_timeout', true), tried, 0)).toMatchObject({ state: 'pending' })
    expect(judge(failed('outbound_refused', false), tried, 0)).toMatchObject({
      state: 'dead',
      reason: 'refused',
    })
  })

  test('was the last one when the policy says so', () => {
    const last = { ...tried, attempts: 3, policy: { max_attempts: 3 } }
    expect(judge(answered(500), last, 0)).toMatchObject({ state: 'dead', reason: 'attempts_exhausted' })
  })

  test('waits as the receiver asks', () => {
    const busy = { ...answered(429), retryAfterMs: 90_000 }
    expect(judge(busy, tried, 0)).toMatchObject({ state: 'pending', pauseMs: 90_000 })
  })

  test('verifies only when the challenge comes back', () => {
    const asked = { ...tried, event: 'webhook.verification', challenge: 'abc123' }
    expect(judge(answered(200, '{"challenge":"abc123"}'), asked, 0)).toEqual({
      state: 'delivered',
      verified: true,
    })
    expect(judge(answered(200, 'OK'), asked, 0)).toMatchObject({ state: 'pending' })
    expect(judge(answered(404, 'abc123'), asked, 0)).toMatchObject({ state: 'pending' })
  })
})
