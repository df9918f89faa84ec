import { expect, test } from 'vitest'
import { createPacing } from './pacing.ts'

/** A process whose load is as given, and whose time passes in steps of a hundredth of a second. */
function createProcess() {
  let load = 0
  let nowMs = 0
  let isContended = false
  const pacing = createPacing({ isContended: () => isContended, readLoad: () => load, now: () => nowMs })
  return {
    pacing,
    /** One second in which each modest owner does two units, and the greedy one as many as given, or as it may. */
    passSecond: (options: { load?: number; contended?: boolean; greedy: number; modest?: number }) => {
      load = options.load ?? 0
      isContended = options.contended ?? false
      let begun = 0
      for (let step = 0; step < 100; step += 1) {
        nowMs += 10
        if (step % 50 === 0)
          for (let owner = 0; owner < (options.modest ?? 9); owner += 1) pacing.count(`modest ${owner}`)
        const wanted = options.greedy / 100
        const units = pacing.isHeld('greedy') ? pacing.take(wanted) : wanted
        for (let unit = 0; unit < units; unit += 1) pacing.count('greedy')
        begun += units
      }
      return begun
    },
  }
}

test('an owner with many more units than others is held while the process is busy, and others are not', () => {
  const { pacing, passSecond } = createProcess()
  passSecond({ greedy: 500 })
  expect(pacing.isHeld('greedy')).toBe(false)
  passSecond({ greedy: 500, load: 0.9 })
  expect(pacing.isHeld('greedy')).toBe(true)
  expect(pacing.heldOwners()).toEqual(['greedy'])
  expect(pacing.isHeld('modest 1')).toBe(false)
  expect(pacing.isHeld('unknown')).toBe(false)
})

test('a process also counts as busy while work waits for something else', () => {
  const { pacing, passSecond } = createProcess()
  passSecond({ greedy: 500, contended: true })
  expect(pacing.isHeld('greedy')).toBe(true)
})

test('the rate of held owners falls while the process is too busy, to a minimum, and rises again', () => {
  const { pacing, passSecond } = createProcess()
  passSecond({ greedy: 500, load: 0.9 })
  passSecond({ greedy: 500, load: 0.9 })
  const least = passSecond({ greedy: 500, load: 0.9 })
  expect(least).toBeGreaterThanOrEqual(9)
  expect(least).toBeLessThanOrEqual(11)
  const more = passSecond({ greedy: 500, load: 0.3 })
  expect(more).toBeGreaterThan(least)
  expect(more).toBeLessThan(100)
  passSecond({ greedy: 100, load: 0.3 })
  passSecond({ greedy: 0, load: 0.3 })
  expect(pacing.heldOwners()).toEqual([])
  expect(pacing.take(1000)).toBe(1000)
})

test('units that are counted later delay the next ones, for seconds at most', () => {
  const { pacing, passSecond } = createProcess()
  for (let second = 0; second < 3; second += 1) passSecond({ greedy: 500, load: 0.9 })
  pacing.countMore('greedy', 20)
  expect(passSecond({ greedy: 500, load: 0.9 })).toBe(0)
  expect(passSecond({ greedy: 500, load: 0.9 })).toBeLessThanOrEqual(1)
  expect(passSecond({ greedy: 500, load: 0.9 })).toBeGreaterThanOrEqual(9)
  pacing.countMore('greedy', 1_000_000)
  for (let second = 0; second < 4; second += 1) passSecond({ greedy: 500, load: 0.9 })
  expect(passSecond({ greedy: 500, load: 0.9 })).toBeGreaterThanOrEqual(9)
  pacing.countMore('modest 1', 1)
  expect(passSecond({ greedy: 500, load: 0.9 })).toBeGreaterThanOrEqual(9)
})

test('an owner alone, equal owners, and an owner beside hardly any work are not held', () => {
  const alone = createProcess()
  alone.passSecond({ greedy: 500, load: 1, modest: 0 })
  expect(alone.pacing.heldOwners()).toEqual([])
  const equal = createProcess()
  equal.passSecond({ greedy: 100, load: 1, modest: 0 })
  for (let unit = 0; unit < 100; unit += 1) equal.pacing.count('equal')
  expect(equal.pacing.heldOwners()).toEqual([])
  const hardly = createProcess()
  hardly.passSecond({ greedy: 500, load: 1, modest: 1 })
  expect(hardly.pacing.heldOwners()).toEqual([])
})

test('what an owner used is forgotten', () => {
  const { pacing, passSecond } = createProcess()
  passSecond({ greedy: 500, load: 0.9 })
  for (let second = 0; second < 5; second += 1) passSecond({ greedy: 0, load: 0.9 })
  expect(pacing.heldOwners()).toEqual([])
})
