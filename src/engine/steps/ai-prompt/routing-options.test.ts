import { expect, test } from 'vitest'
import { type RoutingOption, scoreOptions } from './routing-options.ts'

const option = (name: string, reason = '', condition?: string): RoutingOption => ({
  name,
  reason,
  condition,
  adds: [],
  continuesTo: undefined,
})

test('the option whose words occur in the response is chosen, with its reason', () => {
  const { best, confidence, reasoning } = scoreOptions(
    [option('approve', 'The tone is neutral or positive.'), option('reject', 'The tone is negative.')],
    '## Sentiment\n\nA **negatively** toned text.',
  )
  expect(best.name).toBe('reject')
  expect(confidence).toBe(1)
  expect(reasoning).toBe(
    'Chosen without a language model, by true conditions and words found in the response: reject 0.33 (negative); approve 0.00.',
  )
})

test('a true condition scores more than words', () => {
  const { best, confidence } = scoreOptions(
    [option('short', 'A short text'), option('weak', 'Of little use', 'score < 50')],
    'A short text.',
  )
  expect(best.name).toBe('weak')
  expect(confidence).toBe(0.67)
})

test('without a score the first option is chosen, with a confidence of 0.5', () => {
  expect(scoreOptions([option('one'), option('two')], '')).toMatchObject({
    best: { name: 'one' },
    confidence: 0.5,
  })
})
