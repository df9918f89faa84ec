import Anthropic, { RateLimitError as AnthropicRateLimit } from '@anthropic-ai/sdk'
import OpenAI, { RateLimitError } from 'openai'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { countKeyOf } from '../../src/kernel/limits/count-key.ts'
import { eventually } from '../support/eventually.ts'
import { createPlayer, endPart, type Play, type Player } from './models-gateway-player.ts'
import { type GatewayServer, type NewKey, startGatewayServer } from './models-gateway-server.ts'

let openai: Player
let node: Player
let server: GatewayServer
let replica: GatewayServer
let admin: NewKey

beforeAll(async () => {
  openai = createPlayer({ models: ['violin', 'viola', 'cello', 'embedder', 'flute', 'oboe', 'horn', 'harp'] })
  node = createPlayer({ name: 'ollama', models: ['drum'] })
  const providers = [openai, node]
  const environment = { MODEL_LIMIT_WAIT: '20s' }
  const dollar = { input: 1_000_000, cachedInput: 1_000_000, output: 1_000_000 }
  const harp = { source: 'override', version: '1', prices: dollar } as const
  server = await startGatewayServer({ providers, environment, prices: { harp } })
  replica = await startGatewayServer({
    providers,
    environment: { MODEL_LIMIT_WAIT: '50ms' },
    database: server.database,
  })
  admin = await server.addKey({ roles: ['administrator'] })
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

const headers = () => ({ authorization: `Bearer ${admin.key}`, 'content-type': 'application/json' })
const urlOf = (name: string) => `${server.url}/api/v1/model-limits/${name}`
const setLimit = (name: string, limits: object) =>
  fetch(urlOf(name), { method: 'PUT', headers: headers(), body: JSON.stringify(limits) })
const removeLimit = (name: string) =>
  fetch(urlOf(name), { method: 'DELETE', headers: { authorization: headers().authorization } })

async function limit(name: string, limits: object): Promise<void> {
  expect((await setLimit(name, limits)).status).toBe(200)
}

/** The limits in the order of their names. */
async function listLimits(asked = server): Promise<{ provider: string; model: string }[]> {
  const response = await asked.get('/api/v1/model-limits', { key: admin.key })
  return ((await response.json()) as { data: { provider: string; model: string }[] }).data
}

afterEach(async () => {
  for (const { provider, model } of await listLimits()) {
    await removeLimit(`${provider}/${encodeURIComponent(model)}`)
  }
  await eventually(async () => (await listLimits(replica)).length === 0)
})

const messages = [{ role: 'user' as const, content: 'Why?' }]
interface AskOptions {
  readonly key?: string
  readonly asked?: GatewayServer
  readonly fallback?: string
  readonly signal?: AbortSignal
}
const ask = (model: string, { asked = server, fallback, ...options }: AskOptions = {}) =>
  asked.post(
    '/v1/chat/completions',
    { model, messages },
    { ...options, ...(fallback !== undefined && { headers: { 'x-model-fallback': fallback } }) },
  )

/** Responses that end when the test says so. */
function heldResponses(player: Player, count: number) {
  const started: (() => void)[] = []
  const play: Play = async function* (_call, signal) {
    const { promise, resolve } = Promise.withResolvers<void>()
    started.push(resolve)
    signal.addEventListener('abort', () => resolve(), { once: true })
    await promise
    yield { type: 'text', text: 'done' }
    yield endPart
  }
  player.script(...Array.from({ length: count }, () => play))
  return { started, releaseNext: () => started.shift()?.() }
}

async function metricOf(name: string): Promise<string> {
  const text = await (await fetch(`${server.metricsUrl}/metrics`)).text()
  return text.split('\n').find((line) => line.startsWith(name)) ?? ''
}

const waitingCalls = async () => Number((await metricOf('tutti_models_limit_waiting')).split(' ')[1])

/** The money that is reserved for running calls. */
async function reserved(): Promise<number | undefined> {
  const budget = (await (await server.get('/api/v1/usage/budget')).json()) as Record<string, number>
  return budget['reserved_micro_dollars']
}

describe('the limits of models', () => {
  test('are set, listed, used by all replicas and deleted, with audit events', async () => {
    const set = await setLimit('openai/*', { max_concurrent: 4, tokens_per_minute: 90_000 })
    expect(set.status).toBe(200)
    const stored = {
      provider: 'openai',
      model: '*',
      max_concurrent: 4,
      requests_per_minute: null,
      tokens_per_minute: 90_000,
      updated_at: expect.any(String),
      updated_by: admin.accountId,
    }
    expect(await set.json()).toEqual(stored)
    await limit('ollama/hf.co%2Fnadia%2Ftuned', { requests_per_minute: 5 })
    await eventually(async () => (await listLimits(replica)).length === 2)
    expect(await listLimits(replica)).toMatchObject([
      { provider: 'ollama', model: 'hf.co/nadia/tuned', requests_per_minute: 5 },
      stored,
    ])
    expect((await removeLimit('openai/*')).status).toBe(204)
    const missing = await removeLimit('openai/*')
    expect(missing.status).toBe(404)
    expect(await missing.text()).toContain('There are no limits for all models of openai together')
    const events = await server.database.query<{ type: string; data: object }>(
      "select type, data from kernel_events where subject = 'openai/*' order by id desc limit 2",
    )
    const by = expect.objectContaining({ by: admin.accountId, ip: '127.0.0.1' })
    expect(events).toEqual([
      { type: 'models.limit_removed', data: by },
      { type: 'models.limit_set', data: by },
    ])
    expect(events[1]?.data).toMatchObject({ max_concurrent: 4, requests_per_minute: null })
  })

  test.each([
    ['openai/violin', {}, 'max_concurrent'],
    ['openai/violin', { max_concurrent: null }, 'use DELETE'],
    ['openai/violin', { max_concurrent: 0 }, 'max_concurrent'],
    ['openai/violin', { max_concurrent: 1.5 }, 'max_concurrent'],
    ['openai/violin', { tokens_per_minute: 2_000_000_000 }, 'tokens_per_minute'],
    ['openai/violin', { max_calls: 4 }, 'max_calls'],
  ])('%s %j is refused', async (name, given, mention) => {
    const refused = await setLimit(name, given)
    expect(refused.status).toBe(400)
    expect(await refused.text()).toContain(mention)
  })

  test('need a provider and the permission of an operator', async () => {
    const unknown = await setLimit('nowhere/violin', { max_concurrent: 1 })
    expect(unknown.status).toBe(404)
    expect(await unknown.text()).toContain('Limits can be set for ollama, openai')
    expect((await server.get('/api/v1/model-limits')).status).toBe(403)
  })

  test('are bounded in number', async () => {
    await server.database.query(
      `insert into model_limits (provider, model, max_concurrent)
       select 'openai', 'model ' || number, 1 from generate_series(1, 1000) as number`,
    )
    const refused = await setLimit('openai/one-more', { max_concurrent: 1 })
    expect(refused.status).toBe(409)
    expect(await refused.text()).toContain('already limits for 1000 models')
    expect((await setLimit('openai/model%201', { max_concurrent: 2 })).status).toBe(200)
    await server.database.query("delete from model_limits where model <> 'model 1'")
    await limit('openai/model%201', { max_concurrent: 3 })
  })
})

describe('concurrent calls', () => {
  test('of ten, the provider never sees more than two', async () => {
    await limit('openai/violin', { max_concurrent: 2 })
    const { started, releaseNext } = heldResponses(openai, 10)
    const responses = Array.from({ length: 10 }, () => ask('violin'))
    let peak = 0
    for (let ended = 0; ended < 10; ended += 1) {
      await eventually(() => started.length > 0)
      if (ended < 8) await eventually(() => started.length === 2)
      peak = Math.max(peak, openai.playing())
      releaseNext()
    }
    expect((await Promise.all(responses)).map(({ status }) => status)).toEqual(Array(10).fill(200))
    expect(peak).toBe(2)
    expect(await waitingCalls()).toBe(0)
    expect(openai.playing()).toBe(0)
  })

  test('of two accounts take turns', async () => {
    await limit('openai/*', { max_concurrent: 1 })
    const other = await server.addKey()
    const { started, releaseNext } = heldResponses(openai, 7)
    const ended: string[] = []
    const call = async (name: string, key: string) => {
      expect((await ask('violin', { key })).status).toBe(200)
      ended.push(name)
    }
    const all = [call('ada', server.key)]
    await eventually(() => started.length === 1)
    for (let index = 0; index < 4; index += 1) all.push(call('ada', server.key))
    await eventually(async () => (await waitingCalls()) === 4)
    for (let index = 0; index < 2; index += 1) all.push(call('bob', other.key))
    await eventually(async () => (await waitingCalls()) === 6)
    for (let index = 1; index <= 7; index += 1) {
      await eventually(() => started.length === 1)
      releaseNext()
      await eventually(() => ended.length === index)
    }
    await Promise.all(all)
    expect(ended).toEqual(['ada', 'ada', 'bob', 'ada', 'bob', 'ada', 'ada'])
  })

  test('a caller that disconnects while it waits leaves the queue and never reaches the provider', async () => {
    await limit('openai/violin', { max_concurrent: 1 })
    const { started, releaseNext } = heldResponses(openai, 2)
    const first = ask('violin')
    await eventually(() => started.length === 1)
    const before = openai.calls.length
    const leaving = new AbortController()
    const left = ask('violin', { signal: leaving.signal })
    await eventually(async () => (await waitingCalls()) === 1)
    leaving.abort()
    await expect(left).rejects.toThrow('abort')
    await eventually(async () => (await waitingCalls()) === 0)
    releaseNext()
    expect((await first).status).toBe(200)
    expect(openai.calls.length).toBe(before)
    const second = ask('violin')
    await eventually(() => started.length === 1)
    releaseNext()
    expect((await second).status).toBe(200)
  })

  test('a stream that the caller leaves frees its slot', async () => {
    await limit('openai/violin', { max_concurrent: 1 })
    openai.script(async function* (_call, signal) {
      yield { type: 'text', text: 'one' }
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
      throw signal.reason
    })
    const leaving = new AbortController()
    const stream = await server.post(
      '/v1/chat/completions',
      { model: 'violin', messages, stream: true },
      { signal: leaving.signal },
    )
    expect(stream.status).toBe(200)
    leaving.abort()
    expect((await ask('violin')).status).toBe(200)
  })

  test('after the wait, a call is refused with the error of each API', async () => {
    await limit('openai/violin', { max_concurrent: 1 })
    await eventually(async () => (await listLimits(replica)).length === 1)
    const { started, releaseNext } = heldResponses(openai, 1)
    const first = ask('violin', { asked: replica })
    await eventually(() => started.length === 1)
    const refused = await ask('violin', { asked: replica })
    expect(refused.status).toBe(429)
    expect(refused.headers.get('retry-after')).toBe('1')
    expect(await refused.json()).toMatchObject({
      error: {
        type: 'rate_limit_error',
        code: 'model_limit_reached',
        message:
          'The limit of the model "violin" of openai, 1 concurrent call, is reached, and no call has ended in time. Try again in 1 second.',
      },
    })
    const plain = await replica.post('/api/v1/chat', { model: 'violin', messages, stream: false })
    expect(plain.status).toBe(429)
    expect(await plain.json()).toMatchObject({ error: { code: 'model_limit_reached' } })
    const embedding = await replica.post('/v1/embeddings', { model: 'violin', input: 'a' })
    expect(embedding.status).toBe(429)
    const client = new OpenAI({ baseURL: `${replica.url}/v1`, apiKey: server.key, maxRetries: 0 })
    await expect(client.chat.completions.create({ model: 'violin', messages })).rejects.toThrow(
      RateLimitError,
    )
    const anthropic = new Anthropic({ baseURL: replica.url, apiKey: server.key, maxRetries: 0 })
    await expect(anthropic.messages.create({ model: 'violin', max_tokens: 5, messages })).rejects.toThrow(
      AnthropicRateLimit,
    )
    releaseNext()
    expect((await first).status).toBe(200)
  })

  test('a call at the limit goes to its next candidate at once, and its record says so', async () => {
    await limit('openai/violin', { max_concurrent: 1 })
    const { started, releaseNext } = heldResponses(openai, 1)
    const first = ask('violin')
    await eventually(() => started.length === 1)
    const response = await ask('violin', { fallback: 'drum' })
    expect(response.status).toBe(200)
    expect(response.headers.get('x-model-used')).toBe('drum')
    expect(response.headers.get('x-model-attempts')).toBe('1')
    const path = `/api/v1/usage/calls/${response.headers.get('x-call-id')}`
    // A call is recorded when its response has been sent.
    await eventually(async () => (await server.get(path)).status === 200)
    expect(await (await server.get(path)).json()).toMatchObject({
      provider: 'ollama',
      route: [
        { model: 'violin', outcome: 'skipped', code: 'model_limit_reached', started_ms: null },
        { model: 'drum', outcome: 'answered', code: null },
      ],
    })
    expect(await metricOf('tutti_models_limit_refusals_total{provider="openai",limit="concurrent"}')).toMatch(
      / [1-9]\d*$/,
    )
    releaseNext()
    expect((await first).status).toBe(200)
  })

  test('a waiting call reserves no money, and a call that the budget refuses keeps no slot', async () => {
    await limit('openai/harp', { max_concurrent: 1 })
    const { started, releaseNext } = heldResponses(openai, 2)
    const first = ask('harp')
    await eventually(() => started.length === 1)
    const ofOne = await reserved()
    expect(ofOne).toBeGreaterThan(0)
    const second = ask('harp')
    await eventually(async () => (await waitingCalls()) === 1)
    expect(await reserved()).toBe(ofOne)
    releaseNext()
    await eventually(() => started.length === 1)
    releaseNext()
    expect([(await first).status, (await second).status]).toEqual([200, 200])
    const huge = { model: 'harp', messages, max_tokens: 1_000_000_000 }
    for (let call = 0; call < 2; call += 1) {
      const refused = await server.post('/v1/chat/completions', huge)
      expect(await refused.json()).toMatchObject({ error: { code: 'insufficient_quota' } })
    }
    expect((await ask('harp')).status).toBe(200)
  })

  test('a removed limit admits the waiting calls', async () => {
    await limit('openai/violin', { max_concurrent: 1 })
    const { started, releaseNext } = heldResponses(openai, 3)
    const all = [ask('violin'), ask('violin'), ask('violin')]
    await eventually(async () => (await waitingCalls()) === 2)
    await removeLimit('openai/violin')
    await eventually(() => started.length === 3)
    for (let call = 0; call < all.length; call += 1) releaseNext()
    expect((await Promise.all(all)).map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

describe('rates', () => {
  test('requests are counted by all replicas, and a refusal does not wait', async () => {
    await limit('openai/flute', { requests_per_minute: 6, max_concurrent: 50 })
    await eventually(async () => (await listLimits(replica)).length === 1)
    const before = openai.calls.length
    const responses = await Promise.all(
      Array.from({ length: 20 }, (_unused, index) =>
        ask('flute', { asked: index % 2 === 0 ? server : replica }),
      ),
    )
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(6)
    expect(openai.calls.length - before).toBe(6)
    const refused = await ask('flute')
    expect(refused.status).toBe(429)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(1)
    expect(await refused.json()).toMatchObject({
      error: {
        code: 'model_limit_reached',
        message: expect.stringContaining('"flute" of openai, 6 requests per minute, is used up'),
      },
    })
    expect((await ask('flute', { fallback: 'drum' })).headers.get('x-model-used')).toBe('drum')
    await limit('openai/flute', { requests_per_minute: 8 })
    expect((await ask('flute')).status).toBe(200)
  })

  test('tokens count when a call has ended, over all models of the provider', async () => {
    await limit('openai/*', { tokens_per_minute: 20 })
    await eventually(async () => (await listLimits(replica)).length === 1)
    // Each call uses 16 tokens.
    expect((await ask('oboe')).status).toBe(200)
    expect((await ask('horn', { asked: replica })).status).toBe(200)
    // A replica stores the tokens of a call when it has ended.
    await eventually(async () => {
      const [count] = await server.database.query<{ used: number }>(
        'select used from kernel_limits where key = $1',
        [countKeyOf('60 model-tokens openai/*')],
      )
      return count?.used === 32
    })
    const refused = await ask('oboe')
    expect(refused.status).toBe(429)
    expect(await refused.text()).toContain('the provider openai, 20 tokens per minute, is used up')
    const other = await replica.post('/v1/embeddings', { model: 'embedder', input: 'a' })
    expect(other.status).toBe(429)
    expect((await ask('drum')).status).toBe(200)
  })
})
