import Anthropic, { PermissionDeniedError as AnthropicPermissionDenied } from '@anthropic-ai/sdk'
import OpenAI, { PermissionDeniedError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProviderFailure } from '../../src/models/providers/provider-failure.ts'
import { createPlayer, failingAfter, type Player } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'

let openai: Player
let node: Player
let server: GatewayServer
let replica: GatewayServer

beforeAll(async () => {
  openai = createPlayer({ models: ['violin', 'viola', 'embedder'] })
  node = createPlayer({ name: 'ollama', models: ['cello:latest', 'violin'] })
  const providers = [openai, node]
  server = await startGatewayServer({ providers, environment: { TUTTI_DEFAULT_MODEL: 'openai/violin' } })
  replica = await startGatewayServer({ providers, database: server.database })
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

interface LimitedKey {
  readonly key: string
  readonly id: string
  readonly change: (limits: object | null) => Promise<void>
}

/** A key with limits, whose owner also has a key without any. */
async function limitedKey(limits: object): Promise<LimitedKey> {
  const owner = await server.addKey()
  const made = await server.post('/api/v1/api-keys', { name: 'a test', limits }, { key: owner.key })
  expect(made.status).toBe(201)
  const { id, key } = (await made.json()) as { id: string; key: string }
  return {
    id,
    key,
    async change(wanted) {
      const headers = { authorization: `Bearer ${owner.key}`, 'content-type': 'application/json' }
      const body = JSON.stringify({ limits: wanted })
      const changed = await fetch(`${server.url}/api/v1/api-keys/${id}`, { method: 'PATCH', headers, body })
      expect(changed.status).toBe(200)
    },
  }
}

const messages = [{ role: 'user', content: 'Why?' }]
const calls = [
  ['/v1/chat/completions', { messages }],
  ['/v1/completions', { prompt: 'Why?' }],
  ['/v1/embeddings', { input: 'a' }],
  ['/v1/messages', { messages, max_tokens: 5 }],
  ['/api/v1/generate', { prompt: 'Why?', stream: false }],
  ['/api/v1/chat', { messages, stream: false }],
  ['/api/v1/embed', { input: 'a' }],
] as const

/** The error of a response in the format of its API. */
async function errorOf(response: Response): Promise<Record<string, unknown>> {
  const body = (await response.json()) as { type?: string; error: Record<string, unknown> }
  if (new URL(response.url).pathname === '/v1/messages') expect(body.type).toBe('error')
  return body.error
}

const callAuto = (key?: string) => server.post('/v1/chat/completions', { model: 'auto', messages }, { key })

describe('allowed models', () => {
  test.each(calls)('%s refuses a model outside the list, and calls one inside it', async (path, body) => {
    const { key } = await limitedKey({ models: ['openai/viol*'] })
    const before = openai.calls.length + openai.embedCalls.length
    const refused = await server.post(path, { model: 'cello', ...body }, { key })
    expect(refused.status).toBe(403)
    const error = await errorOf(refused)
    expect(error['message']).toContain('does not allow the model "cello"')
    if (path === '/v1/messages') expect(error['type']).toBe('permission_error')
    else expect(error['code']).toBe('model_not_allowed')
    if (path.startsWith('/v1/') && path !== '/v1/messages') {
      expect(error).toMatchObject({ type: 'permission_error', param: 'model' })
    }
    expect(openai.calls.length + openai.embedCalls.length).toBe(before)
    expect((await server.post(path, { model: 'viola', ...body }, { key })).status).toBe(200)
    // The node has a model of the same name, which the key does not allow.
    const answer = await server.post(path, { model: 'violin', ...body }, { key })
    expect(answer.headers.get('x-model-provider')).toBe('openai')
    expect((await server.post(path, { model: 'unknown', ...body }, { key })).status).toBe(404)
  })

  test('the official clients get their own errors', async () => {
    const { key } = await limitedKey({ models: ['viola'] })
    const ofOpenAi = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: key, maxRetries: 0 })
    await expect(
      ofOpenAi.chat.completions.create({ model: 'violin', messages: [{ role: 'user', content: 'Why?' }] }),
    ).rejects.toThrow(PermissionDeniedError)
    const anthropic = new Anthropic({ baseURL: server.url, apiKey: key, maxRetries: 0 })
    await expect(
      anthropic.messages.create({
        model: 'violin',
        max_tokens: 5,
        messages: [{ role: 'user', content: 'Why?' }],
      }),
    ).rejects.toThrow(AnthropicPermissionDenied)
  })

  test('the lists show only allowed models', async () => {
    const { key } = await limitedKey({ models: ['cello', 'openai/violin'] })
    const ids = async (path: string, as?: string) => {
      const body = (await (await server.get(path, { key: as })).json()) as { data: { id: string }[] }
      return body.data.map(({ id }) => id)
    }
    expect(await ids('/v1/models', key)).toEqual(['cello:latest', 'violin'])
    expect(await ids('/api/v1/models', key)).toEqual(['cello:latest', 'violin'])
    expect(await ids('/v1/models')).toEqual(['cello:latest', 'embedder', 'openai/violin', 'viola', 'violin'])
    expect((await server.get('/v1/models/violin', { key })).status).toBe(200)
    for (const hidden of ['viola', 'openai/viola', 'ollama/violin']) {
      expect((await server.get(`/v1/models/${hidden}`, { key })).status).toBe(404)
      expect((await server.get(`/v1/models/${hidden}`)).status).toBe(200)
    }
  })

  test('auto selects an allowed model, also when the default model is not allowed', async () => {
    expect((await callAuto()).headers.get('x-model-used')).toBe('violin')
    const { key, change } = await limitedKey({ models: ['ollama/*'] })
    const answer = await callAuto(key)
    expect(answer.headers.get('x-model-provider')).toBe('ollama')
    await change({ models: ['viola'] })
    const refused = await callAuto(key)
    expect([refused.status, (await errorOf(refused))['code']]).toEqual([403, 'model_not_allowed'])
  })

  test.each(['any', 'cello,viola', 'cello, auto, viola'])(
    'the fallback %s uses allowed models only',
    async (wanted) => {
      const { key } = await limitedKey({ models: ['openai/*'] })
      openai.script(failingAfter(new ProviderFailure({ kind: 'unavailable', message: 'Gone.' })))
      const before = node.calls.length
      const answer = await server.post(
        '/v1/chat/completions',
        { model: 'violin', messages },
        { key, headers: { 'x-model-fallback': wanted } },
      )
      expect(node.calls.length).toBe(before)
      if (wanted === 'any') expect(answer.status).toBe(502)
      else expect(answer.headers.get('x-model-used')).toBe('viola')
    },
  )

  test.each(['MODEL', 'models', 'Models'])('the field %s cannot name another model', async (field) => {
    const { key } = await limitedKey({ models: ['violin'] })
    const body = { model: 'violin', messages, [field]: ['viola'] }
    const refused = await server.post('/v1/chat/completions', body, { key })
    expect(refused.status).toBe(400)
    expect((await errorOf(refused))['param']).toBe(field)
  })
})

