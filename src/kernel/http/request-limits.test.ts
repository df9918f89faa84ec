import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { monitorEventLoop } from './request-limits.ts'

/** Blocks the thread without using the processor. */
function block(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds)
}

test('a blocked event loop is late until it has caught up', async () => {
  const monitor = monitorEventLoop({ limitMs: 40, windowMs: 20 })
  for (let round = 0; round < 40 && !monitor.isLate(); round += 1) {
    block(80)
    await delay(1)
  }
  expect(monitor.isLate()).toBe(true)
  await expect.poll(() => monitor.isLate()).toBe(false)
  monitor.close()
})

describe('with given delays', () => {
  const options = { limitMs: 200, windowMs: 100 }
  const delays = { count: 0, mean: 0, enable: () => true, disable: () => true, reset: () => {} }

  beforeEach(() => {
    vi.useFakeTimers()
  })

  afterEach(() => {
    vi.useRealTimers()
  })

  /** Whether the loop is late after a window with these delays, or with none. */
  function afterWindow(monitor: ReturnType<typeof monitorEventLoop>, ...found: readonly number[]): boolean {
    delays.count = found.length
    delays.mean = (found.reduce((sum, one) => sum + one, 0) / found.length) * 1e6
    vi.advanceTimersByTime(options.windowMs)
    return monitor.isLate()
  }

  test('a single long task is not late', () => {
    const monitor = monitorEventLoop(options, delays)
    expect(afterWindow(monitor, 700)).toBe(false)
    for (let window = 0; window < 5; window += 1) expect(afterWindow(monitor, 20, 20)).toBe(false)
    monitor.close()
  })

  test('two late windows in a row are late until one is not; a window without a sample counts for nothing', () => {
    const monitor = monitorEventLoop(options, delays)
    expect([
      afterWindow(monitor, 300),
      afterWindow(monitor),
      afterWindow(monitor, 300, 101),
      afterWindow(monitor),
      afterWindow(monitor, 300, 99),
      afterWindow(monitor, 300),
    ]).toEqual([false, false, true, true, false, false])
    monitor.close()
  })
})
