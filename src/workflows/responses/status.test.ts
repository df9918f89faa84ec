import { describe, expect, test } from 'vitest'
import type { estimates } from '#executions-api'
import { createValueCheck } from '#kernel/http'
import { asked, endedRecord, exampleRecord, momentAfter, outcomeOf } from '#testing/executions-api'
import { StatusBody } from '../schemas/status.ts'
import { describeStatus } from './status.ts'

const now = momentAfter(5)
const reach = { mail: false, slack: false }
const scopes = new Map<string, never>()
const all = { details: true, predictions: true, memory: true }
const unknown: estimates.Expectation = {
  durationMs: null,
  microDollars: null,
  remainingMs: null,
  finalMicroDollars: null,
  confidence: null,
  source: null,
  stepMs: new Map(),
}
const usual: estimates.Expectation = {
  durationMs: 10_000,
  microDollars: 2000,
  remainingMs: 5000,
  finalMicroDollars: 2500,
  confidence: 0.6,
  source: 'flow_history',
  stepMs: new Map([
    ['ask', 9000],
    ['join', 2000],
  ]),
}
const joining = { stepId: 'join', item: 0, startedAt: momentAfter(4), phase: null, text: 'So far' } as const

const healthOf = (record: ReturnType<typeof exampleRecord>) =>
  describeStatus({ record, expected: unknown, reach, scopes, now }, all).performance_indicators
    .execution_health

describe('a running execution', () => {
  test('satisfies its schema, with null for unknown values', () => {
    const body = describeStatus({ record: exampleRecord(), expected: unknown, reach, scopes, now }, all)
    expect(createValueCheck(StatusBody)(body)).toEqual([])
    expect(body.progress).toEqual({
      overall_percentage: 66.67,
      current_step: null,
      current_step_progress: null,
      steps_completed: 2,
      steps_remaining: 1,
      steps_total: 3,
    })
    expect(body.timing).toEqual({
      started_at: momentAfter(0).getTime() / 1000,
      current_time: now.getTime() / 1000,
      elapsed_time: 5,
      estimated_completion: null,
      estimated_remaining: null,
      last_activity: momentAfter(1).getTime() / 1000,
    })
    expect(body.predictions).toEqual({
      completion_confidence: null,
      estimated_final_cost: null,
      estimated_from: null,
      potential_issues: [],
      optimization_opportunities: [],
    })
    expect([body.current_phase, body.current_step_details]).toEqual(['between_steps', null])
    expect(body.upcoming_steps).toEqual([
      { step_id: 'join', step_type: 'data_transform', estimated_duration: null, dependencies: ['choose'] },
    ])
  })

  test('has estimates from the expected values', () => {
    const body = describeStatus(
      { record: exampleRecord({ live: [joining] }), expected: usual, reach, scopes, now },
      all,
    )
    expect(createValueCheck(StatusBody)(body)).toEqual([])
    expect(body.timing).toMatchObject({
      estimated_remaining: 5,
      estimated_completion: momentAfter(10).getTime() / 1000,
    })
    expect(body.progress).toMatchObject({ current_step: 'join', current_step_progress: 50 })
    expect(body.current_step_details).toMatchObject({ elapsed_time: 1, intermediate_output: 'So far' })
    expect([body.current_phase, body.upcoming_steps]).toEqual(['transforming_data', []])
    expect(body.cost_tracking).toEqual({
      current_cost: 0.0015,
      unpriced: false,
      estimated_total_cost: 0.0025,
      cost_by_provider: { cloud: 0.0015 },
      budget_remaining: null,
    })
    expect(body.predictions).toMatchObject({ completion_confidence: 0.6, estimated_from: 'flow_history' })
    expect(body.predictions?.optimization_opportunities).toEqual([
      '"ask" usually takes 9 s of 11: a faster model would be felt there.',
    ])
  })

  test('has risks derived from the numbers', () => {
    const options = { ai_options: { cost_limit: 0.002 }, max_execution_time: 8 }
    const { input } = exampleRecord()
    const record = exampleRecord({ input: { ...input, options }, live: [joining], reserved: 300 })
    const body = describeStatus(
      { record, expected: { ...usual, durationMs: 3000 }, reach, scopes, now: momentAfter(9) },
      all,
    )
    expect(body.predictions?.potential_issues).toEqual([
      'It has taken 9 s so far; 3 s are usual.',
      '"join" has taken 5 s so far; 2 s are usual.',
      'It may need longer than the 8 s it has.',
      'It may cost $0.0025, more than its budget of $0.002.',
    ])
    expect(body.cost_tracking.budget_remaining).toBe(0.0002)
  })

  test.each([
    [{ status: 'queued', queuePosition: 4 }, 'queued'],
    [{ status: 'queued', parked: 'approval', approval: 'pending' }, 'awaiting_approval'],
    [{ status: 'queued', parked: 'concurrency' }, 'awaiting_capacity'],
    [{ outcomes: [] }, 'starting'],
    [{ cancel: { by: null } }, 'cancelling'],
  ] as const)('%j is the phase %s', (more, phase) => {
    const body = describeStatus({ record: exampleRecord(more), expected: unknown, reach, scopes, now }, all)
    expect(body.current_phase).toBe(phase)
    expect(createValueCheck(StatusBody)(body)).toEqual([])
  })

  test('has a health derived from its steps', () => {
    expect(healthOf(exampleRecord())).toBe('healthy')
    expect(healthOf(exampleRecord({ outcomes: [{ ...asked, attempts: 2 }] }))).toBe('degraded')
    expect(healthOf(exampleRecord({ outcomes: [outcomeOf('ask', 1, { state: 'failed' })] }))).toBe('degraded')
    expect(healthOf(endedRecord({ status: 'failed' }))).toBe('critical')
  })

  test('has no pending steps when it has finished', () => {
    const body = describeStatus(
      { record: endedRecord(), expected: { ...usual, remainingMs: 0 }, reach, scopes, now },
      all,
    )
    expect(body).toMatchObject({
      current_phase: 'completed',
      progress: { overall_percentage: 100, steps_remaining: 0 },
      timing: {
        elapsed_time: 6,
        estimated_remaining: 0,
        estimated_completion: momentAfter(6).getTime() / 1000,
      },
      upcoming_steps: [],
      resource_usage: { current_memory: 0 },
      predictions: { completion_confidence: 1, potential_issues: [], optimization_opportunities: [] },
    })
  })

  test('lists each pending step of a batch once', () => {
    const { input } = exampleRecord()
    const batch = { items: ['a', 'b', 'c'], size: 1, parallel: false }
    const record = exampleRecord({
      input: { ...input, batch },
      outcomes: [asked],
      live: [{ ...joining, item: 1 }],
    })
    const body = describeStatus({ record, expected: unknown, reach, scopes, now }, all)
    expect(body.upcoming_steps).toMatchObject([
      { step_id: 'ask', items_remaining: 2 },
      { step_id: 'choose', items_remaining: 3 },
      { step_id: 'join', items_remaining: 2 },
    ])
    expect(body.progress.steps_total).toBe(9)
    expect(body.predictions?.optimization_opportunities).toHaveLength(1)
  })
})
