import { describe, expect, test } from 'vitest'
import { classifyAttempt } from './classify-attempt.ts'
import type { SendResult } from './send.ts'

const tried = { event: 'flow.step.completed', attempts: 1, policy: {}, isTest: false, challenge: undefined }
const responseed = (status: number, body = ''): SendResult => ({
  durationMs: 1,
  response: { status, headers: {}, body },
  error: null,
  retryable: true,
  retryAfterMs: undefined,
})
const failed = (code: string, retryable: boolean): SendResult => ({
  ...responseed(0),
  response: null,
  error: { code, message: 'No.' },
  retryable,
})

describe('an attempt', () => {
  test.for([200, 201, 202, 204, 299])('is a success with %i', (status) => {
    expect(classifyAttempt(responseed(status), tried, 0)).toEqual({ state: 'delivered', verified: false })
  })

  test.for([300, 301, 308, 400, 404, 429, 500, 503, 199])('is retried after %i', (status) => {
    expect(classifyAttempt(responseed(status), tried, 0)).toMatchObject({ state: 'pending', pauseMs: 5000 })
  })

  test('makes a delivery dead on 410', () => {
    expect(classifyAttempt(responseed(410), tried, 0)).toMatchObject({ state: 'dead', reason: 'gone' })
  })

  test('is retried after a network error, and not after a refusal by the outbound guard', () => {
    expect(classifyAttempt(failed('outbound_timeout', true), tried, 0)).toMatchObject({ state: 'pending' })
    expect(classifyAttempt(failed('outbound_refused', false), tried, 0)).toMatchObject({
      state: 'dead',
      reason: 'refused',
    })
  })

  test('is the last one when the policy allows no more', () => {
    const last = { ...tried, attempts: 3, policy: { max_attempts: 3 } }
    expect(classifyAttempt(responseed(500), last, 0)).toMatchObject({
      state: 'dead',
      reason: 'attempts_exhausted',
    })
  })

  test('is the only one of a test', () => {
    const trial = { ...tried, isTest: true }
    expect(classifyAttempt(responseed(500), trial, 0)).toMatchObject({
      state: 'dead',
      reason: 'attempts_exhausted',
    })
    expect(classifyAttempt(responseed(204), trial, 0)).toMatchObject({ state: 'delivered' })
  })

  test('is retried at the time of Retry-After', () => {
    const busy = { ...responseed(429), retryAfterMs: 90_000 }
    expect(classifyAttempt(busy, tried, 0)).toMatchObject({ state: 'pending', pauseMs: 90_000 })
  })

  test('verifies a webhook only with the challenge in the response', () => {
    const asked = { ...tried, event: 'webhook.verification', challenge: 'abc123' }
    expect(classifyAttempt(responseed(200, '{"challenge":"abc123"}'), asked, 0)).toEqual({
      state: 'delivered',
      verified: true,
    })
    expect(classifyAttempt(responseed(200, 'OK'), asked, 0)).toMatchObject({ state: 'pending' })
    expect(classifyAttempt(responseed(404, 'abc123'), asked, 0)).toMatchObject({ state: 'pending' })
  })
})
