import { expect, test } from 'vitest'
import type { HistoryResult } from '#engine'
import type { OutboxEntry } from '../outbox.ts'
import { describeDegradation } from './publisher.ts'

type FlowRecord = HistoryResult<'records'> extends ReadonlyMap<string, infer Value> ? Value : never

const usual: FlowRecord = {
  executions: 30,
  completed: 20,
  failed: 0,
  successRate: 1,
  medianMs: 1000,
  p95Ms: 2000,
  averageMicroDollars: null,
  quality: null,
  confidence: null,
}

function outboxEntry(facts: object) {
  const known = { status: 'completed', items: 0, duration_ms: 3001, ...facts } as OutboxEntry['facts']
  return { executionId: 'e', flowId: 'review', flowVersion: 2, facts: known }
}

test('an execution above 1.5 times the 95th percentile is reported', () => {
  expect(describeDegradation(outboxEntry({}), usual)).toEqual({
    flow_id: 'review',
    flow_version: 2,
    execution_id: 'e',
    metric: 'duration',
    current_value: 3.001,
    threshold: 3,
    baseline: { p95: 2, median: 1, executions: 20 },
    degradation_percentage: 50.05,
  })
})

test('an execution within bounds, a batch, one not completed or without a baseline is not reported', () => {
  const quiet = [
    describeDegradation(outboxEntry({ duration_ms: 3000 }), usual),
    describeDegradation(outboxEntry({ items: 3 }), usual),
    describeDegradation(outboxEntry({ status: 'failed' }), usual),
    describeDegradation(outboxEntry({ duration_ms: null }), usual),
    describeDegradation(outboxEntry({}), { ...usual, completed: 19 }),
    describeDegradation(outboxEntry({}), { ...usual, p95Ms: null }),
    describeDegradation(outboxEntry({}), undefined),
    describeDegradation({ ...outboxEntry({}), facts: null }, usual),
  ]
  expect(quiet.filter((it) => it !== undefined)).toEqual([])
})
