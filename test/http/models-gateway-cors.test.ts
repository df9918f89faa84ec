import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPlayer } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'

const page = 'https://app.example.com'
const messages = [{ role: 'user', content: 'Why?' }]

/** The headers of the official clients in a browser. */
const openAiHeaders =
  'authorization,content-type,openai-organization,openai-project,x-stainless-arch,x-stainless-lang,x-stainless-os,x-stainless-package-version,x-stainless-retry-count,x-stainless-runtime,x-stainless-runtime-version,x-stainless-timeout'
const anthropicHeaders =
  'anthropic-beta,anthropic-dangerous-direct-browser-access,anthropic-version,content-type,x-api-key,x-stainless-helper-method,x-stainless-lang'
const ollamaHeaders = 'authorization,content-type,idempotency-key,x-session-id'

const calls = [
  ['/v1/chat/completions', openAiHeaders, { messages }],
  ['/v1/completions', openAiHeaders, { prompt: 'Why?' }],
  ['/v1/responses', openAiHeaders, { input: 'Why?', store: false }],
  ['/v1/messages', anthropicHeaders, { messages, max_tokens: 10 }],
  ['/ollama/api/chat', ollamaHeaders, { messages }],
  ['/ollama/api/generate', ollamaHeaders, { prompt: 'Why?' }],
  ['/api/v1/chat', ollamaHeaders, { messages }],
] as const

const closing = new AsyncDisposableStack()
let server: GatewayServer
let closed: GatewayServer

beforeAll(async () => {
  const providers = [createPlayer({ models: ['violin'] })]
  server = closing.use(
    await startGatewayServer({
      providers,
      environment: { MODEL_CORS_ORIGINS: `${page},http://localhost:5173` },
    }),
  )
  closed = closing.use(await startGatewayServer({ providers }))
})
afterAll(() => closing.disposeAsync())

function preflight(on: GatewayServer, path: string, headers: string, origin = page): Promise<Response> {
  return fetch(`${on.url}${path}`, {
    method: 'OPTIONS',
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': headers,
    },
  })
}

const corsOf = ({ headers }: Response) =>
  Object.fromEntries([...headers].filter(([name]) => name.startsWith('access-control-')))

describe.each(calls)('a page that calls %s', (path, headers, body) => {
  test('may send the headers of official clients', async () => {
    const response = await preflight(server, path, headers)
    expect(response.status).toBe(204)
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': page,
      'access-control-allow-methods': expect.stringContaining('POST'),
      'access-control-allow-headers': headers,
      'access-control-expose-headers': '*',
      'access-control-max-age': '86400',
    })
    expect(response.headers.get('vary')).toBe('Origin')
  })

  test.each([true, false])('may read the response, streamed: %s', async (stream) => {
    const response = await server.post(
      path,
      { model: 'violin', ...body, stream },
      { headers: { origin: page } },
    )
    expect(response.status).toBe(200)
    expect(corsOf(response)).toEqual({
      'access-control-allow-origin': page,
      'access-control-expose-headers': '*',
    })
    expect(response.headers.get('cross-origin-resource-policy')).toBe('cross-origin')
    expect(await response.text()).toContain('blue')
  })

  test.each([
    ['without a key', { authorization: '' }, 401],
    ['with a wrong body', {}, 400],
  ] as const)('may read the error of a request %s', async (_what, given, status) => {
    const response = await server.post(path, {}, { headers: { origin: page, ...given } })
    expect(response.status).toBe(status)
    expect(response.headers.get('access-control-allow-origin')).toBe(page)
  })

  test('of another origin, or without configured origins, may not', async () => {
    const other = 'https://evil.example'
    expect(corsOf(await preflight(server, path, headers, other))).toEqual({})
    const answered = await server.post(path, { model: 'violin', ...body }, { headers: { origin: other } })
    expect(corsOf(answered)).toEqual({})
    await answered.body?.cancel()
    const refused = await preflight(closed, path, headers)
    expect([refused.status, corsOf(refused)]).toEqual([405, {}])
  })
})

test('Models can be listed; other paths and unknown ones are as they were', async () => {
  for (const path of ['/v1/models', '/ollama/api/tags', '/ollama']) {
    const listed = await server.get(path, { headers: { origin: page } })
    expect([listed.status, listed.headers.get('access-control-allow-origin')]).toEqual([200, page])
  }
  expect((await preflight(server, '/v1/unknown', openAiHeaders)).status).toBe(404)
  expect((await server.post('/v1/unknown', {})).status).toBe(404)
  for (const path of ['/api/v1/usage', '/api/v1/providers', '/api/v1/user/profile']) {
    expect(corsOf(await preflight(server, path, openAiHeaders))).toEqual({})
    expect(corsOf(await server.get(path, { headers: { origin: page } }))).toEqual({})
  }
})

test('Cookies are never allowed, and names of headers that are none are not repeated', async () => {
  const response = await preflight(server, '/v1/chat/completions', 'content-type, a b')
  expect(response.headers.get('access-control-allow-credentials')).toBeNull()
  expect(response.headers.get('access-control-allow-headers')).toBeNull()
})

test('With *, pages of all origins may call', async () => {
  await using open = await startGatewayServer({
    providers: [createPlayer({ models: ['violin'] })],
    environment: { MODEL_CORS_ORIGINS: '*' },
  })
  const response = await preflight(open, '/v1/messages', anthropicHeaders, 'https://any.example')
  expect(response.headers.get('access-control-allow-origin')).toBe('https://any.example')
})
