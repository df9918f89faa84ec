import { expect, test } from 'vitest'
import { anonymousPrincipal } from '#kernel/http'
import { createKeyLimitCheck, createLocalLimiter } from './key-limits.ts'

const rule = { limit: 2, windowSeconds: 60 }

test('the local limiter counts each key in windows that start with its first request', async () => {
  let nowMs = 0
  const limiter = createLocalLimiter(() => nowMs)
  const take = async (key: string) => (await limiter.take(key, rule)).allowed
  expect([await take('a'), await take('a'), await take('a'), await take('b')]).toEqual([
    true,
    true,
    false,
    true,
  ])
  nowMs = 59_999
  expect(await limiter.take('a', rule)).toMatchObject({ allowed: false, remaining: 0, secondsLeft: 0.001 })
  nowMs = 60_000
  expect(await limiter.take('a', rule)).toMatchObject({ allowed: true, remaining: 1, secondsLeft: 60 })
})

test('a caller without limits is not checked', () => {
  const limits = createKeyLimitCheck(createLocalLimiter())
  expect(limits.check({ ...anonymousPrincipal, id: 'u1', credential: 'k1' }, 'gemma3')).toBeUndefined()
})

test('a refused model does not count as a request', async () => {
  const limits = createKeyLimitCheck(createLocalLimiter())
  const caller = {
    ...anonymousPrincipal,
    id: 'u1',
    credential: 'k1',
    limits: { models: ['gemma3'], requestsPerMinute: 1 },
  }
  expect((await limits.check(caller, 'llama3'))?.code).toBe('model_not_allowed')
  expect(await limits.check(caller, 'Gemma3:latest')).toBeUndefined()
  expect((await limits.check(caller, 'gemma3'))?.code).toBe('too_many_requests')
})
