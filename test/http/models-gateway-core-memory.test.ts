import { describe, expect, test } from 'vitest'
import { ProviderFailure } from '../../src/models/providers/provider-failure.ts'
import { compareDays } from '../database/models-accounting-database.ts'
import {
  end,
  miniPrice,
  openGatewayScene,
  provide,
  read,
  readFirst,
  say,
  startOpenAi,
  text,
} from './models-gateway-core-scene.ts'

describe('a deterministic call', () => {
  test('is served from the cache the second time, free of charge, and recorded as such', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({
      providers: [openai.provider],
      prices: { openai: miniPrice },
    })
    const ask = () => scene.gateway.chat(scene.chatRequest({ call: { temperature: 0 } }))
    const first = await ask()
    expect(first.cache).toBe('miss')
    expect(await read(first.parts)).toBe('The sky is blue.')
    const { microDollars } = await first.cost
    const second = await ask()
    expect(second).toMatchObject({ cache: 'hit', provider: 'openai', model: 'gpt-4o-mini', attempts: 1 })
    expect(second.callId).not.toBe(first.callId)
    expect(await read(second.parts)).toBe('The sky is blue.')
    expect(await second.cost).toMatchObject({ microDollars: 0, inputTokens: 0, outputTokens: 0 })

    expect(openai.server.requests.filter(({ path }) => path.endsWith('/chat/completions'))).toHaveLength(1)
    expect(await scene.spent()).toEqual({ spent: microDollars, reserved: 0 })
    expect(await scene.calls()).toMatchObject([
      { cacheHit: false, microDollars },
      { cacheHit: true, microDollars: 0, outcome: 'answered' },
    ])
    const { kept, counted } = await compareDays(scene.database)
    expect(kept).toEqual(counted)
    const metrics = await scene.metrics.render()
    expect(metrics).toContain('tutti_models_cache_total{result="hit"} 1')
    expect(metrics).toContain('tutti_models_cache_total{result="miss"} 1')
  })

  test('is called again when the caller wants that, and by another account', async () => {
    let count = 0
    const provider = provide('builtin', 'builtin:text', { stream: () => say(text(`${++count}`), end(1, 1)) })
    await using scene = await openGatewayScene({ providers: [provider] })
    const ask = async (fields: Parameters<typeof scene.chatRequest>[0] = {}) => {
      const answer = await scene.gateway.chat(
        scene.chatRequest({ ...fields, call: { model: 'builtin:text' } }),
      )
      return `${await read(answer.parts)} ${answer.cache}`
    }
    expect(await ask()).toBe('1 miss')
    expect(await ask()).toBe('1 hit')
    expect(await ask({ cache: 'off' })).toBe('2 off')
    expect(await ask()).toBe('1 hit')
    expect(await ask({ cache: 'refresh' })).toBe('3 miss')
    expect(await ask()).toBe('3 hit')
    expect(await ask({ accountId: 'grace' })).toBe('4 miss')
  })

  test('is not cached when its response was truncated or aborted', async () => {
    const broken = new ProviderFailure({ kind: 'unavailable', message: 'It is gone.' })
    const streams = [() => say(text('half'), broken), () => say(text('whole'), text(' and sound'), end(1, 1))]
    const provider = provide('builtin', 'builtin:text', {
      stream: () => (streams.length > 1 ? streams.shift() : streams[0])?.() ?? say(),
    })
    await using scene = await openGatewayScene({ providers: [provider] })
    const ask = () => scene.gateway.chat(scene.chatRequest({ call: { model: 'builtin:text' } }))
    await expect(read((await ask()).parts)).rejects.toMatchObject({ code: 'answer_broke_off' })
    await readFirst((await ask()).parts)
    const third = await ask()
    expect(third.cache).toBe('miss')
    expect(await read(third.parts)).toBe('whole and sound')
    expect((await ask()).cache).toBe('hit')
  })

  test('is cached for the fallback candidate', async () => {
    const openai = provide('openai', 'gpt-4o-mini', {
      stream: () => say(new ProviderFailure({ kind: 'unavailable', message: 'It is gone.' })),
    })
    const builtin = provide('builtin', 'builtin:text', { stream: () => say(text('builtin'), end(1, 1)) })
    await using scene = await openGatewayScene({ providers: [openai, builtin] })
    await read((await scene.gateway.chat(scene.chatRequest({ call: { model: 'builtin:text' } }))).parts)
    const answer = await scene.gateway.chat(scene.chatRequest({ fallback: 'any' }))
    expect(answer).toMatchObject({ cache: 'hit', provider: 'builtin', attempts: 2 })
    expect(builtin.asked).toHaveLength(1)
  })
})

describe('embeddings', () => {
  test('are paid for by their input', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({
      providers: [openai.provider],
      prices: { openai: miniPrice },
    })
    openai.server.script({ usage: { input: 21, output: 0 } })
    const answer = await scene.gateway.embed(scene.embedRequest())
    expect(answer).toMatchObject({
      provider: 'openai',
      model: 'text-embedding-3-small',
      attempts: 1,
      cache: 'off',
      embeddings: { vectors: [expect.any(Array), expect.any(Array)], inputTokens: 21 },
      // 21 × 0.15 = 3.15
      cost: { microDollars: 4, inputTokens: 21, outputTokens: 0, firstTokenMs: null },
    })
    expect(await scene.spent()).toEqual({ spent: 4, reserved: 0 })
    expect(await scene.calls()).toMatchObject([
      { id: answer.callId, outcome: 'answered', firstTokenMs: null },
    ])
  })

  test('use the fallback candidate, or fail', async () => {
    await using openai = await startOpenAi()
    const ollama = provide('ollama', 'bge-m3', {
      stream: () => say(),
      embed: async ({ inputs }) => ({ vectors: inputs.map(() => [1, 2]), inputTokens: 4 }),
    })
    await using scene = await openGatewayScene({
      providers: [openai.provider, ollama],
      prices: { openai: miniPrice },
    })
    openai.server.script({ status: 503 }, { status: 503 })
    expect(await scene.gateway.embed(scene.embedRequest({ fallback: ['bge-m3'] }))).toMatchObject({
      provider: 'ollama',
      attempts: 2,
      cost: { microDollars: null },
    })
    await expect(scene.gateway.embed(scene.embedRequest())).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
    expect(await scene.spent()).toEqual({ spent: 0, reserved: 0 })
    expect(await scene.calls()).toMatchObject([
      { outcome: 'answered' },
      { outcome: 'failed', microDollars: 0 },
    ])
  })

  test('end when their caller disconnects', async () => {
    await using openai = await startOpenAi()
    await using scene = await openGatewayScene({
      providers: [openai.provider],
      prices: { openai: miniPrice },
    })
    openai.server.script('hang')
    const abort = new AbortController()
    const asking = scene.gateway.embed(scene.embedRequest({ signal: abort.signal }))
    const asked = await openai.server.nextRequest('/embeddings')
    abort.abort(new Error('gone'))
    await expect(asking).rejects.toThrow('gone')
    expect(await asked.closed).toBe(true)
    // 3 × 0.15 = 0.45
    await expect.poll(() => scene.spent()).toEqual({ spent: 1, reserved: 0 })
    expect(await scene.calls()).toMatchObject([{ outcome: 'cancelled', inputTokens: 3, estimated: true }])
  })
})
