import { expect, test } from 'vitest'
import { describeWait, type RunState, stateOf, type Wait } from './run-state.ts'

const wait: Wait = { step_id: 'review', kind: 'human', until: 1_797_464_000, human_task_id: 'task-1' }
const timer: Wait = { step_id: 'pause', kind: 'timer', until: 1_797_464_000 }
const event: Wait = {
  step_id: 'paid',
  kind: 'event',
  until: null,
  event: 'order.paid',
  correlation_key: "o'7",
}
const api = { url: 'https://tutti.example.com', flags: ' --profile staging' }

test.each<[state: string, run: RunState]>([
  ['completed', { status: 'completed', approval: 'approved', suspended: null, gated: null }],
  ['running', { status: 'running', approval: null, suspended: null, gated: null }],
  ['needs_approval', { status: 'queued', approval: 'pending', suspended: null, gated: null }],
  ['needs_answer', { status: 'running', suspended: { waits: [timer, wait] } }],
  ['waiting', { status: 'running', suspended: { waits: [event] } }],
  ['waiting', { status: 'queued', gated: { limit: 'concurrency', ahead: 1 } }],
  ['cancelled', { status: 'cancelled', approval: 'pending' }],
])('a run is %s', (state, run) => {
  expect(stateOf(run)).toBe(state)
})

test('a wait is described with the command that ends it', () => {
  expect(describeWait(wait, api)).toBe(
    'review waits for an answer until 2026-12-16T23:33:20.000Z: npx tutti human-tasks answer task-1 --profile staging',
  )
  expect(describeWait(timer, api)).toBe('pause waits until 2026-12-16T23:33:20.000Z.')
  expect(describeWait(event, api)).toBe(
    `paid waits for the event "order.paid" with the key "o'7". Send it: curl https://tutti.example.com/ai-workflows/api/events ` +
      `-H "Authorization: Bearer $TUTTI_API_KEY" -H 'Content-Type: application/json' ` +
      String.raw`-d '{"name":"order.paid","correlation_key":"o'\''7","data":{}}'`,
  )
})
