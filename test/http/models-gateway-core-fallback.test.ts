import { describe, expect, test } from 'vitest'
import { ProviderFailure, type ProviderFailureKind } from '../../src/models/providers/provider-failure.ts'
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

const fails = (kind: ProviderFailureKind) => () =>
  say(new ProviderFailure({ kind, message: `It failed: ${kind}.`, retryAfterSeconds: 7 }))
const answers = (words: string) => () => say(text(words), end(5, 2))

describe('provider fallback', () => {
  test('does not happen unless the caller allows it', async () => {
    await using openai = await startOpenAi()
    const builtin = provide('builtin', 'builtin:text', { stream: answers('builtin') })
    await using scene = await openGatewayScene({
      providers: [openai.provider, builtin],
      prices: { openai: miniPrice },
    })
    openai.server.script({ status: 429, headers: { 'retry-after': '7' } })
    await expect(scene.gateway.chat(scene.chatRequest())).rejects.toMatchObject({
      code: 'provider_rate_limited',
      status: 429,
      retryAfterSeconds: 7,
    })
    expect(builtin.asked).toEqual([])
    expect(await scene.spent()).toEqual({ spent: 0, reserved: 0 })
    expect(await scene.calls()).toMatchObject([
      {
        provider: 'openai',
        outcome: 'failed',
        failureCode: 'provider_rate_limited',
        microDollars: 0,
        attempts: 1,
      },
    ])
  })

  test.each([
    { status: 429 },
    { status: 500 },
    { status: 503 },
    { status: 401 },
    { status: 402 },
    { status: 404 },
    'cut' as const,
  ])('calls the next candidate after %j', async (reply) => {
    await using openai = await startOpenAi()
    const builtin = provide('builtin', 'builtin:text', { stream: answers('builtin') })
    await using scene = await openGatewayScene({
      providers: [openai.provider, builtin],
      prices: { openai: miniPrice },
    })
    openai.server.script(reply)
    const answer = await scene.gateway.chat(scene.chatRequest({ fallback: 'any' }))
    expect(answer).toMatchObject({ provider: 'builtin', model: 'builtin:text', attempts: 2 })
    expect(await read(answer.parts)).toBe('builtin')
    await answer.cost
    const calls = await scene.calls()
    expect(calls.at(-1)).toMatchObject({
      id: answer.callId,
      provider: 'builtin',
      requestedModel: 'gpt-4o-mini',
      attempts: 2,
      outcome: 'answered',
    })
    expect((await scene.spent()).reserved).toBe(0)
    const metrics = await scene.metrics.render()
    expect(metrics).toContain('tutti_models_fallbacks_total{provider="builtin"} 1')
    expect(metrics).toMatch(/tutti_models_attempt_failures_total\{provider="openai",kind="\w+"\} 1/)
  })

  test.each(['refused', 'unsupported'] as const)(
    'does not happen for an invalid request: %s',
    async (kind) => {
      const openai = provide('openai', 'gpt-4o-mini', { stream: fails(kind) })
      const builtin = provide('builtin', 'builtin:text', { stream: answers('builtin') })
      await using scene = await openGatewayScene({ providers: [openai, builtin] })
      await expect(scene.gateway.chat(scene.chatRequest({ fallback: 'any' }))).rejects.toMatchObject({
        status: 400,
        message: `It failed: ${kind}.`,
      })
      expect(builtin.asked).toEqual([])
    },
  )

  test('does not happen after the first word', async () => {
    const broken = new ProviderFailure({ kind: 'unavailable', message: 'It is gone.' })
    const openai = provide('openai', 'gpt-4o-mini', { stream: () => say(text('Hi'), broken) })
    const builtin = provide('builtin', 'builtin:text', { stream: answers('builtin') })
    await using scene = await openGatewayScene({ providers: [openai, builtin] })
    const answer = await scene.gateway.chat(scene.chatRequest({ fallback: 'any' }))
    await expect(read(answer.parts)).rejects.toMatchObject({ code: 'answer_broke_off' })
    expect(builtin.asked).toEqual([])
  })

  test('uses the released reservation of the previous one', async () => {
    const openai = provide('openai', 'gpt-4o-mini', { stream: fails('unavailable') })
    const anthropic = provide('anthropic', 'claude', { stream: answers('claude') })
    await using scene = await openGatewayScene({
      providers: [openai, anthropic],
      prices: { openai: miniPrice, anthropic: miniPrice },
      // Enough for one of them at a time.
      microDollarsPerDay: 64,
    })
    const request = scene.chatRequest({ fallback: ['claude'], call: { maxTokens: 100 } })
    const answer = await scene.gateway.chat(request)
    await read(answer.parts)
    // 5 × 0.15 + 2 × 0.60 = 1.95
    expect(await answer.cost).toMatchObject({ microDollars: 2 })
    expect(await scene.calls()).toMatchObject([{ provider: 'anthropic', attempts: 2, outcome: 'answered' }])
    expect(await scene.spent()).toEqual({ spent: 2, reserved: 0 })
  })

  test('keeps the possible cost of the previous one', async () => {
    await using openai = await startOpenAi({ firstPartMs: 1000, stallMs: 10_000 })
    const anthropic = provide('anthropic', 'claude', { stream: answers('claude') })
    await using scene = await openGatewayScene({
      providers: [openai.provider, anthropic],
      prices: { openai: miniPrice, anthropic: miniPrice },
    })
    openai.server.script('hang')
    const answer = await scene.gateway.chat(scene.chatRequest({ fallback: ['claude'] }))
    await read(answer.parts)
    await answer.cost
    expect(await scene.calls()).toMatchObject([
      { id: answer.callId, provider: 'anthropic', attempts: 2, outcome: 'answered', microDollars: 2 },
      { provider: 'openai', attempts: 1, failureCode: 'provider_timeout', microDollars: 1, estimated: true },
    ])
    expect(await scene.spent()).toEqual({ spent: 3, reserved: 0 })
  })

  test('picks a candidate that the budget can pay for', async () => {
    const openai = provide('openai', 'gpt-4o-mini', { stream: answers('openai') })
    const builtin = provide('builtin', 'builtin:text', { stream: answers('builtin') })
    await using scene = await openGatewayScene({
      providers: [openai, builtin],
      prices: { openai: miniPrice },
      microDollarsPerDay: 10,
    })
    const answer = await scene.gateway.chat(scene.chatRequest({ fallback: 'any' }))
    expect(answer).toMatchObject({ provider: 'builtin', attempts: 1 })
    expect(openai.asked).toEqual([])
    expect(await scene.metrics.render()).toContain('tutti_models_refusals_total{reason="budget_used_up"} 1')
  })

  test('keeps one record when no candidate responds, and the error names the requested model', async () => {
    const openai = provide('openai', 'gpt-4o-mini', { stream: fails('rate_limited') })
    const anthropic = provide('anthropic', 'claude', { stream: fails('unavailable') })
    const builtin = provide('builtin', 'builtin:text', { stream: fails('timeout') })
    await using scene = await openGatewayScene({ providers: [openai, anthropic, builtin] })
    const fallback = ['claude', 'builtin:text']
    await expect(scene.gateway.chat(scene.chatRequest({ fallback }))).rejects.toMatchObject({
      code: 'provider_rate_limited',
      message: 'It failed: rate_limited.',
      retryAfterSeconds: 7,
      details: {
        provider: 'openai',
        others: [
          { provider: 'anthropic', model: 'claude', code: 'provider_unavailable' },
          { provider: 'builtin', model: 'builtin:text', code: 'provider_timeout' },
        ],
      },
    })
    expect(await scene.calls()).toMatchObject([
      { provider: 'builtin', requestedModel: 'gpt-4o-mini', attempts: 3, failureCode: 'provider_timeout' },
    ])
  })

  test('keeps the record of the called one when the rest are too expensive', async () => {
    const ollama = provide('ollama', 'gemma3:4b', { stream: fails('unavailable') })
    const openai = provide('openai', 'gpt-4o-mini', { stream: answers('openai') })
    await using scene = await openGatewayScene({
      providers: [ollama, openai],
      prices: { openai: miniPrice },
      microDollarsPerDay: 10,
    })
    const request = scene.chatRequest({ fallback: ['gpt-4o-mini'], call: { model: 'gemma3:4b' } })
    await expect(scene.gateway.chat(request)).rejects.toMatchObject({ code: 'provider_unavailable' })
    expect(await scene.calls()).toMatchObject([{ provider: 'ollama', outcome: 'failed', attempts: 1 }])
  })

  test('reports an internal error as an unavailable provider, without its detail', async () => {
    const openai = provide('openai', 'gpt-4o-mini', { stream: () => say(new TypeError('secret detail')) })
    await using scene = await openGatewayScene({ providers: [openai] })
    await expect(scene.gateway.chat(scene.chatRequest())).rejects.toMatchObject({
      code: 'provider_unavailable',
      message: expect.not.stringContaining('secret'),
    })
  })
})

describe('an unknown model', () => {
  test('is reported, and not recorded', async () => {
    const openai = provide('openai', 'gpt-4o-mini', { stream: answers('openai') })
    await using scene = await openGatewayScene({ providers: [openai] })
    await expect(scene.gateway.chat(scene.chatRequest({ call: { model: 'gpt-9' } }))).rejects.toMatchObject({
      code: 'model_not_found',
      status: 404,
      message: 'The model "gpt-9" was not found.',
    })
    expect(await scene.calls()).toEqual([])
  })
})

describe('a request that is nested too deeply', () => {
  test('is refused', async () => {
    const openai = provide('openai', 'gpt-4o-mini', { stream: answers('openai') })
    await using scene = await openGatewayScene({ providers: [openai], prices: { openai: miniPrice } })
    const schema = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as Record<string, unknown>
    await expect(
      scene.gateway.chat(scene.chatRequest({ call: { format: { schema }, temperature: 0 } })),
    ).rejects.toMatchObject({ code: 'invalid_input', status: 400 })
  })
})
