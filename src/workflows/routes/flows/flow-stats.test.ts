import { expect, test } from 'vitest'
import { describeRuns } from './flow-stats.ts'

const run = (status: 'completed' | 'failed' | 'running', durationMs: number | null, spent = 0) => ({
  status,
  durationMs,
  spent,
})

test('the statistics of a few executions', () => {
  const runs = [
    run('completed', 1000, 2_000_000),
    run('completed', 3000, 4_000_000),
    run('failed', 90_000, 9_000_000),
    run('running', null),
  ]
  expect(describeRuns(runs)).toEqual({
    of: 'own',
    executions: 4,
    success_rate: 66.7,
    median_duration: 1,
    p95_duration: 3,
    average_cost: 3,
  })
})

test('without executions nothing is known', () => {
  expect(describeRuns([])).toEqual({
    of: 'own',
    executions: 0,
    success_rate: null,
    median_duration: null,
    p95_duration: null,
    average_cost: null,
  })
})
