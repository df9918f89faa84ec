import { expect, test, vi } from 'vitest'
import { startRunningTimer } from './running-timers.ts'

test.each([10, 2000])('a timer of %i ms fires then, once, and not before', (delayMs) => {
  vi.useFakeTimers()
  try {
    const fired = vi.fn()
    startRunningTimer(fired, delayMs)
    vi.advanceTimersByTime(delayMs - 1)
    expect(fired).not.toHaveBeenCalled()
    vi.advanceTimersByTime(10 * delayMs)
    expect(fired).toHaveBeenCalledTimes(1)
    expect(vi.getTimerCount()).toBe(0)
  } finally {
    vi.useRealTimers()
  }
})

test('a timer that is disposed never fires', () => {
  vi.useFakeTimers()
  try {
    const fired = vi.fn()
    startRunningTimer(fired, 100)[Symbol.dispose]()
    expect(vi.getTimerCount()).toBe(0)
    vi.advanceTimersByTime(1000)
    expect(fired).not.toHaveBeenCalled()
  } finally {
    vi.useRealTimers()
  }
})

test('a time in which the process did not run does not end the delay', async () => {
  const events: string[] = []
  const { promise: fired, resolve } = Promise.withResolvers<void>()
  startRunningTimer(() => {
    events.push('fired')
    resolve()
  }, 200)
  const sleepMs = 400
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, sleepMs)
  setImmediate(() => events.push('another turn'))
  await fired
  expect(events).toEqual(['another turn', 'fired'])
})
