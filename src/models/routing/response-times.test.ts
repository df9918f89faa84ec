import { expect, test } from 'vitest'
import { createResponseTimes } from './response-times.ts'

const violin = { provider: 'openai', model: { id: 'violin' } }
const viola = { provider: 'openai', model: { id: 'viola' } }

test('a new measurement changes the mean by a part of its difference', () => {
  const times = createResponseTimes()
  expect(times.of(violin, 'first_token')).toBeUndefined()
  times.answered(violin, 'first_token', 100)
  expect(times.of(violin, 'first_token')).toBe(100)
  times.answered(violin, 'first_token', 200)
  expect(times.of(violin, 'first_token')).toBe(130)
  expect(times.of(viola, 'first_token')).toBeUndefined()
})

test('first tokens and whole responses are measured apart', () => {
  const times = createResponseTimes()
  times.answered(violin, 'response', 900)
  expect(times.of(violin, 'first_token')).toBeUndefined()
  expect(times.of(violin, 'response')).toBe(900)
})

test('a model that failed is failing for 30 seconds, or until it answers', () => {
  let now = 0
  const times = createResponseTimes({ now: () => now })
  times.answered(violin, 'first_token', 100)
  times.failed(violin)
  expect(times.of(violin, 'first_token')).toBe(Number.POSITIVE_INFINITY)
  now = 30_000
  expect(times.of(violin, 'first_token')).toBe(100)
  times.failed(violin)
  times.answered(violin, 'first_token', 100)
  expect(times.of(violin, 'first_token')).toBe(100)
})

test('the least recently measured model is forgotten first', () => {
  const times = createResponseTimes({ maxModels: 2 })
  times.answered(violin, 'first_token', 1)
  times.answered(viola, 'first_token', 2)
  times.answered(violin, 'first_token', 1)
  times.answered({ provider: 'openai', model: { id: 'cello' } }, 'first_token', 3)
  expect(times.of(viola, 'first_token')).toBeUndefined()
  expect(times.of(violin, 'first_token')).toBe(1)
})
