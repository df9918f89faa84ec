import { expect, test } from 'vitest'
import type { FlowRecord, Happening } from '#engine'
import { describeDegradation } from './degradation.ts'

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

function happening(facts: object) {
  const known = { status: 'completed', items: 0, duration_ms: 3001, ...facts } as Happening['facts']
  return { executionId: 'e', flowId: 'review', flowVersion: 2, facts: known }
}

test('an execution half as long again as nearly all before it is told of', () => {
  expect(describeDegradation(happening({}), usual)).toEqual({
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

test('not when it is within bounds, a batch, not completed, or when there is no habit yet', () => {
  const quiet = [
    describeDegradation(happening({ duration_ms: 3000 }), usual),
    describeDegradation(happening({ items: 3 }), usual),
    describeDegradation(happening({ status: 'failed' }), usual),
    describeDegradation(happening({ duration_ms: null }), usual),
    describeDegradation(happening({}), { ...usual, completed: 19 }),
    describeDegradation(happening({}), { ...usual, p95Ms: null }),
    describeDegradation(happening({}), undefined),
    describeDegradation({ ...happening({}), facts: null }, usual),
  ]
  expect(quiet.filter((it) => it !== undefined)).toEqual([])
})
