import { describe, expect, test } from 'vitest'
import { callOut, prompt, sampleFlow, sampleRequirements } from './sample-flows.ts'
import { completionConfidence, successPredictors } from './success.ts'

const rate = (completed: number, failed = 0) =>
  completionConfidence(sampleFlow('flow', { record: { completed, failed } }))

describe('success', () => {
  test('the rate one can count on grows with executions', () => {
    expect(rate(0)).toBeNull()
    expect(rate(1)).toBe(0.27)
    expect(rate(100)).toBe(0.974)
    expect(rate(90, 10)).toBe(0.84)
  })

  test('is predicted by history, retries, failure handling, validation, other services and time', () => {
    const steps = [
      prompt('write', { retry_config: { max_attempts: 3 }, validation: { min_length: 10 } }),
      callOut('send', { error_handling: { on_failure: 'continue' } }),
    ]
    const flow = sampleFlow('flow', { flow: { steps }, record: { completed: 10 }, ms: 1000 })
    const predictors = successPredictors(flow, sampleRequirements({}, { preferences: { max_duration: 10 } }))
    expect(predictors.map(({ predictor, influence }) => [predictor, influence])).toEqual([
      ['history', 'positive'],
      ['retries', 'positive'],
      ['failure_handling', 'positive'],
      ['validation', 'negative'],
      ['outside_services', 'negative'],
      ['time', 'positive'],
    ])
    expect(successPredictors(sampleFlow('bare'), sampleRequirements())).toEqual([])
  })
})
