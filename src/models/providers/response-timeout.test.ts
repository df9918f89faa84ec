import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createResponseTimeout } from './response-timeout.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const forever = new AbortController().signal

test('an answer that does not begin is given up, whatever signs of life there are', () => {
  using timeout = createResponseTimeout('It', { firstPartMs: 20, stallMs: 60_000 }, forever)
  vi.advanceTimersByTime(19)
  timeout.heard()
  expect(timeout.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(timeout.signal.reason).toMatchObject({
    kind: 'timeout',
    message: 'It did not begin to answer within 0.02 s.',
  })
})

test('an answer that stands still is given up, and any sign of life begins the wait anew', () => {
  using timeout = createResponseTimeout('It', { firstPartMs: 60_000, stallMs: 300 }, forever)
  timeout.begun()
  void timeout.during(new Promise(() => {}))
  for (let sign = 0; sign < 5; sign++) {
    vi.advanceTimersByTime(299)
    timeout.heard()
  }
  vi.advanceTimersByTime(299)
  expect(timeout.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(timeout.signal.reason).toMatchObject({
    kind: 'timeout',
    message: 'It stopped in the middle of the answer for 0.3 s.',
  })
})

test('a caller who is slow is not the provider', async () => {
  using timeout = createResponseTimeout('It', { firstPartMs: 60_000, stallMs: 10 }, forever)
  timeout.begun()
  await timeout.during(Promise.resolve())
  timeout.heard()
  vi.advanceTimersByTime(120_000)
  expect(timeout.signal.aborted).toBe(false)
})

test('a caller who leaves is told its own reason', () => {
  const leaving = new AbortController()
  using timeout = createResponseTimeout('It', { firstPartMs: 60_000, stallMs: 60_000 }, leaving.signal)
  leaving.abort('bye')
  expect(timeout.signal.reason).toBe('bye')
})

test('nothing is left behind', () => {
  const timeout = createResponseTimeout('It', { firstPartMs: 60_000, stallMs: 60_000 }, forever)
  timeout[Symbol.dispose]()
  expect(timeout.signal.aborted).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
