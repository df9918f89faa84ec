import { expect, test } from 'vitest'
import { describeKind, describeMore, describeWhom } from './live-words.ts'

test.each([
  [
    'workflow_started',
    { workflow_id: 'review', estimated_duration: 2.5 },
    'Started',
    'review',
    'about 2.5 s',
  ],
  ['workflow_completed', { workflow_id: 'review', duration: 0.25 }, 'Completed', 'review', 'in 250 ms'],
  ['workflow_failed', { workflow_id: 'a', error: { message: 'No.' } }, 'Failed', 'a', 'No.'],
  ['workflow_failed', { workflow_id: 'a', status: 'cancelled' }, 'Cancelled', 'a', ''],
  ['cost_alert', { current_cost: 0.8, threshold: 1 }, 'Cost alert', '–', '$0.8 of $1'],
  ['provider_status', { provider: 'openai', status: 'offline' }, 'Provider changed', 'openai', 'offline'],
  ['provider_status', { provider: 'openai', status: 'online' }, 'Provider online', 'openai', 'online'],
  ['error', { provider: 'openai', error: 'Busy.', retry_in: 2 }, 'Error', 'openai', 'Busy.; retry in 2.0 s'],
  [
    'agent_performance',
    { agent_id: 'translator', success_rate: 99.6, avg_response_time: 1.5 },
    'Agent metrics',
    'translator',
    '100 % success, 1.5 s each',
  ],
  ['something_new', {}, 'something new', '–', ''],
])('%s is described in one line', (kind, data, title, whom, more) => {
  expect([describeKind({ kind, data }).title, describeWhom({ data }), describeMore({ kind, data })]).toEqual([
    title,
    whom,
    more,
  ])
})
