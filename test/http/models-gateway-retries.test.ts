import { describe, expect, test } from 'vitest'
import { ProviderFailure } from '../../src/models/providers/provider-failure.ts'
import { eventually } from '../support/eventually.ts'
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
import { startGatewayServer } from './models-gateway-server.ts'

const prices = { openai: miniPrice }

describe('retries', () => {
  test('a provider that is rate limited is called again, and the record has every attempt', async () => {
    await using openai = await startOpenAi()
    await using server = await startGatewayServer({
      providers: [openai.provider],
      environment: { MODEL_RETRIES: '2' },
    })
    openai.server.script({ status: 429, headers: { 'retry-after': '1' } }, { status: 503 })
    const body = { model: 'gpt-4o-mini', messages: [{ role: 'user', content: 'Why?' }] }
    const response = await server.post('/v1/chat/completions', body)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-model-attempts')).toBe('3')
    expect(await response.json()).toMatchObject({ choices: [{ message: { content: 'The sky is blue.' } }] })
    const path = `/api/v1/usage/calls/${response.headers.get('x-call-id')}`
    // A call is recorded when its response has been sent.
    await eventually(async () => (await server.get(path)).status === 200)
    const call = (await (await server.get(path)).json()) as {
      route: { started_ms: number }[]
    }
    expect(call).toMatchObject({
      attempts: 3,
      outcome: 'answered',
      route: [
        { model: 'gpt-4o-mini', outcome: 'failed', code: 'provider_rate_limited' },
        { model: 'gpt-4o-mini', outcome: 'failed', code: 'provider_unavailable' },
        { model: 'gpt-4o-mini', outcome: 'answered', code: null },
      ],
    })
    expect(call.route[1]?.started_ms).toBeGreaterThanOrEqual(999)
    const metrics = await (await fetch(`${server.metricsUrl}/metrics`)).text()
    expect(metrics).toContain('tutti_models_retries_total{provider="openai"} 2')
  })

  test('there are none unless they are set', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({ providers: [openai.provider] })
    openai.server.script({ status: 503 })
    await expect(scene.gateway.chat(scene.chatRequest())).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
    expect(await scene.calls()).toMatchObject([{ attempts: 1 }])
  })

  test('come before the next candidate, and each releases its reservation', async () => {
    await using openai = await startOpenAi()
    const anthropic = provide('anthropic', 'claude', { stream: () => say(text('claude'), end(5, 2)) })
    await using scene = await openGatewayScene({
      providers: [openai.provider, anthropic],
      prices,
      retries: 1,
    })
    openai.server.script({ status: 503 }, { status: 500 })
    const response = await scene.gateway.chat(scene.chatRequest({ fallback: ['claude'] }))
    expect(response).toMatchObject({ provider: 'anthropic', attempts: 3 })
    expect(await read(response.parts)).toBe('claude')
    await response.cost
    expect(await scene.calls()).toMatchObject([{ provider: 'anthropic', attempts: 3, outcome: 'answered' }])
    expect(await scene.spent()).toEqual({ spent: 0, reserved: 0 })
  })

  test('the last failure is reported once', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({ providers: [openai.provider], prices, retries: 2 })
    openai.server.script({ status: 503 }, { status: 503 }, { status: 429 })
    const failure = await scene.gateway.chat(scene.chatRequest()).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'provider_rate_limited' })
    expect(failure).not.toHaveProperty('details.others')
    expect(await scene.calls()).toMatchObject([
      { attempts: 3, outcome: 'failed', failureCode: 'provider_rate_limited' },
    ])
    expect(await scene.spent()).toEqual({ spent: 0, reserved: 0 })
  })

  test.each([{ status: 400 }, { status: 401 }, { status: 429, headers: { 'retry-after': '7' } }])(
    '%j is not retried',
    async (reply) => {
      await using openai = await startOpenAi()
      await using scene = await openGatewayScene({ providers: [openai.provider], retries: 3 })
      openai.server.script(reply)
      await expect(scene.gateway.chat(scene.chatRequest())).rejects.toThrow()
      expect(await scene.calls()).toMatchObject([{ attempts: 1 }])
    },
  )

  test('a timeout is not retried', async () => {
    await using openai = await startOpenAi({ firstPartMs: 50, stallMs: 10_000 })
    await using scene = await openGatewayScene({ providers: [openai.provider], retries: 3 })
    openai.server.script('hang')
    await expect(scene.gateway.chat(scene.chatRequest())).rejects.toMatchObject({ code: 'provider_timeout' })
    expect(await scene.calls()).toMatchObject([{ attempts: 1 }])
  })

  test('embeddings are retried, too', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({ providers: [openai.provider], retries: 1 })
    openai.server.script({ status: 503 })
    expect(await scene.gateway.embed(scene.embedRequest())).toMatchObject({ attempts: 2 })
  })

  test('during an outage the calls are not multiplied', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({ providers: [openai.provider], retries: 3 })
    openai.server.script(...Array.from({ length: 200 }, () => ({ status: 503 })))
    const calls = Array.from({ length: 50 }, () => scene.gateway.chat(scene.chatRequest()))
    const results = await Promise.allSettled(calls)
    expect(results.every(({ status }) => status === 'rejected')).toBe(true)
    const requests = openai.server.requests.filter(({ path }) => path.endsWith('/chat/completions')).length
    expect(requests).toBeGreaterThan(50)
    expect(requests).toBeLessThanOrEqual(60)
  })

  test('a caller that leaves during the pause ends the call', async () => {
    const leaving = new AbortController()
    const failure = new ProviderFailure({ kind: 'rate_limited', message: 'Later.', retryAfterSeconds: 2 })
    const openai = provide('openai', 'gpt-4o-mini', { stream: () => say(failure) })
    await using scene = await openGatewayScene({ providers: [openai], prices, retries: 1 })
    const call = scene.gateway.chat(scene.chatRequest({ signal: leaving.signal }))
    const outcome = expect(call).rejects.toThrow('gone')
    await eventually(async () =>
      (await scene.metrics.render()).includes('tutti_models_retries_total{provider="openai"} 1'),
    )
    // Counted in ticks, so that a machine that stands still does not count.
    let ticks = 0
    const clock = setInterval(() => {
      ticks += 1
    }, 50)
    leaving.abort(new Error('gone'))
    await outcome
    clearInterval(clock)
    expect(ticks * 50).toBeLessThan(1500)
    expect(openai.asked).toHaveLength(1)
    expect(await scene.calls()).toMatchObject([{ outcome: 'failed', failureCode: 'provider_rate_limited' }])
    expect(await scene.spent()).toEqual({ spent: 0, reserved: 0 })
  })
})
