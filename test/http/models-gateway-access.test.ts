import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { ModelPrice } from '../../src/models/prices/price.ts'
import { eventually } from '../support/eventually.ts'
import { createPlayer, endPart, type Player } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'

const dollar = 1_000_000
/** A dollar for a million tokens in, two for as many out. */
const gold: ModelPrice = {
  source: 'override',
  prices: { input: dollar, cachedInput: dollar / 2, output: 2 * dollar },
  version: '1',
}

let player: Player
let server: GatewayServer

beforeAll(async () => {
  player = createPlayer({ models: ['violin', 'stradivari'] })
  server = await startGatewayServer({
    providers: [player],
    prices: { stradivari: gold },
    environment: { MODEL_BODY_LIMIT: String(2 * 1024 * 1024) },
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const messages = [{ role: 'user', content: 'Why?' }]
const chat = (body: object, key?: string) =>
  server.post('/v1/chat/completions', { model: 'violin', messages, ...body }, { key })
const generate = (body: object, key?: string) =>
  server.post('/api/v1/generate', { model: 'violin', prompt: 'Why?', stream: false, ...body }, { key })

const posts = [
  ['/v1/chat/completions', { model: 'violin', messages }],
  ['/v1/completions', { model: 'violin', prompt: 'Why?' }],
  ['/v1/embeddings', { model: 'violin', input: 'a' }],
  ['/api/v1/generate', { model: 'violin', stream: false }],
  ['/api/v1/chat', { model: 'violin', messages, stream: false }],
  ['/api/v1/embed', { model: 'violin', input: 'a' }],
] as const

/** Checks the format of an error and returns its code. */
async function codeOf(answer: Response): Promise<string> {
  const body = (await answer.json()) as { error: { code: string } }
  if (!new URL(answer.url).pathname.startsWith('/v1')) {
    expect(body).toMatchObject({ error: { code: expect.any(String), message: expect.any(String) } })
    return body.error.code
  }
  expect(body).toEqual({
    error: {
      message: expect.any(String),
      type: expect.any(String),
      param: expect.toSatisfy((param: unknown) => param === null || typeof param === 'string'),
      code: expect.any(String),
    },
  })
  return body.error.code
}

describe('access', () => {
  test.each(posts)('%s requires the scope models.generate', async (path, body) => {
    const { key } = await server.addKey({ scopes: ['models.generate'] })
    expect((await server.post(path, body, { key })).status).toBe(200)
    const reader = await server.addKey({ scopes: ['models.read'] })
    const refused = await server.post(path, body, { key: reader.key })
    expect(refused.status).toBe(403)
    expect(refused.headers.get('www-authenticate')).toContain('scope="models.generate"')
    expect(await codeOf(refused)).toBe('insufficient_scope')
  })

  test.each(posts)('%s requires a valid credential', async (path, body) => {
    const wrong = await server.post(path, body, { key: 'tk_nobody' })
    expect(wrong.status).toBe(401)
    expect(wrong.headers.get('www-authenticate')).toContain('Bearer')
    expect(await codeOf(wrong)).toBe('invalid_api_key')
    const none = await fetch(`${server.url}${path}`, { method: 'POST', body: '{}' })
    expect(none.status).toBe(401)
    expect(await codeOf(none)).toBe('authentication_required')
  })

  test.each(['/v1/models', '/v1/models/violin'])('%s accepts either scope of models', async (path) => {
    for (const scopes of [['models.read'], ['models.generate'], undefined]) {
      const { key } = await server.addKey(scopes === undefined ? {} : { scopes })
      expect((await server.get(path, { key })).status).toBe(200)
    }
    const { key } = await server.addKey({ scopes: ['workflows.run'] })
    const refused = await server.get(path, { key })
    expect(refused.status).toBe(403)
    expect(await codeOf(refused)).toBe('insufficient_scope')
    expect((await fetch(`${server.url}${path}`)).status).toBe(401)
  })
})

describe('rate limits', () => {
  test('are those of the tier, over all endpoints', async () => {
    const { key } = await server.addKey({ tier: 'basic' })
    for (let round = 0; round < 50; round += 1) {
      expect((await chat({}, key)).status).toBe(200)
      expect((await generate({}, key)).status).toBe(200)
    }
    for (const answer of [await chat({}, key), await chat({ stream: true }, key)]) {
      expect(answer.status).toBe(429)
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.headers.get('x-ratelimit-remaining')).toBe('0')
      expect(await answer.json()).toMatchObject({
        error: { type: 'rate_limit_error', param: null, code: 'rate_limit_exceeded' },
      })
    }
    const native = await generate({}, key)
    expect(native.status).toBe(429)
    expect(Number(native.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await codeOf(native)).toBe('rate_limited')
    // Reads do not count as calls.
    expect((await server.get('/v1/models', { key })).status).toBe(200)
  })
})

const budgetOf = async (key: string) =>
  (await (await server.get('/api/v1/usage/budget', { key })).json()) as Record<string, number>

describe('budgets', () => {
  test('are those of the tier, to the micro-dollar', async () => {
    const { key } = await server.addKey({ tier: 'basic' })
    player.script(async function* () {
      yield { ...endPart, usage: { inputTokens: 1000, cachedInputTokens: 400, outputTokens: 50 } }
    })
    const text = 'x'.repeat(2000)
    await (
      await chat({ model: 'stradivari', messages: [{ role: 'user', content: text }], max_tokens: 100 }, key)
    ).text()
    // 600 at a dollar, 400 at half a dollar, 50 at two dollars the million.
    await eventually(async () => (await budgetOf(key))['spent_micro_dollars'] === 900)
    expect(await budgetOf(key)).toMatchObject({
      limit_micro_dollars: dollar,
      spent_micro_dollars: 900,
      reserved_micro_dollars: 0,
      left_micro_dollars: dollar - 900,
      day: new Date().toISOString().slice(0, 10),
    })
  })

  test('refuse a call that could cost more than is left, and clients do not retry', async () => {
    const { key } = await server.addKey({ tier: 'basic' })
    const answer = await chat({ model: 'stradivari', max_tokens: 600_000 }, key)
    expect(answer.status).toBe(429)
    expect(answer.headers.get('x-should-retry')).toBe('false')
    expect(await answer.json()).toMatchObject({
      error: { type: 'insufficient_quota', param: null, code: 'insufficient_quota' },
    })
    const native = await generate({ model: 'stradivari', options: { num_predict: 600_000 } }, key)
    expect(native.status).toBe(429)
    expect(await codeOf(native)).toBe('budget_used_up')
    expect((await chat({ model: 'stradivari', max_tokens: 100 }, key)).status).toBe(200)
  })
})

describe('invalid calls', () => {
  const json = { 'content-type': 'application/json' }
  const big = JSON.stringify({ model: 'violin', prompt: 'x'.repeat(2 * 1024 * 1024) })

  test.each([
    ['POST', '/v1/nowhere', { headers: json, body: '{}' }, 404, 'unknown_url'],
    ['GET', '/v1', {}, 404, 'unknown_url'],
    ['GET', '/v1/', {}, 404, 'unknown_url'],
    ['GET', '/v1/chat/completions', {}, 405, 'method_not_allowed'],
    ['DELETE', '/v1/models/violin', {}, 405, 'method_not_allowed'],
    ['GET', '/v1/models/%ff', {}, 400, 'invalid_request'],
    ['POST', '/v1/chat/completions', { headers: json, body: '{"model":' }, 400, 'invalid_json'],
    ['POST', '/v1/chat/completions', { headers: json, body: '' }, 400, 'invalid_json'],
    ['POST', '/v1/chat/completions', { headers: json, body: '[]' }, 400, 'invalid_type'],
    ['POST', '/v1/chat/completions', {}, 400, 'invalid_type'],
    [
      'POST',
      '/v1/chat/completions',
      { headers: { 'content-type': 'text/csv' }, body: 'a' },
      415,
      'unsupported_media_type',
    ],
    ['POST', '/v1/completions', { headers: json, body: big }, 413, 'body_too_large'],
    ['GET', '/api/v1/generate', {}, 405, 'method_not_allowed'],
    ['POST', '/api/v1/generate/nowhere', {}, 404, 'not_found'],
    ['POST', '/api/v1/generate', { headers: json, body: big }, 413, 'body_too_large'],
    [
      'POST',
      '/api/v1/chat',
      { headers: { 'content-type': 'text/csv' }, body: 'a' },
      415,
      'unsupported_media_type',
    ],
  ] as const)('%s %s %j', async (method, path, init, status, code) => {
    const answer = await fetch(`${server.url}${path}`, {
      method,
      ...init,
      headers: { authorization: `Bearer ${server.key}`, ...('headers' in init && init.headers) },
    })
    expect(answer.status).toBe(status)
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('x-request-id')).toBeTruthy()
    if (status === 405) expect(answer.headers.get('allow')).toBeTruthy()
    expect(await codeOf(answer)).toBe(code)
  })

  test('a body may be larger here than elsewhere', async () => {
    expect((await generate({ prompt: 'x'.repeat(1_500_000) })).status).toBe(200)
  })
})