describe('requests per minute', () => {
  test.each(calls)('%s gives 429 with the headers of its API', async (path, body) => {
    const { key } = await limitedKey({ requests_per_minute: 1 })
    const send = () => server.post(path, { model: 'violin', ...body }, { key })
    const first = await send()
    expect(first.status).toBe(200)
    const second = await send()
    expect(second.status).toBe(429)
    expect(Number(second.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(second.headers.get('x-ratelimit-limit')).toBe('1')
    const error = await errorOf(second)
    expect(error['message']).toContain('1 requests per minute')
    if (path === '/v1/messages') {
      expect(error['type']).toBe('rate_limit_error')
      expect(first.headers.get('anthropic-ratelimit-requests-limit')).toBe('1')
      expect(second.headers.get('anthropic-ratelimit-requests-remaining')).toBe('0')
      expect(second.headers.get('anthropic-ratelimit-requests-reset')).toMatch(/Z$/)
      return
    }
    expect(first.headers.get('x-ratelimit-limit-requests')).toBe('1')
    expect(second.headers.get('x-ratelimit-remaining-requests')).toBe('0')
    expect(second.headers.get('x-ratelimit-reset-requests')).toMatch(/^\d+s$/)
    expect(error['code']).toBe(path.startsWith('/v1') ? 'rate_limit_exceeded' : 'rate_limited')
  })

  test('are counted by two replicas together, across APIs, and not for lists or invalid requests', async () => {
    const { key } = await limitedKey({ requests_per_minute: 3 })
    const chat = (on: GatewayServer) =>
      on.post('/v1/chat/completions', { model: 'violin', messages }, { key })
    expect((await server.post('/v1/chat/completions', { model: 'violin' }, { key })).status).toBe(400)
    expect((await server.get('/v1/models', { key })).status).toBe(200)
    expect((await chat(server)).status).toBe(200)
    expect((await chat(replica)).status).toBe(200)
    const embed = await replica.post('/api/v1/embed', { model: 'violin', input: 'a' }, { key })
    expect(embed.status).toBe(200)
    expect((await chat(server)).status).toBe(429)
    expect((await chat(replica)).status).toBe(429)
  })

  test('do not include a replayed response', async () => {
    const { key } = await limitedKey({ requests_per_minute: 1 })
    const send = () =>
      server.post(
        '/v1/chat/completions',
        { model: 'violin', messages },
        { key, headers: { 'idempotency-key': 'again' } },
      )
    expect((await send()).status).toBe(200)
    expect((await send()).status).toBe(200)
  })
})

describe('tokens per minute', () => {
  test.each(calls)('%s counts the tokens that were used', async (path, body) => {
    const used = path.includes('embed') ? 8 : 16
    const { key } = await limitedKey({ tokens_per_minute: used + 1 })
    const send = (on: GatewayServer) => on.post(path, { model: 'violin', ...body }, { key })
    const first = await send(server)
    expect(first.status).toBe(200)
    await first.text()
    const second = await send(server)
    expect(second.status).toBe(200)
    const name =
      path === '/v1/messages' ? 'anthropic-ratelimit-tokens-remaining' : 'x-ratelimit-remaining-tokens'
    expect(second.headers.get(name)).toBe('1')
    await second.text()
    const third = await send(server)
    expect(third.status).toBe(429)
    expect(Number(third.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(third.headers.get(name)).toBe('0')
    expect((await errorOf(third))['message']).toContain(`${used + 1} tokens per minute`)
    // The count is stored when the call ends; the other replica sees it then.
    await expect.poll(async () => (await send(replica)).status).toBe(429)
  })

  test('of a stream count when it ends', async () => {
    const { key } = await limitedKey({ tokens_per_minute: 16 })
    const body = { model: 'violin', messages, stream: true }
    const stream = await server.post('/v1/chat/completions', body, { key })
    expect(await stream.text()).toContain('[DONE]')
    expect((await server.post('/v1/chat/completions', body, { key })).status).toBe(429)
  })
})

test('a change applies to all replicas without a restart', async () => {
  const { key, change } = await limitedKey({ models: ['viola'], requests_per_minute: 1000 })
  const chat = async (on: GatewayServer) =>
    (await on.post('/v1/chat/completions', { model: 'violin', messages }, { key })).status
  expect([await chat(server), await chat(replica)]).toEqual([403, 403])
  await change({ models: ['viol*'] })
  expect(await chat(server)).toBe(200)
  await expect.poll(() => chat(replica)).toBe(200)
  await change({ requests_per_minute: 1 })
  expect(await chat(server)).toBe(429)
  await expect.poll(() => chat(replica)).toBe(429)
  await change(null)
  expect(await chat(server)).toBe(200)
  await expect.poll(() => chat(replica)).toBe(200)
})
