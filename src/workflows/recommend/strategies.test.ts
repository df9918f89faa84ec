import { describe, expect, test } from 'vitest'
import { callOut, prompt, sampleFlow, sampleModel } from './sample-flows.ts'
import { providerStrategyOf } from './strategies.ts'

describe('the provider strategy', () => {
  test('names the provider of most steps as the primary one', () => {
    const small = sampleModel('ollama', 'small', 0)
    const models = [
      { stepId: 'a', named: null, entry: small, tokens: null },
      { stepId: 'b', named: 'big', entry: sampleModel('openai', 'big', 1), tokens: null },
      { stepId: 'c', named: null, entry: small, tokens: null },
    ]
    const steps = [prompt('a'), prompt('b'), prompt('c')]
    const strategy = providerStrategyOf(sampleFlow('flow', { flow: { steps }, models }), {
      providers: ['openai'],
    })
    expect(strategy).toMatchObject({
      primary_provider: 'ollama',
      providers: ['ollama', 'openai'],
      preferred_providers_used: ['openai'],
    })
    expect(strategy.models[1]).toEqual({ step_id: 'b', model: 'big', provider: 'openai', named: true })
  })

  test('names the fallback', () => {
    const moving = { error_handling: { on_failure: 'retry_with_different_provider' } }
    const models = [{ stepId: 'a', named: null, entry: sampleModel('ollama', 'small', 0), tokens: null }]
    const fallback = (steps: ReturnType<typeof prompt>[], asked = models) =>
      providerStrategyOf(sampleFlow('flow', { flow: { steps }, models: asked }), { providers: [] }).fallback
    expect(fallback([prompt('a', moving)])).toMatch(/^Every step asks another provider/)
    expect(fallback([prompt('a', moving), prompt('b')])).toMatch(/^1 of 2 steps/)
    expect(fallback([prompt('a')])).toMatch(/^No step asks another provider/)
    expect(fallback([callOut('a')], [])).toBe('No step calls a model.')
  })
})
