import { expect, test } from 'vitest'
import { barsOf, type Outcome, summaryOf } from './OutcomeBar.tsx'

const outcome = (id: string, more: Partial<Outcome> = {}): Outcome => ({
  id,
  tone: 'good',
  word: 'Completed',
  execution: id,
  duration: 1,
  ...more,
})

const heights = (outcomes: readonly Outcome[]) => barsOf(outcomes).map((bar) => [bar.outcome.id, bar.height])

test('bars are ordered from the oldest run at the left, and the longest run is the highest', () => {
  expect(
    heights([
      outcome('new', { duration: 4 }),
      outcome('old', { duration: 2 }),
      outcome('oldest', { duration: null }),
    ]),
  ).toEqual([
    ['oldest', 0.35],
    ['old', 0.5],
    ['new', 1],
  ])
})

test('without durations bars of executions are high, and those of skipped times low', () => {
  expect(
    heights([outcome('ran', { duration: null }), outcome('skipped', { duration: null, execution: null })]),
  ).toEqual([
    ['skipped', 0.35],
    ['ran', 1],
  ])
})

test('the summary counts the outcomes by their words', () => {
  expect(summaryOf([outcome('a'), outcome('b', { word: 'Failed' }), outcome('c')])).toBe(
    '2 completed, 1 failed',
  )
})
