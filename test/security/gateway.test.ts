import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ModelPrice } from '../../src/models/prices/price.ts'
import { createOpenAiProvider } from '../../src/models/providers/openai/openai-provider.ts'
import { addAccount } from '../http/identity-server.ts'
import { createPlayer, endPart, hangingAfter, type Player, saying } from '../http/models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from '../http/models-gateway-server.ts'
import { patient } from '../http/models-provider-support.ts'
import { eventually } from '../support/eventually.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'

const dollar = 1_000_000
const gold: ModelPrice = {
  source: 'override',
  prices: { input: dollar, cachedInput: dollar, output: dollar },
  version: '1',
}
const providerKey = 'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789'

let player: Player
let cloud: OpenAiServer
let server: GatewayServer
/** Looks every moment whether its readers may still read. */
let watched: GatewayServer
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  player = createPlayer({ name: 'ollama', models: ['violin', 'stradivari'] })
  cloud = stack.use(await startOpenAiServer({ apiKey: 'another key' }))
  const withWrongKey = stack.use(
    createOpenAiProvider({
      settings: { baseUrl: cloud.baseUrl, models: ['gpt-4o-mini'] },
      limits: patient,
      readKey: async () => providerKey,
    }),
  )
  server = stack.use(
    await startGatewayServer({
      providers: [player, withWrongKey],
      prices: { stradivari: gold },
      environment: { MODEL_BUDGET_WAIT: '500ms', TUTTI_CUSTOM_TIER: '1000000,20,1' },
    }),
  )
  watched = stack.use(await startGatewayServer({ providers: [player], heartbeatMs: 20 }))
  await addAccount(server.database, { username: 'visitor', password: 'correct horse battery' })
})
afterAll(() => stack.disposeAsync())

const message = { role: 'user', content: 'Why?' }
const chat = (body: object, key?: string, headers: Record<string, string> = {}) =>
  server.post('/v1/chat/completions', { model: 'violin', messages: [message], ...body }, { key, headers })
const generate = (body: object, key?: string) =>
  server.post('/api/v1/generate', { model: 'violin', prompt: 'Why?', stream: false, ...body }, { key })

const posts = [
  '/v1/chat/completions',
  '/v1/completions',
  '/v1/embeddings',
  '/api/v1/generate',
  '/api/v1/chat',
  '/api/v1/embed',
]

test('A key with the scope models.read calls a model', async () => {
  const { key } = await server.addKey({ scopes: ['models.read'] })
  const before = player.calls.length
  for (const path of posts) {
    const body = { model: 'violin', messages: [message], prompt: 'a', input: 'a' }
    expect((await server.post(path, body, { key })).status, path).toBe(403)
  }
  expect(player.calls.length).toBe(before)
})

test('A response continues after its key was revoked', async () => {
  for (const [path, told] of [
    ['/v1/chat/completions', '"type":"authentication_error"'],
    ['/api/v1/chat', '"code":"authentication_required"'],
  ] as const) {
    const { key, accountId } = await watched.addKey()
    player.script(hangingAfter('first'))
    const answer = await watched.post(path, { model: 'violin', messages: [message], stream: true }, { key })
    await watched.database.query('update identity_api_keys set revoked_at = now() where user_id = $1', [
      accountId,
    ])
    expect(await answer.text()).toContain(told)
    await eventually(() => player.playing() === 0)
  }
})

test('A caller gets a cached response of another account', async () => {
  const [one, other] = [await server.addKey(), await server.addKey()]
  const told: (string | null)[] = []
  for (const { key } of [one, one, other]) {
    const answer = await chat({ temperature: 0, messages: [{ role: 'user', content: 'My secret is' }] }, key)
    await answer.text()
    told.push(answer.headers.get('x-cache'))
  }
  expect(told).toEqual(['miss', 'hit', 'miss'])
})

