import { expect, test } from 'vitest'
import { describeEstimate, describeSources } from './describe-estimate.ts'

const unknown = { source: null, sample: 0, confidence: null }
const history = { source: 'flow_history', sample: 12, confidence: 0.8 }

test.each([
  ['about $0.0021 · 4 s', 0.0021, 4],
  ['about $0 · 250 ms', 0, 0.25],
  ['about $0.0021 · time unknown', 0.0021, null],
  ['cost unknown · about 1 min 30 s', null, 90],
  ['cost and time unknown', null, null],
])('%s', (words, cost, seconds) => {
  expect(describeEstimate({ cost, seconds })).toBe(words)
})

test('names the sources of both, once when they are the same', () => {
  expect(describeSources({ cost: 1, seconds: 1, from: { cost: history, duration: history } })).toBe(
    'Cost and time of one execution: from 12 executions of this workflow.',
  )
  const prices = { source: 'catalogue', sample: 0, confidence: null }
  const one = { source: 'step_type_history', sample: 1, confidence: 0.2 }
  expect(describeSources({ cost: 1, seconds: 1, from: { cost: prices, duration: one } })).toBe(
    'Cost of one execution: from the prices of its models. Time: from 1 step of the same types.',
  )
  const author = { source: 'metadata', sample: 0, confidence: null }
  expect(describeSources({ cost: null, seconds: 9, from: { cost: unknown, duration: author } })).toBe(
    'Cost of one execution: unknown. Time: set by the author.',
  )
})
