import { describe, expect, test } from 'vitest'
import { prompt, sampleFlow, sampleModel, sampleStep } from './sample-flows.ts'
import { type Market, variantsOf } from './variants.ts'

const none: Market = { catalogue: [], qualityOf: () => null }

test('a flow without an applicable setting has no variant', () => {
  expect(variantsOf(sampleFlow('flow', { cost: 10, ms: 10 }), none)).toEqual([])
})

describe('premium quality', () => {
  const steps = [
    prompt('write', { retry_config: { max_attempts: 3, retry_on_validation_failure: true } }),
    prompt('check'),
  ]
  const estimated = [sampleStep('write', 100, 2000, 0.5), sampleStep('check', 10, 500)]

  test('costs at most the additional attempts of steps that may have them', () => {
    const flow = sampleFlow('flow', {
      flow: { steps },
      steps: estimated,
      cost: 60,
      ms: 1500,
      record: { quality: { mean: 60, samples: 4 } },
    })
    expect(variantsOf(flow, none)).toEqual([
      {
        variant: 'premium_quality',
        cost: 160,
        ms: 3500,
        quality: { kind: 'quality_improvement', points: 15 },
        description: expect.stringContaining('"write" is asked again for texts below 75 of 100') as string,
      },
    ])
  })

  test('has unknown values where they are unknown', () => {
    const flow = sampleFlow('flow', { flow: { steps }, steps: [sampleStep('write', null, null)] })
    expect(variantsOf(flow, none)).toMatchObject([{ cost: null, ms: null, quality: { points: null } }])
  })
})

describe('a cheaper model', () => {
  const big = sampleModel('openai', 'big', 10)
  const models = [{ stepId: 'write', named: 'big', entry: big, tokens: { input: 1000, output: 1000 } }]
  const flow = sampleFlow('flow', {
    models,
    steps: [sampleStep('write', 20_000, 900)],
    cost: 20_000,
    ms: 900,
  })
  const small = sampleModel('openai', 'small', 1)

  test('is the cheapest suitable one for the tokens that the step has used', () => {
    const catalogue = [big, sampleModel('openai', 'middle', 5), small, sampleModel('openai', 'unknown', null)]
    const quality = new Map([
      ['big', 80],
      ['small', 65],
    ])
    const qualityOf: Market['qualityOf'] = ({ model }) => quality.get(model.id) ?? null
    expect(variantsOf(flow, { catalogue, qualityOf })).toEqual([
      {
        variant: 'cheaper_model',
        cost: 2000,
        ms: null,
        quality: { kind: 'quality_tradeoff', points: 15 },
        description: expect.stringContaining('"write" with small (openai)') as string,
      },
    ])
    expect(variantsOf(flow, { catalogue, qualityOf: () => null })).toMatchObject([
      { quality: { points: null } },
    ])
  })

  test.each([
    ['unavailable', sampleModel('openai', 'small', 1, { available: false })],
    ['limited to a short context', sampleModel('openai', 'small', 1, { contextLength: 1500 })],
    ['not a language model', sampleModel('builtin', 'builtin:text', 0)],
    ['an embedding model', sampleModel('openai', 'small', 1, { capabilities: ['embedding'] })],
    ['not cheaper', sampleModel('openai', 'same', 10)],
  ])('excludes a model that is %s', (_why, other) => {
    expect(variantsOf(flow, { ...none, catalogue: [big, other] })).toEqual([])
  })

  test('has an unknown saving without executions', () => {
    const fresh = sampleFlow('flow', { models: models.map((it) => ({ ...it, tokens: null })), cost: 20_000 })
    expect(variantsOf(fresh, { ...none, catalogue: [small] })).toEqual([])
  })
})

describe('the variant without optional steps', () => {
  const steps = [
    prompt('write', { agent_routing: true, routing_options: { more: { add_steps: ['extra'] } } }),
    prompt('extra'),
  ]

  test('saves the cost of their executions', () => {
    const estimated = [sampleStep('write', 100, 1000), sampleStep('extra', 40, 600, 0.5)]
    const flow = sampleFlow('flow', { flow: { steps }, steps: estimated, cost: 120, ms: 1300 })
    expect(variantsOf(flow, none)).toMatchObject([{ variant: 'without_optional_steps', cost: 100, ms: 1000 }])
  })

  test('saves nothing for steps that never ran', () => {
    const flow = sampleFlow('flow', { flow: { steps }, steps: [sampleStep('extra', null, null)], cost: 120 })
    expect(variantsOf(flow, none)).toEqual([])
  })
})
