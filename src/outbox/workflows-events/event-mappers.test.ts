import { expect, test } from 'vitest'
import type { ExecutionEvent, ExecutionRecord, HistoryResult } from '#engine'
import { endedRecord, eventOf, exampleRecord, outcomeOf } from '#testing/executions-api'
import { resultsSoFar } from '../dispatcher.ts'
import { unknownEstimate } from '../event-mapper.ts'
import { recordAt } from '../record-at.ts'
import { eventMappers } from './event-mappers.ts'

const learned = (value: number) => ({ value, source: 'flow_history' as const, sample: 9, confidence: 0.5 })
const step = (stepId: string, type: 'ai_prompt' | 'data_transform') => ({
  stepId,
  type,
  duration: learned(2000),
  cost: learned(1500),
  probability: 1,
})
const estimate = {
  duration: learned(6000),
  cost: learned(3000),
  steps: [step('ask', 'ai_prompt'), step('join', 'data_transform')],
} as unknown as HistoryResult<'estimate'>

function tell(name: string, event: ExecutionEvent, record: ExecutionRecord, known = estimate) {
  const eventMapper = eventMappers.find((one) => one.name === name && one.of.includes(event.type))
  return eventMapper?.describe({ event, record: recordAt(record, event), estimate: known })
}

test('a start has the estimates, null where there are none', () => {
  const record = exampleRecord({
    input: {
      context: {
        content: 'A text.',
        metadata: { content_type: 'article' },
        processing_options: { quality_level: 'high' },
      },
      options: {},
      memory: {},
    },
  })
  const event = eventOf(1, 'execution_started')
  expect(tell('flow.execution.started', event, record)).toEqual({
    execution_id: record.id,
    flow_id: 'review',
    flow_version: 3,
    initiated_by: record.accountId,
    estimated_duration: 6,
    estimated_cost: 0.003,
    priority: 'normal',
    context_summary: { content_type: 'article', content_length: 7, target_quality: 'high' },
  })
  const bare = exampleRecord({ input: { context: {}, options: {}, memory: {} } })
  expect(tell('flow.execution.started', event, bare, unknownEstimate)).toMatchObject({
    estimated_duration: null,
    estimated_cost: null,
    context_summary: { content_type: null, content_length: null, target_quality: null },
  })
})

test('a completion has the measured totals, and scores from the result of the flow', () => {
  const made = { seo_score: 87, readiness_level: 'publish', optimization_improvements: ['shorter title'] }
  const record = endedRecord()
  const [ask, choose] = record.outcomes
  const outcomes = [ask, choose, outcomeOf('join', 3, { output: made })].filter((it) => it !== undefined)
  const event = eventOf(6, 'execution_completed', { status: 'completed', duration: 6, total_cost: 0.0015 })
  expect(tell('flow.execution.completed', event, { ...record, outcomes })).toEqual({
    execution_id: record.id,
    flow_id: 'review',
    flow_version: 3,
    status: 'completed',
    execution_summary: {
      duration: 6,
      steps_executed: 3,
      success_rate: 100,
      total_cost: 0.0015,
      unpriced: false,
      agent_decisions: 0,
    },
    results: { final_quality_score: 80, ...made },
    performance_metrics: { avg_step_time: 2, cache_hit_rate: 0, provider_distribution: { cloud: 100 } },
  })
})

test('an end that a recovery took back is published as it was', () => {
  const record = endedRecord({
    events: [
      eventOf(4, 'execution_failed'),
      eventOf(5, 'execution_recovered'),
      eventOf(6, 'execution_completed'),
    ],
  })
  const error = { code: 'PROVIDER_UNAVAILABLE', message: 'No provider answered.', step: 'join' }
  const event = eventOf(4, 'execution_failed', { status: 'failed', duration: 4, total_cost: 0.0015, error })
  expect(tell('flow.execution.failed', event, record)).toMatchObject({
    status: 'failed',
    error: { code: 'PROVIDER_UNAVAILABLE', message: 'No provider answered.', failed_step: 'join' },
    completed_steps: ['ask', 'choose'],
    execution_summary: { duration: 4, steps_executed: 2, total_cost: 0.0015 },
  })
})

test('a cancelled execution has a reason and nothing to recover', () => {
  const event = eventOf(3, 'execution_cancelled', { status: 'cancelled', total_cost: 0, reason: 'enough' })
  expect(tell('execution.failed', event, exampleRecord())).toMatchObject({
    status: 'cancelled',
    error: { code: 'EXECUTION_CANCELLED' },
    reason: 'enough',
    recovery_options: [],
  })
})

