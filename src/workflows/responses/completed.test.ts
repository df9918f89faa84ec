import { describe, expect, test } from 'vitest'
import { createValueCheck } from '#kernel/http'
import { asked, endedRecord, eventOf, exampleRecord, momentAfter, outcomeOf } from '#testing/executions-api'
import { CompletedBody } from '../schemas/completed.ts'
import { describeCompleted } from './completed.ts'

const now = momentAfter(60)
const reach = { mail: false, slack: false }
const check = createValueCheck(CompletedBody)

describe('the response for a finished execution', () => {
  test('satisfies its schema, and its numbers are sums of the events', () => {
    const body = describeCompleted(endedRecord(), reach, now)
    expect(check(body)).toEqual([])
    expect(body.execution_summary).toEqual({
      flow_id: 'review',
      flow_version: 3,
      steps_executed: 3,
      steps_skipped: 0,
      execution_time: 6,
      total_cost: 0.0015,
      unpriced: false,
      success_rate: 100,
      agent_decisions_made: 0,
    })
    expect(body.performance_metrics).toEqual({
      total_execution_time: 6,
      ai_processing_time: 1.8,
      api_call_time: 0,
      data_processing_time: 0.008,
      total_ai_calls: 1,
      total_tokens_used: 120,
      total_cost: 0.0015,
      unpriced: false,
      cache_hits: 0,
      provider_distribution: { cloud: 100 },
    })
    expect(body.quality_metrics).toEqual({
      overall_success_rate: 100,
      step_success_rate: 100,
      agent_confidence_avg: null,
      output_quality_score: 80,
    })
    expect(body.execution_timeline[1]).toEqual({
      step: 'choose',
      started_at: momentAfter(2).getTime() / 1000,
      completed_at: momentAfter(4).getTime() / 1000,
      duration: 2,
    })
    expect([body.result, body.shared_memory]).toEqual(['what join made', { answer: 'what ask made' }])
  })

  test('counts failed steps that were skipped in the rates and lists them', () => {
    const error = { code: 'INVALID_STEP', message: 'It would not.', step: 'choose' }
    const failed = outcomeOf('choose', 2, { state: 'failed', output: null, error, attempts: 2 })
    const body = describeCompleted(
      endedRecord({ outcomes: [asked, failed, outcomeOf('join', 3)] }),
      reach,
      now,
    )
    expect(body.execution_summary.success_rate).toBe(66.67)
    expect(body.step_results['choose']).toMatchObject({ success: false, attempts: 2, error })
    expect(body.recommendations).toEqual(['"choose" failed and the flow went on without it: It would not.'])
  })

  test('has no cost for an unpriced model, and a recommendation', () => {
    const unpriced = { ...asked, spent: null }
    const body = describeCompleted(endedRecord({ outcomes: [unpriced] }), reach, now)
    expect(body.step_results['ask']).toMatchObject({ cost: 0, unpriced: true })
    expect(body.recommendations).toEqual([expect.stringContaining('"cloud/large" has no price')])
  })

  test('has decisions with the steps they added and skipped, unless they were not recorded', () => {
    const decision = {
      agent: 'router',
      decision: 'short',
      confidence: 0.7,
      reasoning: 'It is short.',
      contextUsed: ['content'],
      alternatives: ['long'],
      stepsAdded: ['check'],
    }
    const decided = { ...asked, details: { ...asked.details, decision } }
    const skipped = outcomeOf('choose', 2, {
      state: 'skipped',
      details: { reason: '"ask" chose another branch' },
    })
    const record = endedRecord({ outcomes: [decided, skipped, outcomeOf('join', 3)] })
    const body = describeCompleted(record, reach, now)
    expect(body.agent_decisions).toEqual([
      {
        step: 'ask',
        agent: 'router',
        decision: 'short',
        confidence: 0.7,
        reasoning: 'It is short.',
        context_used: ['content'],
        alternative_paths_considered: ['long'],
        timestamp: momentAfter(2).getTime() / 1000,
        workflow_modifications: { steps_added: ['check'], steps_skipped: ['choose'] },
      },
    ])
    expect(body.quality_metrics.agent_confidence_avg).toBe(0.7)
    expect(body.skipped_steps).toEqual([{ step: 'choose', reason: '"ask" chose another branch' }])
    const input = { ...record.input, options: { monitoring: { capture_agent_decisions: false } } }
    const without = describeCompleted({ ...record, input }, reach, now)
    expect([without.agent_decisions, without.execution_summary.agent_decisions_made]).toEqual([[], 1])
  })

  test('lists the steps of a batch by item', () => {
    const { input } = exampleRecord()
    const aborted = { ...outcomeOf('ask', 2).details, aborted: true }
    const body = describeCompleted(
      endedRecord({
        input: { ...input, batch: { items: ['a', 'b'], size: 2, parallel: true } },
        outcomes: [
          { ...asked, item: 1, output: 'second' },
          { ...outcomeOf('ask', 2, { state: 'failed', output: null, details: aborted }), item: 0 },
          { ...outcomeOf('choose', 3), item: 1 },
          { ...outcomeOf('join', 4), item: 1, output: 'joined' },
        ],
      }),
      reach,
      now,
    )
    expect(check(body)).toEqual([])
    expect(body.batch).toEqual({ items_total: 2, items_succeeded: 1, items_failed: 1 })
    expect(body.step_results['ask']).toMatchObject({
      results: [null, 'second'],
      items_failed: 1,
      success: false,
    })
    expect([body.result, body.shared_memory]).toEqual([[null, 'joined'], { answer: [null, 'second'] }])
    expect(body.quality_metrics.overall_success_rate).toBe(50)
  })

  test('counts an item that failed at its last step as failed', () => {
    const { input } = exampleRecord()
    const aborted = { ...outcomeOf('join', 3).details, aborted: true }
    const record = endedRecord({
      input: { ...input, batch: { items: ['a', 'b'], size: 2, parallel: true } },
      outcomes: [asked, outcomeOf('choose', 2), outcomeOf('join', 3, { state: 'failed', details: aborted })],
    })
    expect(describeCompleted(record, reach, now).batch).toEqual({
      items_total: 2,
      items_succeeded: 0,
      items_failed: 1,
    })
  })

  test('has the partial results of a failed execution', () => {
    const error = {
      code: 'EXECUTION_TIMEOUT',
      message: 'It took too long.',
      details: { timeout_duration: 30 },
    }
    const body = describeCompleted(endedRecord({ status: 'failed', error, outcomes: [asked] }), reach, now)
    expect(check(body)).toEqual([])
    expect(body.error).toEqual({
      code: 'EXECUTION_TIMEOUT',
      message: 'It took too long.',
      details: {
        execution_id: body.execution_id,
        failed_step: null,
        provider: null,
        timeout_duration: 30,
        retry_attempts: 0,
        partial_results: { completed_steps: ['ask'], available_data: { answer: 'what ask made' } },
      },
    })
    const odd = describeCompleted(
      endedRecord({ status: 'failed', error: { code: 'ODD', message: 'x' } }),
      reach,
      now,
    )
    expect(odd.error?.code).toBe('EXECUTION_FAILED')
  })

  test('has the warnings of the events', () => {
    const body = describeCompleted(
      endedRecord({
        events: [
          eventOf(1, 'log', {
            level: 'warning',
            message: 'Nothing was found.',
            step: 'ask',
            details: { missing: ['x'] },
          }),
          eventOf(2, 'log', { level: 'info', message: 'All is well.' }),
          eventOf(3, 'cost_alert', { threshold: 0.001, spent: 0.0015 }),
        ],
      }),
      reach,
      now,
    )
    expect(body.warnings).toEqual([
      { type: 'step_warning', message: 'Nothing was found.', step: 'ask', threshold: null, actual: null },
      { type: 'cost_alert', message: expect.any(String), step: null, threshold: 0.001, actual: 0.0015 },
    ])
    expect(body.recommendations).toHaveLength(1)
  })
})
