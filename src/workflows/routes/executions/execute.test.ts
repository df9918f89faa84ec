import { expect, test } from 'vitest'
import { createValueCheck } from '#kernel/http'
import { exampleRecord, momentAfter } from '#testing/executions-api'
import { AcceptedBody, describeAccepted } from './execute.ts'

const now = momentAfter(0)
const expected = {
  durationMs: 20_000,
  microDollars: 2500,
  remainingMs: 20_000,
  finalMicroDollars: 2500,
  confidence: 0.5,
  source: 'flow_history',
  stepMs: new Map<string, number>(),
}
const reach = { mail: false, slack: false }
const options = {
  queue: { expected, startsAt: momentAfter(10), endsAt: momentAfter(30) },
  baseUrl: 'http://x/ai-workflows/api',
  now,
  callback: undefined,
  reach,
}
const queued = exampleRecord({ status: 'queued', startedAt: null, outcomes: [], queuePosition: 3 })
const check = createValueCheck(AcceptedBody)

test('a queued execution has its estimated start and end', () => {
  const body = describeAccepted(queued, options)
  expect(check(body)).toEqual([])
  expect(body).toMatchObject({
    success: true,
    status: 'queued',
    queue_position: 3,
    estimated_start_time: momentAfter(10).getTime() / 1000,
    estimated_completion_time: momentAfter(30).getTime() / 1000,
    monitoring: { status_url: `http://x/ai-workflows/api/execution-status/${queued.id}` },
    execution_config: {
      estimated_cost: 0.0025,
      resource_allocation: { memory_reserved: 64, cpu_priority: 'normal', ai_call_slots: 5 },
    },
  })
})

test('an execution that waits for approval has no start time', () => {
  const body = describeAccepted(
    { ...queued, queuePosition: null, parked: 'approval', approval: 'pending' },
    { ...options, queue: { expected, startsAt: null, endsAt: null } },
  )
  expect(check(body)).toEqual([])
  expect([body.estimated_start_time, body.estimated_completion_time]).toEqual([null, null])
  expect(body.warnings).toMatchObject([{ type: 'awaiting_approval' }])
})

test('unknown estimates are null', () => {
  const unknown = { ...expected, durationMs: null, microDollars: null, source: null }
  const body = describeAccepted(queued, {
    ...options,
    queue: { expected: unknown, startsAt: null, endsAt: null },
  })
  expect(check(body)).toEqual([])
  expect([body.estimated_completion_time, body.execution_config.estimated_cost]).toEqual([null, null])
})
