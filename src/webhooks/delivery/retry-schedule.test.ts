import { describe, expect, test } from 'vitest'
import { maxAttempts, pauseAfter, timeoutMsOf } from './retry-schedule.ts'

const calm = { random: 0 }

describe('the retry schedule', () => {
  test('has ten attempts over some days by default', () => {
    const pauses = Array.from({ length: 10 }, (_, index) => pauseAfter(index + 1, {}, calm))
    expect(pauses).toEqual([
      5000,
      300_000,
      1_800_000,
      7_200_000,
      18_000_000,
      36_000_000,
      50_400_000,
      72_000_000,
      86_400_000,
      undefined,
    ])
    expect(maxAttempts({})).toBe(10)
    expect(timeoutMsOf({})).toBe(10_000)
  })

  test('continues with the longest pause when a policy allows more attempts', () => {
    expect(pauseAfter(15, { max_attempts: 20 }, calm)).toBe(86_400_000)
  })

  test('doubles the pause of a policy unless exponential backoff is off', () => {
    const growing = { max_attempts: 4, retry_delay: 3 }
    expect([1, 2, 3, 4].map((failed) => pauseAfter(failed, growing, calm))).toEqual([
      3000,
      6000,
      12_000,
      undefined,
    ])
    expect(pauseAfter(3, { ...growing, exponential_backoff: false }, calm)).toBe(3000)
    expect(pauseAfter(19, { max_attempts: 20, retry_delay: 3600 }, calm)).toBe(86_400_000)
  })

  test('adds a jitter of up to a tenth', () => {
    expect(pauseAfter(1, {}, { random: 1 })).toBe(5500)
  })

  test('respects Retry-After up to about a day', () => {
    expect(pauseAfter(1, {}, { ...calm, retryAfterMs: 60_000 })).toBe(60_000)
    expect(pauseAfter(2, {}, { ...calm, retryAfterMs: 60_000 })).toBe(300_000)
    expect(pauseAfter(1, {}, { ...calm, retryAfterMs: 1e12 })).toBeCloseTo(95_040_000)
  })
})
