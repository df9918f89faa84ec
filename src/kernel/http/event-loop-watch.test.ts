import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { watchEventLoop } from './event-loop-watch.ts'

/** Holds the thread without using the processor. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

test('a loop that keeps its tasks waiting is late, and no longer so when it has caught up', async () => {
  const watch = watchEventLoop({ limitMs: 40, windowMs: 20 })
  for (let round = 0; round < 40 && !watch.isLate(); round += 1) {
    block(80)
    await delay(1)
  }
  expect(watch.isLate()).toBe(true)
  await expect.poll(() => watch.isLate()).toBe(false)
  watch.close()
})

describe('of measured delays', () => {
  const options = { limitMs: 200, windowMs: 100 }
  const delays = { count: 0, mean: 0, enable: () => true, disable: () => true, reset: () => {} }

  beforeEach(() => {
    vi.useFakeTimers()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  /** Whether the loop is late after a window with these delays, or with none. */
  function afterWindow(watch: ReturnType<typeof watchEventLoop>, ...found: readonly number[]): boolean {
    delays.count = found.length
    delays.mean = (found.reduce((sum, one) => sum + one, 0) / found.length) * 1e6
    vi.advanceTimersByTime(options.windowMs)
    return watch.isLate()
  }

  test('one long task alone makes nobody wait for nothing afterwards', () => {
    const watch = watchEventLoop(options, delays)
    expect(afterWindow(watch, 700)).toBe(false)
    for (let window = 0; window < 5; window += 1) expect(afterWindow(watch, 20, 20)).toBe(false)
    watch.close()
  })

  test('two late windows in a row are late until one is not, and a window without a delay says nothing', () => {
    const watch = watchEventLoop(options, delays)
    expect([
      afterWindow(watch, 300),
      afterWindow(watch),
      afterWindow(watch, 300, 101),
      afterWindow(watch),
      afterWindow(watch, 300, 99),
      afterWindow(watch, 300),
    ]).toEqual([false, false, true, true, false, false])
    watch.close()
  })
})
