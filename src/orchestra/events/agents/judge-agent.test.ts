import { expect, test } from 'vitest'
import { judgeAgent, runsBefore } from './judge-agent.ts'

const usual = { completed: 95, failed: 5, duration_ms: 95_000 }

test('an agent that does as it always did is not told of', () => {
  expect(judgeAgent({ completed: 10, failed: 1, duration_ms: 12_000 }, usual)).toEqual([])
})

test('one of which clearly fewer runs succeed is', () => {
  expect(judgeAgent({ completed: 7, failed: 3, duration_ms: 7000 }, usual)).toEqual([
    { metric: 'success_rate', current_value: 70, baseline: 95, threshold: 75 },
  ])
  expect(judgeAgent({ completed: 8, failed: 2, duration_ms: 8000 }, usual)).toEqual([])
})

test('so is one that takes half as long again', () => {
  expect(judgeAgent({ completed: 10, failed: 0, duration_ms: 15_010 }, usual)).toEqual([
    { metric: 'duration', current_value: 1.501, baseline: 1, threshold: 1.5 },
  ])
  expect(judgeAgent({ completed: 10, failed: 0, duration_ms: 15_000 }, usual)).toEqual([])
})

test('both can be worse at once', () => {
  const metrics = judgeAgent({ completed: 5, failed: 5, duration_ms: 50_000 }, usual).map(
    ({ metric }) => metric,
  )
  expect(metrics).toEqual(['success_rate', 'duration'])
})

test('few runs show neither a habit nor a change', () => {
  expect(judgeAgent({ completed: 0, failed: 4, duration_ms: 0 }, usual)).toEqual([])
  expect(
    judgeAgent({ completed: 0, failed: 9, duration_ms: 0 }, { completed: 19, failed: 0, duration_ms: 1 }),
  ).toEqual([])
})

test('what was before the last hour is the rest', () => {
  expect(runsBefore(usual, { completed: 5, failed: 5, duration_ms: 5000 })).toEqual({
    completed: 90,
    failed: 0,
    duration_ms: 90_000,
  })
})
