import { describe, expect, test } from 'vitest'
import { claude, openAiScene } from './engine-ai-scene.ts'

const content = 'The kettle is on. We wait for the water to boil and then we pour it over the leaves of tea.'
const step = { prompt: `Translate into French: ${content}` }
const gone = ['openai', 'anthropic']
const allowed = { flow: { allow_builtin_fallback: true } }

describe('a step that names no model', () => {
  test('fails when every configured provider is gone, and says what to do', async () => {
    await using scene = await openAiScene({ openaiDefaultModel: undefined, anthropicDefaultModel: undefined })
    const failure = await scene.fail(step)
    expect(failure).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      details: { reason: 'no_language_model', providers: ['openai', 'anthropic'] },
      usage: { aiCalls: 0 },
    })
    expect(failure.message).toContain('global_configuration.allow_builtin_fallback')
    expect(failure.message).toContain('ai_options.model')
    expect(await scene.fail({ ...step, output_schema: { type: 'object' } })).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      details: { reason: 'no_language_model' },
    })
  })

  test('is analysed where the flow allows it, with a warning', async () => {
    await using scene = await openAiScene({ openaiDefaultModel: undefined, anthropicDefaultModel: undefined })
    const result = await scene.run(step, allowed)
    expect(result.usage).toMatchObject({ provider: 'builtin', model: 'builtin:text' })
    expect(scene.seen.warnings).toEqual(['builtin_fallback_used'])
    expect(scene.seen.logs.at(-1)?.message).toContain('POST /api/v1/providers')
    const asked = await scene.run(step, { options: { ai_options: { fallback_enabled: true } } })
    expect(asked.usage.provider).toBe('builtin')
    expect(scene.seen.warnings).toEqual(['builtin_fallback_used'])
  })

  test('is analysed after a call that failed, where the flow allows it', async () => {
    await using scene = await openAiScene()
    scene.openai.script({ status: 503 })
    expect((await scene.run(step, allowed)).usage).toMatchObject({ provider: 'builtin', aiCalls: 1 })
    expect(scene.seen.warnings).toEqual(['builtin_fallback_used'])
    scene.openai.script({ status: 503 })
    expect(await scene.fail(step)).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', provider: 'openai' })
  })

  test('is not analysed in a retry with a different provider, unless the flow allows it', async () => {
    await using scene = await openAiScene()
    expect(await scene.fail(step, { avoided: gone })).toMatchObject({ code: 'PROVIDER_UNAVAILABLE' })
    expect((await scene.run(step, { avoided: gone, ...allowed })).usage.provider).toBe('builtin')
  })

  test('is analysed on a platform without any other provider, with a warning', async () => {
    await using scene = await openAiScene({ only: ['builtin'] })
    expect((await scene.run(step)).usage.provider).toBe('builtin')
    expect(scene.seen.warnings).toEqual(['builtin_fallback_used'])
  })

  test('is analysed without a warning when the execution prefers the built-in provider', async () => {
    await using scene = await openAiScene()
    const setting = { options: { ai_options: { preferred_providers: ['builtin'] } } }
    expect((await scene.run(step, setting)).usage.provider).toBe('builtin')
    expect(scene.seen.warnings).toEqual([])
  })
})

test('a step that names builtin:text is analysed without a warning', async () => {
  await using scene = await openAiScene()
  const named = { ...step, ai_options: { model: 'builtin:text' } }
  expect((await scene.run(named)).usage.provider).toBe('builtin')
  expect(scene.seen.warnings).toEqual([])
})

test('a step whose named model failed is analysed last, with a warning, where another provider may be used', async () => {
  await using scene = await openAiScene()
  scene.openai.script({ status: 503 })
  scene.anthropic.script({ status: 503 })
  const named = { ...step, ai_options: { model: claude } }
  const setting = { options: { ai_options: { fallback_enabled: true } } }
  expect((await scene.run(named, setting)).usage.provider).toBe('builtin')
  expect(scene.seen.warnings).toEqual(['builtin_fallback_used'])
})
