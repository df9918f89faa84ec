import { expect, test } from 'vitest'
import type { FlowEntry, LatestRun } from './flow-queries.ts'
import { runBarsOf } from './RunBars.tsx'
import { costOf, ownFirst, successOf } from './WorkflowsPage.tsx'

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

const flow = (id: string, owner_id: string | null, updated_at: number) =>
  ({ id, owner_id, updated_at, built_in: owner_id === null }) as FlowEntry

test('own workflows come first, then those of others, the last changed first, then the built-in ones', () => {
  const flows = [
    flow('built-in one', null, 5),
    flow('built-in two', null, 9),
    flow('other', 'ben', 8),
    flow('own old', 'ada', 1),
    flow('own new', 'ada', 2),
  ]
  expect(ownFirst(flows, 'ada').map(({ id }) => id)).toEqual([
    'own new',
    'own old',
    'other',
    'built-in one',
    'built-in two',
  ])
})
