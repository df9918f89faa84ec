import { expect, test } from 'vitest'
import type { Trace, TracedStep } from '../executions/execution-queries.ts'
import { applyNews } from './use-live-run.ts'

const waiting = {
  step_id: 'a',
  state: 'waiting',
  started_at: null,
  finished_at: null,
  attempts: [],
} as unknown as TracedStep
const trace = { item: 0, steps: [waiting, { ...waiting, step_id: 'b' }] } as unknown as Trace
const news = (event: string, at: number, item = 0) => ({ event, step: 'a', item, at })

test('a step starts and ends', () => {
  const begun = applyNews(trace, news('step_started', 5))
  expect(begun.steps[0]).toMatchObject({ state: 'running', started_at: 5, attempts: [{ finished_at: null }] })
  const over = applyNews(begun, news('step_completed', 7))
  expect(over.steps[0]).toMatchObject({ state: 'completed', finished_at: 7, attempts: [{ finished_at: 7 }] })
  expect(over.steps[1]).toBe(trace.steps[1])
})

test('an event does not overwrite a later state of a step', () => {
  const over = applyNews(applyNews(trace, news('step_started', 5)), news('step_failed', 7))
  expect(applyNews(over, news('step_started', 9)).steps[0]).toMatchObject({ state: 'failed', started_at: 5 })
  expect(applyNews(over, news('step_failed', 9)).steps[0]).toMatchObject({ finished_at: 7 })
})

test('an event of another batch item, or of no step state, leaves the trace as it is', () => {
  expect(applyNews(trace, news('step_started', 5, 3))).toBe(trace)
  expect(applyNews(trace, news('log', 5))).toBe(trace)
})
