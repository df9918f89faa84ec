import { describe, expect, test } from 'vitest'
import { compareDays } from '../database/models-accounting-database.ts'
import {
  end,
  miniPrice,
  openGatewayScene,
  provide,
  read,
  say,
  startOpenAi,
  text,
} from './models-gateway-core-scene.ts'

describe('a call of a priced model', () => {
  test('costs what the provider counted, to the micro-dollar, and is recorded', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({
      providers: [openai.provider],
      prices: { openai: miniPrice },
    })
    openai.server.script({
      steps: [{ text: 'Good ' }, { text: 'day' }],
      usage: { input: 1000, cached: 400, output: 21 },
    })
    const answer = await scene.gateway.chat(
      scene.chatRequest({
        call: { model: 'openai/gpt-4o-mini', messages: [{ role: 'user', content: 'x'.repeat(2000) }] },
      }),
    )
    expect(answer).toMatchObject({ provider: 'openai', model: 'gpt-4o-mini', attempts: 1, cache: 'off' })
    expect(await read(answer.parts)).toBe('Good day')
    // 600 × 0.15 + 400 × 0.075 + 21 × 0.60 = 132.6, and a part of a micro-dollar is a whole one.
    expect(await answer.cost).toMatchObject({
      inputTokens: 1000,
      cachedInputTokens: 400,
      outputTokens: 21,
      microDollars: 133,
    })
    expect(await scene.spent()).toEqual({ spent: 133, reserved: 0 })
    const [call, ...more] = await scene.calls()
    expect(more).toEqual([])
    expect(call).toMatchObject({
      id: answer.callId,
      accountId: 'ada',
      source: 'gateway',
      provider: 'openai',
      model: 'gpt-4o-mini',
      requestedModel: 'openai/gpt-4o-mini',
      microDollars: 133,
      priceSource: 'table',
      priceVersion: '1',
      estimated: false,
      outcome: 'answered',
      failureCode: null,
      cacheHit: false,
      attempts: 1,
    })
    expect(call?.firstTokenMs).toBeLessThanOrEqual(call?.latencyMs ?? 0)
    const metrics = await scene.metrics.render()
    const labels = 'provider="openai",model="gpt-4o-mini"'
    expect(metrics).toContain(`tutti_models_calls_total{${labels},outcome="answered"} 1`)
    expect(metrics).toContain(`tutti_models_tokens_total{${labels},kind="input"} 1000`)
    expect(metrics).toContain(`tutti_models_tokens_total{${labels},kind="cached_input"} 400`)
    expect(metrics).toContain(`tutti_models_tokens_total{${labels},kind="output"} 21`)
    expect(metrics).toContain(`tutti_models_micro_dollars_total{${labels}} 133`)
    expect(metrics).toContain(`tutti_models_first_token_seconds_count{${labels}} 1`)
  })

  test('requests no more tokens than were reserved', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({
      providers: [openai.provider],
      prices: { openai: miniPrice },
    })
    await read((await scene.gateway.chat(scene.chatRequest())).parts)
    await read((await scene.gateway.chat(scene.chatRequest({ call: { maxTokens: 3 } }))).parts)
    const bounds = openai.server.requests
      .filter(({ path }) => path.endsWith('/chat/completions'))
      .map(({ body }) => body['max_completion_tokens'] ?? body['max_tokens'])
    expect(bounds).toEqual([16_384, 3])
  })

  test('has a smaller output limit when its budget has not enough left', async () => {
    await using openai = await startOpenAi()
    // 4,096 × 0.60 = 2,458; the input is at most 4.
    await using scene = await openGatewayScene({
      providers: [openai.provider],
      prices: { openai: miniPrice },
      microDollarsPerDay: 3000,
    })
    const limitSent = () => {
      const { max_completion_tokens: limit, max_tokens: older } = openai.server.lastCall()?.body ?? {}
      return limit ?? older
    }
    const repeatable = scene.chatRequest({ call: { temperature: 0 } })
    for (const cache of ['miss', 'miss']) {
      const answer = await scene.gateway.chat(repeatable)
      // The limit may have cut the response off, so it is not cached.
      expect(answer.cache).toBe(cache)
      expect(limitSent()).toBe(4096)
      expect((await scene.spent()).reserved).toBe(2461)
      await read(answer.parts)
      await answer.cost
    }
    // An execution may have less left than its account: 2,048 × 0.60 = 1,229.
    const budget = { ...scene.chatRequest().budget, left: () => 1300 }
    await read((await scene.gateway.chat(scene.chatRequest({ budget }))).parts)
    expect(limitSent()).toBe(2048)
    const tooMuch = scene.chatRequest({ call: { maxTokens: 16_384 } })
    await expect(scene.gateway.chat(tooMuch)).rejects.toMatchObject({ details: { needed: 9834 } })
  })

  test('is refused when its budget has not enough left for 1,024 tokens', async () => {
    const provider = provide('openai', 'gpt-4o-mini', { stream: () => say(text('Hi'), end(5, 5)) })
    await using scene = await openGatewayScene({
      providers: [provider],
      prices: { openai: miniPrice },
      microDollarsPerDay: 600,
    })
    await expect(scene.gateway.chat(scene.chatRequest())).rejects.toMatchObject({
      code: 'budget_used_up',
      details: { needed: 618 },
    })
  })

  test('reserves its maximum cost while it runs', async () => {
    const provider = provide('openai', 'gpt-4o-mini', { stream: () => say(text('Hi'), end(5, 5)) })
    await using scene = await openGatewayScene({ providers: [provider], prices: { openai: miniPrice } })
    const answer = await scene.gateway.chat(scene.chatRequest({ call: { maxTokens: 100 } }))
    // 21 × 0.15 + 100 × 0.60 = 63.15
    expect(await scene.spent()).toEqual({ spent: 0, reserved: 64 })
    await read(answer.parts)
    await answer.cost
    // 5 × 0.15 + 5 × 0.60 = 3.75
    expect(await scene.spent()).toEqual({ spent: 4, reserved: 0 })
  })

  test('is charged the reservation when a provider counts more', async () => {
    const provider = provide('openai', 'gpt-4o-mini', {
      stream: () => say(text('Hi'), end(1_000_000, 1_000_000)),
    })
    await using scene = await openGatewayScene({ providers: [provider], prices: { openai: miniPrice } })
    const answer = await scene.gateway.chat(scene.chatRequest({ call: { maxTokens: 100 } }))
    await read(answer.parts)
    expect(await answer.cost).toMatchObject({ microDollars: 64, outputTokens: 1_000_000 })
    expect(await scene.spent()).toEqual({ spent: 64, reserved: 0 })
  })

  test('is estimated when the provider does not count', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({
      providers: [openai.provider],
      prices: { openai: miniPrice },
    })
    openai.server.script({ steps: [{ text: 'Grüße' }], usage: null })
    const answer = await scene.gateway.chat(scene.chatRequest())
    await read(answer.parts)
    // 5 × 0.15 + 2 × 0.60 = 1.95
    expect(await answer.cost).toMatchObject({ inputTokens: 5, outputTokens: 2, microDollars: 2 })
    expect(await scene.calls()).toMatchObject([{ estimated: true, outcome: 'answered' }])
  })

  test('is refused when the daily budget cannot pay for it, and no provider is called', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({
      providers: [openai.provider],
      prices: { openai: miniPrice },
      microDollarsPerDay: 63,
    })
    const call = { maxTokens: 100 }
    await expect(scene.gateway.chat(scene.chatRequest({ call }))).rejects.toMatchObject({
      code: 'budget_used_up',
      status: 429,
      details: { needed: 64, limit: 63 },
    })
    expect(openai.server.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toEqual([])
    expect(await scene.calls()).toEqual([])
    await read((await scene.gateway.chat(scene.chatRequest({ call: { maxTokens: 99 } }))).parts)
  })
})

