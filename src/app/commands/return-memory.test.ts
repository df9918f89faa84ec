import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { returnMemoryWhenIdle } from './return-memory.ts'

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
