import { expect, test } from 'vitest'
import { findDegradations, runsBefore } from './agent-watcher.ts'

const usual = { completed: 95, failed: 5, duration_ms: 95_000 }

test('an agent that performs as before has no degradation', () => {
  expect(findDegradations({ completed: 10, failed: 1, duration_ms: 12_000 }, usual)).toEqual([])
})

test('a drop of the success rate by more than 20 points is a degradation', () => {
  expect(findDegradations({ completed: 7, failed: 3, duration_ms: 7000 }, usual)).toEqual([
    { metric: 'success_rate', current_value: 70, baseline: 95, threshold: 75 },
  ])
  expect(findDegradations({ completed: 8, failed: 2, duration_ms: 8000 }, usual)).toEqual([])
})

test('a duration above 1.5 times the baseline is a degradation', () => {
  expect(findDegradations({ completed: 10, failed: 0, duration_ms: 15_010 }, usual)).toEqual([
    { metric: 'duration', current_value: 1.501, baseline: 1, threshold: 1.5 },
  ])
  expect(findDegradations({ completed: 10, failed: 0, duration_ms: 15_000 }, usual)).toEqual([])
})

test('both metrics can degrade at once', () => {
  const metrics = findDegradations({ completed: 5, failed: 5, duration_ms: 50_000 }, usual).map(
    ({ metric }) => metric,
  )
  expect(metrics).toEqual(['success_rate', 'duration'])
})

test('few runs give neither a baseline nor a trend', () => {
  expect(findDegradations({ completed: 0, failed: 4, duration_ms: 0 }, usual)).toEqual([])
  expect(
    findDegradations(
      { completed: 0, failed: 9, duration_ms: 0 },
      { completed: 19, failed: 0, duration_ms: 1 },
    ),
  ).toEqual([])
})

test('the runs before the last hour are the total less the hour', () => {
  expect(runsBefore(usual, { completed: 5, failed: 5, duration_ms: 5000 })).toEqual({
    completed: 90,
    failed: 0,
    duration_ms: 90_000,
  })
})
