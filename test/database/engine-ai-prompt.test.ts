import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { StepFailure } from '#engine'
import { claude, lastAsked, openAiScene, says } from './engine-ai-scene.ts'

const mini = { ai_options: { model: 'gpt-4o-mini' } }
const refused = (status: number, headers = {}) => ({ status, headers })

describe('a prompt', () => {
  test('is filled from context and memory, and its response streams', async () => {
    await using scene = await openAiScene()
    scene.openai.script({
      steps: [{ text: 'Green ' }, { text: 'tea.' }],
      usage: { input: 20, output: 100 },
    })
    const result = await scene.run(
      {
        prompt: 'Write about {{topic}} for {{context.audience}}.',
        ai_options: {
          model: 'gpt-4o-mini',
          temperature: 0.3,
          max_tokens: 200,
          system_prompt: 'You are {{tone}}.',
        },
      },
      { context: { audience: 'children' }, memory: { topic: 'tea', tone: 'kind' } },
    )
    expect(lastAsked(scene)).toMatchObject({
      model: 'gpt-4o-mini',
      temperature: 0.3,
      max_tokens: 200,
      messages: [
        { role: 'system', content: 'You are kind.' },
        { role: 'user', content: 'Write about tea for children.' },
      ],
    })
    // 20 × 0.15 + 100 × 0.60 = 63
    expect(result).toMatchObject({
      output: 'Green tea.',
      confidence: null,
      quality: null,
      details: { finish_reason: 'stop', post_processing_applied: [] },
      usage: {
        provider: 'openai',
        model: 'gpt-4o-mini',
        inputTokens: 20,
        outputTokens: 100,
        microDollars: 63,
        aiCalls: 1,
        cacheHits: 0,
        networkRequests: 1,
      },
    })
    expect(result.usage.aiMs).toBeGreaterThan(0)
    expect(scene.seen.tokens).toEqual(['Green ', 'tea.'])
    expect(scene.seen.phases).toEqual([
      'prompt_processed',
      'ai_response_streaming',
      'response_processing',
      'validation',
    ])
    expect(await scene.gateway.calls()).toMatchObject([
      { source: 'engine', accountId: 'ada', microDollars: 63 },
    ])
  })

  test('reports unfilled placeholders, and fails when a failed step caused one', async () => {
    await using scene = await openAiScene()
    const step = { ...mini, prompt: 'About {{missing}}.' }
    await scene.run(step)
    expect(scene.seen.logs).toContainEqual({
      level: 'warning',
      message: 'No value was found for {{missing}}; the placeholder was left empty.',
    })
    const asked = scene.openai.requests.length
    expect(await scene.fail(step, { failed: { missing: 'maker' } })).toMatchObject({
      code: 'STEP_DEPENDENCY_FAILED',
      details: { failed_step: 'maker' },
    })
    expect(scene.openai.requests).toHaveLength(asked)
  })

  test('that is repeated is answered from the cache when it is deterministic', async () => {
    await using scene = await openAiScene()
    const step = { ai_options: { model: 'gpt-4o-mini', temperature: 0 } }
    const first = await scene.run(step)
    expect(first.usage).toMatchObject({ cacheHits: 0, networkRequests: 1 })
    const again = await scene.run(step)
    expect(again.output).toBe(first.output)
    expect(again.usage).toMatchObject({ cacheHits: 1, microDollars: 0, inputTokens: 0, networkRequests: 0 })
    expect(scene.seen.tokens.join('')).toBe(first.output)
    const retried = await scene.run(step, { attempt: 2 })
    expect(retried.usage).toMatchObject({ cacheHits: 0, networkRequests: 1 })
  })

  test('of an unpriced model has no known cost', async () => {
    await using scene = await openAiScene({ prices: {} })
    const { usage } = await scene.run(mini)
    expect(usage).toMatchObject({ microDollars: null, provider: 'openai' })
  })

  test('reports a truncated response', async () => {
    await using scene = await openAiScene()
    const { details } = await scene.run({ ai_options: { model: 'gpt-4o-mini', max_tokens: 2 } })
    expect(details).toMatchObject({ finish_reason: 'length' })
    expect(scene.seen.logs).toContainEqual({
      level: 'warning',
      message: 'The response was truncated: it reached the maximum number of tokens.',
    })
  })

  test('publishes details when they are requested', async () => {
    await using scene = await openAiScene()
    await scene.run(mini)
    expect(scene.seen.logs.filter(({ level }) => level === 'debug').map(({ message }) => message)).toEqual([
      'Calls gpt-4o-mini.',
      'openai/gpt-4o-mini responded.',
    ])
  })
})

