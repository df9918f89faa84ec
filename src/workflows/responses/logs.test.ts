import { expect, test } from 'vitest'
import { eventOf } from '#testing/executions-api'
import { describeLogLine } from './logs.ts'

test.each<[type: string, data: Readonly<Record<string, unknown>>, level: string, message: string]>([
  ['execution_started', {}, 'info', 'The execution began.'],
  ['step_completed', { step_id: 'ask', duration: 1.5 }, 'info', '"ask" completed after 1.5 s.'],
  ['step_failed', { step_id: 'ask', error: { message: 'No.' } }, 'error', '"ask" failed: No.'],
  ['step_skipped', { step_id: 'ask', reason: 'no need' }, 'info', '"ask" is left out: no need.'],
  ['log', { level: 'debug', message: 'Asked.', step: 'ask', details: { tokens: 3 } }, 'debug', 'Asked.'],
  ['execution_gated', { limit: 'throttle' }, 'info', 'It waits for a limit of its flow: throttle.'],
  ['execution_cancelled', { reason: 'enough' }, 'warning', 'It was cancelled: enough.'],
  [
    'over_budget',
    { budget: 1, could_cost: 2 },
    'warning',
    'The next call could raise the cost to $2, more than the budget of $1.',
  ],
  ['something_new', {}, 'info', 'something_new'],
])('%s has a log line', (type, data, level, message) => {
  expect(describeLogLine(eventOf(7, type, data))).toMatchObject({ seq: 7, type, level, message })
})

test('a log line has its step, its details and its duration', () => {
  const data = { step_id: 'ask', duration: 2 }
  expect(describeLogLine(eventOf(1, 'step_completed', data))).toMatchObject({
    step: 'ask',
    details: data,
    response_time: 2,
  })
  expect(describeLogLine(eventOf(1, 'log', { message: 'x', details: { a: 1 } }))).toMatchObject({
    step: null,
    details: { a: 1 },
  })
})
