import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { chooseOpenings, type GatedExecution } from './choose-openings.ts'

const gated = (id: string, more: Partial<GatedExecution> = {}): GatedExecution => ({
  id,
  concurrencyKey: 'flow',
  throttleKey: 'flow',
  hasStarted: false,
  ...more,
})

const noState = { open: new Map<string, number>(), nextAt: new Map<string, number>(), now: 1000 }

test('without limits all pass', () => {
  const { passed, dueAt } = chooseOpenings(
    [gated('a'), gated('b')],
    { concurrency: null, throttle: null },
    noState,
  )
  expect(passed).toEqual(['a', 'b'])
  expect(dueAt).toBeNull()
})

test('an execution without a slot does not keep back one with another key', () => {
  const { passed } = chooseOpenings(
    [gated('a'), gated('b', { concurrencyKey: 'other' }), gated('c', { concurrencyKey: null })],
    { concurrency: 2, throttle: null },
    { ...noState, open: new Map([['flow', 2]]) },
  )
  expect(passed).toEqual(['b', 'c'])
})

test('a throttle lets a burst pass, then says when it is due; one that has started before passes', () => {
  const { passed, nextAt, dueAt } = chooseOpenings(
    [gated('a'), gated('b'), gated('c'), gated('d', { hasStarted: true })],
    { concurrency: null, throttle: { intervalMs: 100, burst: 2 } },
    noState,
  )
  expect(passed).toEqual(['a', 'b', 'd'])
  expect(nextAt).toEqual(new Map([['flow', 1200]]))
  expect(dueAt).toBe(1100)
})

test('an execution that has no slot takes nothing from the throttle', () => {
  const { nextAt, dueAt } = chooseOpenings(
    [gated('a')],
    { concurrency: 1, throttle: { intervalMs: 100, burst: 1 } },
    { ...noState, open: new Map([['flow', 1]]) },
  )
  expect(nextAt.size).toBe(0)
  expect(dueAt).toBeNull()
})

test('for random starts and ends the limits hold at every time, and nothing waits that could pass', () => {
  const limit = fc.integer({ min: 1, max: 4 })
  fc.assert(
    fc.property(
      fc.record({ concurrency: limit, perPeriod: limit, burst: limit }),
      fc.array(
        fc.record({
          waitMs: fc.integer({ min: 0, max: 60 }),
          start: fc.option(
            fc.record({ customer: fc.constantFrom('a', 'b'), region: fc.constantFrom('x', 'y') }),
          ),
          end: fc.boolean(),
        }),
        { maxLength: 60 },
      ),
      ({ concurrency, perPeriod, burst }, steps) => {
        const periodMs = 100
        const intervalMs = periodMs / perPeriod
        let now = 0
        const waiting: GatedExecution[] = []
        const open: { id: string; key: string }[] = []
        const nextAt = new Map<string, number>()
        const starts: { at: number; key: string }[] = []
        for (const [index, step] of steps.entries()) {
          now += step.waitMs
          if (step.end) open.shift()
          if (step.start !== null)
            waiting.push(
              gated(String(index), { concurrencyKey: step.start.customer, throttleKey: step.start.region }),
            )
          const counts = new Map<string, number>()
          for (const { key } of open) counts.set(key, (counts.get(key) ?? 0) + 1)
          const before = new Map(nextAt)
          const chosen = chooseOpenings(
            waiting,
            { concurrency, throttle: { intervalMs, burst } },
            { open: counts, nextAt: before, now },
          )
          for (const [key, at] of chosen.nextAt) nextAt.set(key, at)
          for (const id of chosen.passed) {
            const at = waiting.findIndex((execution) => execution.id === id)
            const [execution] = waiting.splice(at, 1)
            open.push({ id, key: execution?.concurrencyKey ?? '' })
            starts.push({ at: now, key: execution?.throttleKey ?? '' })
          }
          for (const key of ['a', 'b'])
            expect(open.filter((execution) => execution.key === key).length).toBeLessThanOrEqual(concurrency)
          // Whatever still waits has no slot, or its throttle is due later.
          for (const { concurrencyKey, throttleKey } of waiting) {
            const isFull = open.filter(({ key }) => key === concurrencyKey).length >= concurrency
            const until = (nextAt.get(throttleKey ?? '') ?? now) - (burst - 1) * intervalMs
            expect(isFull || until > now).toBe(true)
            if (!isFull) expect(chosen.dueAt).toBeLessThanOrEqual(until)
          }
        }
        for (const { at, key } of starts) {
          const inPeriod = starts.filter(
            (start) => start.key === key && start.at >= at && start.at < at + periodMs,
          )
          expect(inPeriod.length).toBeLessThanOrEqual(perPeriod + burst - 1)
        }
      },
    ),
  )
})