describe('model selection', () => {
  test('uses the default chain when no model is named, and preferred providers before it', async () => {
    await using scene = await openAiScene()
    expect((await scene.run({})).usage).toMatchObject({ provider: 'openai', model: 'gpt-4o-mini' })
    const preferring = { options: { ai_options: { preferred_providers: ['anthropic', 'openai'] } } }
    expect((await scene.run({}, preferring)).usage).toMatchObject({ provider: 'anthropic', model: claude })
    expect((await scene.run(mini, preferring)).usage).toMatchObject({ provider: 'openai' })
    expect(scene.seen.logs.filter(({ level }) => level === 'warning')).toEqual([])
    await scene.run({}, { options: { ai_options: { preferred_providers: ['ollama'] } } })
    expect(scene.seen.logs).toContainEqual({
      level: 'warning',
      message: 'preferred_providers: openai was used, because "ollama" has no default model available.',
    })
  })

  test('uses exactly the named model', async () => {
    await using scene = await openAiScene()
    scene.openai.script(refused(503, { 'retry-after': '7' }))
    expect(await scene.fail(mini)).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      provider: 'openai',
      retryAfterMs: 7000,
      details: { provider: 'openai', model: 'gpt-4o-mini', reason: 'provider_unavailable' },
      usage: { aiCalls: 1, networkRequests: 1, microDollars: 0, provider: null },
    })
    expect(await scene.fail({ ai_options: { model: 'gpt-9' } })).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      message: 'The model "gpt-9" was not found. GET /api/v1/models lists the available models.',
      usage: { aiCalls: 0, networkRequests: 0 },
    })
    expect(scene.anthropic.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('uses another model when the execution allows provider fallback', async () => {
    await using scene = await openAiScene()
    scene.openai.script(refused(500))
    const { usage } = await scene.run(mini, { options: { ai_options: { fallback_enabled: true } } })
    expect(usage).toMatchObject({ provider: 'anthropic', aiCalls: 1, networkRequests: 2 })
  })

  test('uses another provider when one was excluded, also for a named model', async () => {
    await using scene = await openAiScene()
    expect((await scene.run(mini, { avoided: ['openai'] })).usage.provider).toBe('anthropic')
    expect((await scene.run({}, { avoided: ['openai'] })).usage.provider).toBe('anthropic')
    expect(await scene.fail({}, { avoided: ['openai', 'anthropic', 'builtin'] })).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      provider: undefined,
      message: 'No provider besides the excluded ones (openai, anthropic, builtin) can handle this call.',
    })
    expect(scene.openai.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('uses the built-in model where there is no other', async () => {
    await using scene = await openAiScene({ only: ['builtin'] })
    const text = 'The kettle is on. We wait for the water to boil and then we pour it over the leaves of tea.'
    const { output, usage } = await scene.run(
      { prompt: 'Summarise the following text: {{content}}' },
      { context: { content: text } },
    )
    expect(output).toContain('## Summary')
    expect(usage).toMatchObject({
      provider: 'builtin',
      model: 'builtin:text',
      microDollars: 0,
      networkRequests: 0,
    })
  })
})