describe('a free or unpriced call', () => {
  test('sends no statement before it, and is recorded without a cost', async () => {
    const provider = provide('ollama', 'gemma3:4b', { stream: () => say(text('Hi'), end(5, 1)) })
    const builtin = provide('builtin', 'builtin:text', { stream: () => say(text('Hi'), end(5, 1)) })
    await using scene = await openGatewayScene({
      providers: [provider, builtin],
      prices: { builtin: { ...miniPrice, source: 'free' } },
      microDollarsPerDay: 0,
    })
    const before = scene.statements()
    const answers = [
      await scene.gateway.chat(scene.chatRequest({ call: { model: 'gemma3:4b' } })),
      await scene.gateway.chat(scene.chatRequest({ call: { model: 'builtin:text' } })),
    ]
    expect(scene.statements()).toBe(before)
    for (const { parts, cost } of answers) {
      await read(parts)
      await cost
    }
    expect(provider.asked).toMatchObject([{ model: 'gemma3:4b', maxTokens: undefined }])
    const calls = await scene.calls()
    expect(calls.toSorted((left, right) => (left.provider < right.provider ? -1 : 1))).toMatchObject([
      { provider: 'builtin', microDollars: 0, priceSource: 'free' },
      { provider: 'ollama', microDollars: null, priceSource: 'unpriced', priceVersion: null },
    ])
    const { kept, counted } = await compareDays(scene.database)
    expect(kept).toEqual(counted)
  })
})
