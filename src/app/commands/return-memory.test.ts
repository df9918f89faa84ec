import { getHeapStatistics } from 'node:v8'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { collectGarbage, returnMemoryWhenIdle } from './return-memory.ts'

describe('returnMemoryWhenIdle', () => {
  beforeEach(() => void vi.useFakeTimers())
  afterEach(() => void vi.useRealTimers())

  test('collects once after the start and once after each burst of work', () => {
    const intervals = [0.9, 0.1, 0.01, 0.01, 0.1, 0.01, 0.5, 0.02, 0.02]
    const collected: number[] = []
    let at = -1
    const returningMemory = returnMemoryWhenIdle({
      utilization: () => intervals[++at] ?? 0,
      collect: () => collected.push(at),
    })
    vi.advanceTimersByTime(10_000 * intervals.length)
    returningMemory[Symbol.dispose]()
    expect(collected).toEqual([2, 7])
    expect(vi.getTimerCount()).toBe(0)
  })
})

test('a collection gives pages of the heap back', () => {
  let garbage: unknown[] = Array.from({ length: 1_000_000 }, (_, index) => ({ index }))
  const before = getHeapStatistics().total_physical_size
  expect(garbage).toHaveLength(1_000_000)
  garbage = []
  // The worker of the tests has a heap of its own size.
  collectGarbage(Number.POSITIVE_INFINITY)
  expect(getHeapStatistics().total_physical_size).toBeLessThan(before - 10 * 1024 * 1024)
})
