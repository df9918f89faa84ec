import { expect, test } from 'vitest'
import { judge } from './judge.ts'

const [minute, hour] = [60_000, 3_600_000]
const failed = { arrived: false, problem: 'Nobody is there.', isFinal: false } as const

test('what has arrived is delivered, and what is not wanted is given up at once', () => {
  const tried = { attempts: 1, ageMs: 10, random: 0 }
  expect(judge({ arrived: true }, tried)).toEqual({ state: 'delivered' })
  expect(judge({ ...failed, isFinal: true }, tried)).toEqual({ state: 'given_up', problem: failed.problem })
})

test('pauses grow for a day, then it is given up, after a last try at its end', () => {
  let ageMs = 0
  const pauses: number[] = []
  for (let attempts = 1; attempts < 100; attempts += 1) {
    const verdict = judge(failed, { attempts, ageMs, random: 0 })
    if (verdict.state !== 'pending') break
    pauses.push(verdict.pauseMs)
    ageMs += verdict.pauseMs
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
  const verdict = judge({ ...failed, retryAfterMs }, { attempts: 2, ageMs: 0, random })
  return verdict.state === 'pending' ? verdict.pauseMs : undefined
}

test('those that failed together come back one after the other, and not before they are asked to', () => {
  expect([pauseOf(0), pauseOf(1)]).toEqual([minute, 1.1 * minute])
  expect([pauseOf(0, 10 * minute), pauseOf(0, 1000), pauseOf(0, 100 * hour)]).toEqual([
    10 * minute,
    minute,
    24 * hour,
  ])
})
