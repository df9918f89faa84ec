import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { pause, startTimer } from './long-timers.ts'

// Time passes within one turn of the event loop: in another one, the rest of this worker may start timers as well.
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const days = 86_400_000

test.each([0, 5, 30 * days, 90 * days])('a timer of %i ms fires then, once, and not before', (delayMs) => {
  const fired = vi.fn()
  startTimer(fired, delayMs)
  vi.advanceTimersByTime(Math.max(0, delayMs - 1))
  expect(fired).toHaveBeenCalledTimes(delayMs === 0 ? 1 : 0)
  vi.advanceTimersByTime(200 * days)
  expect(fired).toHaveBeenCalledTimes(1)
})

test.each([10, 30 * days])('a timer of %i ms that is disposed never fires', (delayMs) => {
  const fired = vi.fn()
  const timer = startTimer(fired, delayMs)
  vi.advanceTimersByTime(delayMs - 1)
  timer[Symbol.dispose]()
  expect(vi.getTimerCount()).toBe(0)
  expect(fired).not.toHaveBeenCalled()
})

test('a pause can be longer than the maximum of a timer', async () => {
  const over = vi.fn()
  const paused = pause(30 * days, new AbortController().signal).then(over)
  vi.advanceTimersByTime(30 * days - 1)
  expect(vi.getTimerCount()).toBe(1)
  vi.advanceTimersByTime(1)
  await paused
  expect(over).toHaveBeenCalledTimes(1)
})

test('a pause rejects when its signal aborts, and removes its timer and listener', async () => {
  const giveUp = new AbortController()
  const waited = pause(30 * days, giveUp.signal)
  giveUp.abort('enough')
  await expect(waited).rejects.toBe('enough')
  await expect(pause(1, giveUp.signal)).rejects.toBe('enough')
  expect(vi.getTimerCount()).toBe(0)
})
