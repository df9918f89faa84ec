import { expect, test } from 'vitest'
import { costOf, runBarsOf, successOf } from './FlowsPage.tsx'
import type { LatestRun } from './flow-queries.ts'

const run = (execution_id: string, more: Partial<LatestRun> = {}): LatestRun => ({
  execution_id,
  status: 'completed',
  duration: 1,
  cost: 0,
  created_at: 0,
  ...more,
})

test('bars are ordered from the oldest run at the left, and the longest run is the highest', () => {
  const bars = runBarsOf([
    run('new', { duration: 4 }),
    run('old', { duration: 2 }),
    run('oldest', { duration: null }),
  ])
  expect(bars.map(({ id, height }) => [id, height])).toEqual([
    ['oldest', 0.2],
    ['old', 0.5],
    ['new', 1],
  ])
})

test('the success rate counts finished runs, the cost completed ones', () => {
  expect(successOf([run('a'), run('b', { status: 'failed' }), run('c', { status: 'running' })])).toBe(50)
  expect(successOf([run('a', { status: 'queued' })])).toBeUndefined()
  expect(
    costOf([run('a', { cost: 2 }), run('b', { cost: 4 }), run('c', { status: 'failed', cost: 100 })]),
  ).toBe(3)
  expect(costOf([])).toBeUndefined()
})
