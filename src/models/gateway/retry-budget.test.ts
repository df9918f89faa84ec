import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { createRetryBudget } from './retry-budget.ts'

function createBudget() {
  const clock = { ms: 5000 }
  return { clock, budget: createRetryBudget(() => clock.ms) }
}

test('a provider with few calls has three retries in ten seconds', () => {
  const { clock, budget } = createBudget()
  budget.countCall('openai')
  expect([1, 2, 3, 4].map(() => budget.take('openai'))).toEqual([true, true, true, false])
  expect(budget.take('anthropic')).toBe(true)
  clock.ms += 9999
  expect(budget.take('openai')).toBe(false)
  clock.ms += 1
  expect(budget.take('openai')).toBe(true)
})

test('a fifth of the calls may be retried', () => {
  const { budget } = createBudget()
  for (let call = 0; call < 100; call += 1) budget.countCall('openai')
  const taken = Array.from({ length: 40 }, () => budget.take('openai'))
  expect(taken.filter(Boolean)).toHaveLength(20)
})

test('no window of ten seconds has more retries than a fifth of its calls, or three', () => {
  const steps = fc.array(fc.record({ waitMs: fc.nat(1500), calls: fc.nat(8), retries: fc.nat(6) }), {
    maxLength: 60,
  })
  fc.assert(
    fc.property(steps, (all) => {
      const { clock, budget } = createBudget()
      const calls: number[] = []
      const retries: number[] = []
      for (const step of all) {
        clock.ms += step.waitMs
        const second = Math.floor(clock.ms / 1000)
        for (let call = 0; call < step.calls; call += 1) {
          budget.countCall('openai')
          calls.push(second)
        }
        const recent = (times: readonly number[]) => times.filter((at) => at > second - 10).length
        for (let retry = 0; retry < step.retries; retry += 1) {
          if (!budget.take('openai')) continue
          retries.push(second)
          expect(recent(retries)).toBeLessThanOrEqual(Math.max(3, recent(calls) * 0.2))
        }
      }
    }),
  )
})
