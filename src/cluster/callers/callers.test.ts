import { describe, expect, test } from 'vitest'
import { kernelFailure } from '#kernel/errors'
import { anonymousPrincipal, type Principal } from '#kernel/http'
import { createCallers, type Identify } from './callers.ts'

const nadia: Principal = { ...anonymousPrincipal, id: 'nadia', method: 'api_key' }
const key = { authorization: 'Bearer sesame' }

function requireAccess({ id }: Principal): void {
  if (id !== 'nadia') throw kernelFailure('permission_denied')
}

function callersWith(identify: Identify, mustSayWho = true) {
  const apiKey = 'correct horse battery'
  const times = { keepMs: 60_000, maxAuthenticationMs: 100 }
  return createCallers({ mustSayWho, apiKey, identify, requireAccess, ...times })
}

describe('a caller who is not cached', () => {
  test('is authenticated by the platform and cached', async () => {
    const callers = callersWith(async () => nadia)
    expect(callers.recall(key)).toBeUndefined()
    await callers.authenticateDirectly(key, '127.0.0.1')
    expect(callers.recall(key)).toBe(nadia)
  })

  test.each<[string, Identify]>([
    ['an invalid credential', () => Promise.reject(kernelFailure('authentication_required'))],
    ['no access to models', async () => ({ ...nadia, id: 'otto' })],
    ['a platform that does not respond', () => new Promise(() => {})],
  ])('is not cached with %s', async (_what, identify) => {
    const callers = callersWith(identify)
    await callers.authenticateDirectly(key, '127.0.0.1')
    expect(callers.recall(key)).toBeUndefined()
  })

  test.each([
    ['a password', { authorization: 'Basic bmFkaWE6c2VzYW1l' }],
    ['another scheme', { authorization: 'Negotiate abc' }],
    ['a cookie', { cookie: 'SESS=abc' }],
  ])('is left to the framework with %s', (_what, headers) => {
    expect(callersWith(async () => nadia).authenticateDirectly(headers, '127.0.0.1')).toBeUndefined()
  })

  test('is left to the framework by an open service', () => {
    expect(callersWith(async () => nadia, false).authenticateDirectly(key, '127.0.0.1')).toBeUndefined()
  })
})