test('A budget is exceeded by concurrent calls', async () => {
  const { key } = await server.addKey()
  const go = Promise.withResolvers<void>()
  // Each may cost a tenth of the dollar that a day has.
  const most = dollar / 10 - 'Why?'.length - 16
  for (let round = 0; round < 25; round += 1) {
    player.script(async function* () {
      await go.promise
      yield { ...endPart, usage: { inputTokens: 20, cachedInputTokens: 0, outputTokens: most } }
    })
  }
  const asked = Array.from({ length: 25 }, () => chat({ model: 'stradivari', max_tokens: most }, key))
  let refused = 0
  for (const answer of asked) void answer.then(({ status }) => (refused += status === 429 ? 1 : 0))
  await eventually(() => refused === 15)
  go.resolve()
  expect((await Promise.all(asked)).filter(({ status }) => status === 200)).toHaveLength(10)
  await eventually(async () => {
    const budget = (await (await server.get('/api/v1/usage/budget', { key })).json()) as Record<
      string,
      number
    >
    return budget['spent_micro_dollars'] === dollar && budget['left_micro_dollars'] === 0
  })
})

test('A user reads the usage of other accounts', async () => {
  const [one, other] = [await server.addKey(), await server.addKey()]
  await (await generate({}, one.key)).text()
  for (const path of ['/api/v1/usage', '/api/v1/usage/calls']) {
    for (const account of ['all', one.accountId]) {
      const answer = await server.get(`${path}?account=${account}`, { key: other.key })
      expect(answer.status, path).toBe(403)
      expect(await answer.text()).not.toContain('violin')
    }
  }
  const own = await (await server.get('/api/v1/usage/calls', { key: other.key })).json()
  expect(own).toMatchObject({ data: [], total: 0, next: null })
})

test('A page of another site calls a model with the cookie of a visitor', async () => {
  const answer = await fetch(`${server.url}/user/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: 'visitor', password: 'correct horse battery' }),
  })
  const { csrf_token } = (await answer.json()) as { csrf_token: string }
  const cookie = answer.headers
    .getSetCookie()
    .map((text) => text.split(';', 1)[0])
    .join('; ')
  const ask = (headers: Record<string, string>) =>
    fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { cookie, ...headers },
      body: JSON.stringify({ model: 'violin', messages: [message] }),
    })
  const before = player.calls.length
  expect((await ask({ 'content-type': 'text/plain' })).status).toBe(403)
  expect((await ask({ 'content-type': 'application/json' })).status).toBe(403)
  expect((await ask({ 'content-type': 'text/plain', 'x-csrf-token': csrf_token })).status).toBe(400)
  expect(player.calls.length).toBe(before)
  expect((await ask({ 'content-type': 'application/json', 'x-csrf-token': csrf_token })).status).toBe(200)
})

test('The key of a provider is read from a response or from the log', async () => {
  for (const answer of [
    await chat({ model: 'gpt-4o-mini' }),
    await chat({ model: 'gpt-4o-mini', stream: true }),
    await generate({ model: 'gpt-4o-mini' }),
    await server.post('/v1/embeddings', { model: 'gpt-4o-mini', input: 'a' }),
  ]) {
    expect(answer.status).toBe(502)
    const told = `${JSON.stringify(Object.fromEntries(answer.headers))} ${await answer.text()}`
    expect(told).not.toContain(providerKey.slice(8, 20))
  }
  expect(cloud.lastCall()?.headers.authorization).toContain(providerKey)
  expect(server.logged.join('')).not.toContain(providerKey.slice(8, 20))
})

test('A prompt or a response is read from the log', async () => {
  const secret = 'the score is under the third chair'
  player.script(saying(`${secret}, he says`), saying(`${secret}, he says`))
  await (await chat({ messages: [{ role: 'user', content: secret }], stream: true })).text()
  await (await generate({ prompt: secret, system: secret, options: { stop: [secret] } })).text()
  await (await server.post('/v1/embeddings', { model: 'violin', input: secret })).text()
  await (await chat({ messages: [{ role: 'user', content: secret }], tools: [secret] })).text()
  await (await chat({ messages: secret })).text()
  expect(server.logged.length).toBeGreaterThan(5)
  expect(server.logged.join('')).not.toContain(secret)
})

test('A gateway is configured as its own provider (request loop)', async () => {
  const before = player.calls.length
  const answer = await chat({}, undefined, { 'x-tutti-gateway': server.gatewayId })
  expect(answer.status).toBe(508)
  expect(player.calls.length).toBe(before)
})
