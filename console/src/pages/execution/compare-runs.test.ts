import { expect, test } from 'vitest'
import type { TracedStep } from '../executions/execution-queries.ts'
import { pairSteps, secondsOf } from './compare-runs.ts'

const step = (step_id: string, more: Partial<TracedStep> = {}) =>
  ({ step_id, state: 'completed', attempts: [], model_used: null, cost: 0, ...more }) as unknown as TracedStep

test('steps stand beside each other, also those that only one has', () => {
  const pairs = pairSteps(
    { steps: [step('a'), step('b', { state: 'failed' })] },
    { steps: [step('a'), step('b'), step('c')] },
  )
  expect(pairs.map((pair) => [pair.step, pair.same, pair.left === undefined])).toEqual([
    ['a', true, false],
    ['b', false, false],
    ['c', false, true],
  ])
})

test('time is known of what is over', () => {
  expect(secondsOf(step('a', { started_at: 2, finished_at: 5 }))).toBe(3)
  expect(secondsOf(step('a', { started_at: 2, finished_at: null }))).toBeUndefined()
})
