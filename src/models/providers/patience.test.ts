import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createPatience } from './patience.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

const forever = new AbortController().signal

test('an answer that does not begin is given up, whatever signs of life there are', () => {
  using patience = createPatience('It', { firstPartMs: 20, stallMs: 60_000 }, forever)
  vi.advanceTimersByTime(19)
  patience.heard()
  expect(patience.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(patience.signal.reason).toMatchObject({
    kind: 'timeout',
    message: 'It did not begin to answer within 0.02 s.',
  })
})

test('an answer that stands still is given up, and any sign of life begins the wait anew', () => {
  using patience = createPatience('It', { firstPartMs: 60_000, stallMs: 300 }, forever)
  patience.begun()
  void patience.during(new Promise(() => {}))
  for (let sign = 0; sign < 5; sign++) {
    vi.advanceTimersByTime(299)
    patience.heard()
  }
  vi.advanceTimersByTime(299)
  expect(patience.signal.aborted).toBe(false)
  vi.advanceTimersByTime(1)
  expect(patience.signal.reason).toMatchObject({
    kind: 'timeout',
    message: 'It stopped in the middle of the answer for 0.3 s.',
  })
})

test('a caller who is slow is not the provider', async () => {
  using patience = createPatience('It', { firstPartMs: 60_000, stallMs: 10 }, forever)
  patience.begun()
  await patience.during(Promise.resolve())
  patience.heard()
  vi.advanceTimersByTime(120_000)
  expect(patience.signal.aborted).toBe(false)
})

test('a caller who leaves is told its own reason', () => {
  const leaving = new AbortController()
  using patience = createPatience('It', { firstPartMs: 60_000, stallMs: 60_000 }, leaving.signal)
  leaving.abort('bye')
  expect(patience.signal.reason).toBe('bye')
})

test('nothing is left behind', () => {
  const patience = createPatience('It', { firstPartMs: 60_000, stallMs: 60_000 }, forever)
  patience[Symbol.dispose]()
  expect(patience.signal.aborted).toBe(true)
  expect(vi.getTimerCount()).toBe(0)
})
