import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createResponseTimeout } from './response-timeout.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const forever = new AbortController().signal

test('the first part times out, even if bytes arrive', () => {
  using timeout = createResponseTimeout('It', { firstPartMs: 20, stallMs: 60_000 }, forever)
  vi.advanceTimersByTime(19)
  timeout.onActivity()
  expect(timeout.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(timeout.signal.reason).toMatchObject({
    kind: 'timeout',
    message: 'It did not start to respond within 0.02 s.',
  })
})

test('a stalled response times out, and every chunk restarts the timeout', () => {
  using timeout = createResponseTimeout('It', { firstPartMs: 60_000, stallMs: 300 }, forever)
  timeout.onFirstPart()
  void timeout.waitFor(new Promise(() => {}))
  for (let sign = 0; sign < 5; sign++) {
    vi.advanceTimersByTime(299)
    timeout.onActivity()
  }
  vi.advanceTimersByTime(299)
  expect(timeout.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(timeout.signal.reason).toMatchObject({
    kind: 'timeout',
    message: 'It sent nothing for 0.3 s in the middle of the response.',
  })
})

test('the time a slow caller needs does not count', async () => {
  using timeout = createResponseTimeout('It', { firstPartMs: 60_000, stallMs: 10 }, forever)
  timeout.onFirstPart()
  await timeout.waitFor(Promise.resolve())
  timeout.onActivity()
  vi.advanceTimersByTime(120_000)
  expect(timeout.signal.aborted).toBe(false)
})

test('an abort of the caller keeps its reason', () => {
  const leaving = new AbortController()
  using timeout = createResponseTimeout('It', { firstPartMs: 60_000, stallMs: 60_000 }, leaving.signal)
  leaving.abort('bye')
  expect(timeout.signal.reason).toBe('bye')
})

test('disposing leaves no timer behind', () => {
  const timeout = createResponseTimeout('It', { firstPartMs: 60_000, stallMs: 60_000 }, forever)
  timeout[Symbol.dispose]()
  expect(timeout.signal.aborted).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