test('a decision has the estimates of the steps it adds', () => {
  const decision = {
    step_id: 'ask',
    agent: 'router',
    decision: 'deepen',
    confidence: 0.8,
    reasoning: 'It is long.',
    contextUsed: [],
    alternatives: ['finish'],
    stepsAdded: ['join'],
  }
  const record = exampleRecord()
  expect(tell('agent.decision.made', eventOf(2, 'agent_decision', decision), record)).toEqual({
    execution_id: record.id,
    flow_id: 'review',
    step_id: 'ask',
    item: null,
    agent_id: 'router',
    decision: {
      action: 'deepen',
      confidence: 0.8,
      reasoning: 'It is long.',
      alternatives_considered: ['finish'],
      workflow_modifications: {
        steps_added: ['join'],
        estimated_additional_cost: 0.0015,
        estimated_additional_time: 2,
      },
    },
  })
  const unknown = { ...decision, stepsAdded: ['join', 'elsewhere'] }
  expect(tell('agent.decision.made', eventOf(2, 'agent_decision', unknown), record)).toMatchObject({
    decision: {
      workflow_modifications: { estimated_additional_cost: null, estimated_additional_time: null },
    },
  })
})

test('a failed step is published as a finished one', () => {
  const error = { code: 'INVALID_STEP', message: 'It cannot.' }
  const data = { step_id: 'join', step_type: 'data_transform', duration: 1, tokens_used: 0, cost: 0, error }
  const event = eventOf(3, 'step_failed', { ...data, success: false })
  expect(tell('flow.step.completed', event, exampleRecord())).toMatchObject({
    step_id: 'join',
    success: false,
    error,
  })
})

test('both kinds of cost alerts are published', () => {
  const alert = eventOf(2, 'cost_alert', { threshold: 0.001, spent: 0.0012 })
  const over = eventOf(3, 'over_budget', { budget: 0.002, could_cost: 0.005 })
  const record = exampleRecord()
  expect(tell('cost.threshold.exceeded', alert, record)).toMatchObject({
    alert_type: 'cost_alert',
    threshold: 0.001,
    current_cost: 0.0012,
    possible_cost: null,
  })
  expect(tell('cost.threshold.exceeded', over, record)).toMatchObject({
    alert_type: 'over_budget',
    threshold: 0.002,
    current_cost: 0.0015,
    possible_cost: 0.005,
  })
})

function isTold(event: ExecutionEvent, input: ExecutionRecord['input']): boolean {
  return tell('execution.progress', event, exampleRecord({ input })) !== undefined
}

test('progress is published per step, in a batch per item, and not at all with an interval', () => {
  const input = exampleRecord().input
  const batch = { ...input, batch: { items: ['a', 'b'], size: 2, parallel: true } }
  const stepOver = eventOf(2, 'step_completed', { step_id: 'ask' })
  const itemOver = eventOf(3, 'item_finished', { item: 1 })
  expect([isTold(stepOver, input), isTold(itemOver, batch), isTold(stepOver, batch)]).toEqual([
    true,
    true,
    false,
  ])
  const callbacks = { webhook_url: 'https://example.com', progress_interval: 60 }
  expect(isTold(stepOver, { ...input, callbacks })).toBe(false)
})

test('a result too long for a callback is omitted and marked', () => {
  const record = endedRecord({ outcomes: [outcomeOf('join', 3, { output: 'x'.repeat(1024 * 1024) })] })
  const event = eventOf(6, 'execution_completed', { status: 'completed', duration: 6, total_cost: 0 })
  expect(tell('execution.completed', event, record)).toMatchObject({ result: null, result_omitted: true })
  expect(tell('execution.completed', event, endedRecord())).toMatchObject({
    result: 'what join made',
    result_omitted: false,
  })
})

test('results so far are those of the finished step, else of all steps, in a batch by item', () => {
  const record = exampleRecord()
  expect(resultsSoFar(record, eventOf(2, 'step_completed', { step_id: 'ask' }))).toEqual({
    ask: 'what ask made',
  })
  expect(resultsSoFar(record, eventOf(2, 'execution_started'))).toEqual({
    ask: 'what ask made',
    choose: 'what choose made',
  })
  const batch = { items: ['a', 'b'], size: 2, parallel: true }
  const outcomes = [outcomeOf('ask', 1, { item: 1 })]
  const input = { ...record.input, batch }
  expect(resultsSoFar({ input, outcomes }, eventOf(2, 'execution_started'))).toEqual([
    {},
    { ask: 'what ask made' },
  ])
})
