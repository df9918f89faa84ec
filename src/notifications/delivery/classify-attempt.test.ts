import { expect, test } from 'vitest'
import { classifyAttempt } from './classify-attempt.ts'

const [minute, hour] = [60_000, 3_600_000]
const failed = { arrived: false, problem: 'Connection refused.', isFinal: false } as const

test('a success is delivered and a final failure is given up at once', () => {
  const attempt = { attempts: 1, ageMs: 10, random: 0 }
  expect(classifyAttempt({ arrived: true }, attempt)).toEqual({ state: 'delivered' })
  expect(classifyAttempt({ ...failed, isFinal: true }, attempt)).toEqual({
    state: 'given_up',
    problem: failed.problem,
  })
})

test('pauses grow for a day, with a last attempt at its end', () => {
  let ageMs = 0
  const pauses: number[] = []
  for (let attempts = 1; attempts < 100; attempts += 1) {
    const outcome = classifyAttempt(failed, { attempts, ageMs, random: 0 })
    if (outcome.state !== 'pending') break
    pauses.push(outcome.pauseMs)
    ageMs += outcome.pauseMs
  }
  expect(pauses.slice(0, 8)).toEqual([
    10_000,
    minute,
    5 * minute,
    15 * minute,
    30 * minute,
    hour,
    2 * hour,
    4 * hour,
  ])
  expect(ageMs).toBe(24 * hour)
  expect(pauses).toHaveLength(13)
})

const pauseOf = (random: number, retryAfterMs?: number) => {
  const outcome = classifyAttempt({ ...failed, retryAfterMs }, { attempts: 2, ageMs: 0, random })
  return outcome.state === 'pending' ? outcome.pauseMs : undefined
}

test('pauses are jittered and never shorter than the receiver requested', () => {
  expect([pauseOf(0), pauseOf(1)]).toEqual([minute, 1.1 * minute])
  expect([pauseOf(0, 10 * minute), pauseOf(0, 1000), pauseOf(0, 100 * hour)]).toEqual([
    10 * minute,
    minute,
    24 * hour,
  ])
})
