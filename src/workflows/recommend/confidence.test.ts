import { expect, test } from 'vitest'
import { confidenceOf } from './confidence.ts'
import { sampleFlow, sampleWishes } from './sample-flows.ts'
import { scoreOf } from './score.ts'

type Sample = Parameters<typeof sampleFlow>[1]

function confidence(sample: Sample, ...wishes: Parameters<typeof sampleWishes>): number {
  const flow = sampleFlow('flow', sample)
  return confidenceOf(flow, scoreOf(flow, sampleWishes(...wishes), { cost: null, ms: null }))
}

test('nothing known, nothing sure', () => {
  expect(confidence({})).toBe(0)
})

test('grows with executions, whether they succeeded or not', () => {
  expect(confidence({ record: { completed: 10 } })).toBe(0.25)
  expect(confidence({ record: { completed: 5, failed: 5 } })).toBe(0.25)
  expect(confidence({ record: { completed: 990 } })).toBe(0.495)
})

test('grows with how much of what was asked could be judged', () => {
  const context = { content_type: 'article', content_characteristics: { complexity: 'high' } }
  expect(confidence({}, context)).toBe(0.24)
  expect(confidence({ metadata: { complexity_level: 'high' } }, context)).toBe(0.3)
})

test('grows with where estimates come from', () => {
  const known = { cost: 1, ms: 1 }
  expect(confidence({ ...known, source: 'metadata' })).toBe(0.06)
  expect(confidence({ ...known, source: 'catalogue' })).toBe(0.08)
  expect(confidence({ ...known, source: 'step_type_history' })).toBe(0.12)
  expect(confidence({ ...known, source: 'flow_history' })).toBe(0.2)
  expect(confidence({ cost: 1 })).toBe(0.1)
})