describe('a failed call', () => {
  test.each([
    [refused(429, { 'retry-after': '3' }), 'PROVIDER_UNAVAILABLE', 'provider_rate_limited', 3000],
    [refused(401), 'PROVIDER_UNAVAILABLE', 'provider_unavailable', undefined],
    [{ status: 404, code: 'model_not_found' }, 'PROVIDER_UNAVAILABLE', 'model_not_found', undefined],
    ['cut' as const, 'PROVIDER_UNAVAILABLE', 'provider_unavailable', undefined],
    [refused(400), 'INVALID_STEP', 'provider_refused', undefined],
  ])('at the provider with %j is %s', async (reply, code, reason, retryAfterMs) => {
    await using scene = await openAiScene()
    scene.openai.script(reply)
    expect(await scene.fail(mini)).toMatchObject({
      code,
      provider: 'openai',
      retryAfterMs,
      details: { reason },
      usage: { aiCalls: 1 },
    })
  })

  test('in the middle of a response reports its cost', async () => {
    await using scene = await openAiScene()
    scene.openai.script({ steps: [{ text: 'Green' }, 'cut'] })
    const failure = await scene.fail(mini)
    expect(failure).toMatchObject({ code: 'PROVIDER_UNAVAILABLE', details: { reason: 'answer_broke_off' } })
    const { spent, reserved } = await scene.gateway.spent()
    expect(reserved).toBe(0)
    expect(failure.usage?.microDollars).toBe(spent)
    expect(spent).toBeGreaterThan(0)
  })

  test('blocked by a content filter names the provider, so that another can be called', async () => {
    await using scene = await openAiScene()
    scene.openai.script({ steps: [], finish: 'content_filter' })
    expect(await scene.fail(mini)).toMatchObject({
      code: 'PROVIDER_UNAVAILABLE',
      provider: 'openai',
      details: { reason: 'content_filter' },
    })
  })

  test('ends the execution when the daily budget of the account is used up', async () => {
    await using scene = await openAiScene({ microDollarsPerDay: 5 })
    expect(await scene.fail(mini)).toMatchObject({ code: 'INSUFFICIENT_CREDITS', usage: { aiCalls: 0 } })
    expect(scene.openai.requests.filter(({ method }) => method === 'POST')).toEqual([])
  })

  test('passes the error of an exhausted execution budget on unchanged', async () => {
    await using scene = await openAiScene()
    const callBudget = {
      async reserve(): Promise<never> {
        throw new StepFailure({ code: 'INSUFFICIENT_CREDITS', message: 'No more.', details: { budget: 1 } })
      },
    }
    expect(await scene.fail(mini, { budget: callBudget })).toMatchObject({
      code: 'INSUFFICIENT_CREDITS',
      message: 'No more.',
      details: { budget: 1 },
    })
  })

  test('is reported when it requires what its model cannot do', async () => {
    await using scene = await openAiScene()
    expect(
      await scene.fail({ prompt: 'x'.repeat(1_100_000), ai_options: { model: 'builtin:text' } }),
    ).toMatchObject({
      code: 'INVALID_STEP',
      details: { reason: 'provider_refused' },
    })
  })
})

test('cancelling aborts the provider and settles the call', async () => {
  await using scene = await openAiScene()
  const cancelling = new AbortController()
  scene.openai.script({ steps: [{ text: 'Green' }, 'hang'] })
  const running = scene.run(mini, { signal: cancelling.signal })
  const { closed } = await scene.openai.nextRequest('/chat/completions')
  await expect.poll(() => scene.seen.tokens).toEqual(['Green'])
  const reason = new Error('cancelled by a user')
  cancelling.abort(reason)
  await expect(running).rejects.toBe(reason)
  expect(await Promise.race([closed, delay(30_000, 'still open')])).toBe(true)
  const { spent, reserved } = await scene.gateway.spent()
  expect(reserved).toBe(0)
  expect(spent).toBeGreaterThan(0)
  expect(await scene.gateway.calls()).toMatchObject([{ outcome: 'cancelled' }])
})

test('cancelling before the first word settles the call, too', async () => {
  await using scene = await openAiScene()
  const cancelling = new AbortController()
  scene.openai.script('hang')
  const running = scene.run(mini, { signal: cancelling.signal })
  const { closed } = await scene.openai.nextRequest('/chat/completions')
  cancelling.abort(new Error('cancelled'))
  await expect(running).rejects.toThrow('cancelled')
  expect(await closed).toBe(true)
  await expect.poll(() => scene.gateway.spent()).toMatchObject({ reserved: 0 })
})

test('a response that failed validation is requested again', async () => {
  await using scene = await openAiScene()
  scene.openai.script(says('short'), says('long enough now'))
  const step = { ...mini, validation: { min_length: 10 } }
  expect(await scene.fail(step)).toMatchObject({
    code: 'VALIDATION_FAILED',
    details: { failed_checks: [{ check: 'min_length', expected: 10, found: 5 }], output: 'short' },
    usage: { microDollars: 45, inputTokens: 100, outputTokens: 50 },
  })
  expect((await scene.run(step)).output).toBe('long enough now')
})
