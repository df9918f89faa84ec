import { describe, expect, test } from 'vitest'
import { assessRisks, completionConfidence, successPredictors } from './risks.ts'
import { callOut, prompt, sampleFlow, sampleRequirements } from './sample-flows.ts'

const assess = (
  sample: Parameters<typeof sampleFlow>[1],
  ...requirements: Parameters<typeof sampleRequirements>
) => assessRisks(sampleFlow('flow', sample), sampleRequirements(...requirements))

describe('risks', () => {
  const calm = {
    cost: 0,
    ms: 1000,
    record: { completed: 10 },
    flow: { steps: [prompt('write', { retry_config: { max_attempts: 3 } })] },
  }

  test('a flow with good executions has no risks', () => {
    expect(assess(calm)).toEqual({ risk_level: 'low', potential_issues: [], mitigation_strategies: [] })
  })

  test.each([
    [{ record: { completed: 3, failed: 7 } }, 'high', /7 of 10 executions failed/],
    [{ record: { completed: 8, failed: 2 } }, 'medium', /2 of 10/],
    [{ record: {} }, 'low', /no recent runs/],
    [{ cost: null }, 'low', /Its cost is unknown/],
    [{ cost: 5 }, 'low', /no limit for its cost/],
    [{ metadata: { approval_required: true } }, 'low', /requires approval/],
    [{ flow: { steps: [callOut('send')] } }, 'medium', /fails when another service does: "send"/],
    [{ flow: { steps: [prompt('once')] } }, 'low', /tried once: "once"/],
  ])('%j: %s', (change, level, issue) => {
    const { risk_level, potential_issues, mitigation_strategies } = assess({ ...calm, ...change })
    expect(risk_level).toBe(level)
    expect(potential_issues).toEqual([expect.stringMatching(issue)])
    expect(mitigation_strategies).toHaveLength(1)
  })

  test('a tight or unknown duration is a risk', () => {
    const rest = { preferences: { max_duration: 1.2 } }
    expect(assess(calm, {}, rest).potential_issues).toEqual(['It takes about 83 % of the time there is.'])
    expect(assess({ ...calm, ms: null }, {}, rest).risk_level).toBe('medium')
  })

  test('undeclared compliance is a risk', () => {
    const context = { business_requirements: { compliance_requirements: ['GDPR'] } }
    expect(assess(calm, context).potential_issues).toEqual(['It does not say that it complies with GDPR.'])
  })
})

const rate = (completed: number, failed = 0) =>
  completionConfidence(sampleFlow('flow', { record: { completed, failed } }))

describe('the success prediction', () => {
  test('uses a success rate that grows with the number of executions', () => {
    expect(rate(0)).toBeNull()
    expect(rate(1)).toBe(0.27)
    expect(rate(100)).toBe(0.974)
    expect(rate(90, 10)).toBe(0.84)
  })

  test('has factors for history, retries, failure handling, validation, other services and time', () => {
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
