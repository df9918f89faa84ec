import { describe, expect, test } from 'vitest'
import { sampleAgent, sampleModel, sampleRequirements } from './sample-agents.ts'

const model = sampleModel('openai', 'large', { price: 1_000_000 })
const pricing = { base_cost: 0.01, per_token: 0.000001, bulk_discount: 0.25, enterprise_rate: 0.5 }
const agent = { prompt: 'x'.repeat(400), ai_options: { max_tokens: 300 }, pricing }

describe('the estimate of a run', () => {
  test('without history has the price of its tokens and the surcharge of the agent', () => {
    const { estimate } = sampleAgent('one', {
      agent,
      model,
      requirements: sampleRequirements({ content_length: 2000 }),
    })
    expect(estimate.tokens).toEqual({ input: 600, output: 300 })
    expect(estimate.charge).toBe(10_900)
    expect(estimate.cost).toEqual({ value: 900 + 10_900, source: 'catalogue' })
    expect(estimate.bulkDiscount).toBe(2725)
    expect(estimate.duration).toEqual({ value: null, source: null })
  })

  test('has the enterprise rate for accounts of that tier', () => {
    const requirements = sampleRequirements({ content_length: 2000 }, {}, { isEnterprise: true })
    expect(sampleAgent('one', { agent, model, requirements }).estimate.charge).toBe(5450)
  })

  test('uses the cost and duration of past runs', () => {
    const record = {
      completed: 4,
      averageMicroDollars: 777,
      medianMs: 1500,
      tokens: { input: 100, output: 50 },
    }
    const { estimate } = sampleAgent('one', { agent, model, record })
    expect(estimate.cost).toEqual({ value: 777, source: 'agent_history' })
    expect(estimate.duration).toEqual({ value: 1500, source: 'agent_history' })
  })

  test('is not free when a paid model would replace a free one', () => {
    const record = { completed: 4, averageMicroDollars: 0, medianMs: 15, tokens: { input: 0, output: 0 } }
    const requirements = sampleRequirements({ content_length: 2000 })
    expect(sampleAgent('one', { agent, record, requirements, model }).estimate.cost.value).toBe(11_800)
    expect(sampleAgent('one', { agent: { prompt: 'p' }, record, requirements }).estimate.cost).toEqual({
      value: 0,
      source: 'agent_history',
    })
  })

  test('has no cost when price, length or tokens are unknown', () => {
    const unpriced = sampleModel('ollama', 'small', { price: null })
    const requirements = sampleRequirements({ content_length: 2000 })
    expect(sampleAgent('one', { agent, requirements, model: unpriced }).estimate.cost.value).toBeNull()
    expect(sampleAgent('one', { agent, model }).estimate.cost).toEqual({ value: null, source: null })
  })
})
