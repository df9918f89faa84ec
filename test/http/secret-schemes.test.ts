import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asks, says } from '../database/engine-tool-agent-scene.ts'
import { type EchoApi, startEchoApi } from '../support/echo-api.ts'
import { type FlowsPlatform, openFlowsPlatform } from '../support/flows-platform.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'

let server: FlowsPlatform
let openai: OpenAiServer
let api: EchoApi

beforeAll(async () => {
  openai = await startOpenAiServer({ apiKey: 'sk-right' })
  server = await openFlowsPlatform(
    { seed: false, environment: { OPENAI_API_KEY: 'sk-right', OPENAI_BASE_URL: openai.baseUrl } },
    { prefix: '/ai-workflows/api', permissionsOf: { nora: ['run workflows', 'manage workflows'] } },
  )
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await openai?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  api = await startEchoApi()
  await server.database.query('delete from connections')
  return () => api[Symbol.asyncDispose]()
})

const value = 'a value that must not be read on the way'
const addSecret = (...allowed_hosts: readonly string[]) =>
  server.post('/secrets', { name: 'key', value, allowed_hosts })
const addConnection = (...allowed_hosts: readonly string[]) =>
  server.post('/connections', { name: 'shop', kind: 'bearer', credentials: { token: value }, allowed_hosts })
const addOAuth = (token_url: string, ...allowed_hosts: readonly string[]) =>
  server.post('/connections', {
    name: 'crm',
    kind: 'oauth2_client_credentials',
    settings: { token_url, client_id: 'tutti' },
    credentials: { client_secret: value },
    allowed_hosts,
  })

async function run(call: object) {
  const flow_id = await server.save([{ id: 'call', type: 'external_api', api: call }])
  const { status, body } = await server.post('/execute-flow', { flow_id, context: {} })
  return { status, error: body.error }
}

const put = (body: object) => server.call('/secrets/key', { method: 'PUT', body })

const problemsOf = (body: { error: { details: { problems: readonly { path: string }[] } } }) =>
  body.error.details.problems.map(({ path }) => path)

describe('over http', () => {
  test.each([
    ['secret', addSecret, () => ({ headers: { 'x-key': '{{secrets.key}}' } })],
    ['connection', addConnection, () => ({ connection: 'shop' })],
  ] as const)('a %s is sent only to a host that allows it explicitly', async (part, add, callWith) => {
    expect((await add(api.host)).status).toBe(201)
    const refused = await run({ url: api.url, ...callWith() })
    expect([refused.status, refused.error.code]).toEqual([422, 'EXTERNAL_API_REFUSED'])
    expect(refused.error.message).toContain(part)
    expect(refused.error.message).toContain(`add "${api.url}" to its allowed_hosts`)
    expect(api.requests).toEqual([])
    await server.database.query('delete from connections')
    expect((await add(api.url)).body.allowed_hosts).toEqual([api.url])
    expect((await run({ url: api.url, ...callWith() })).status).toBe(200)
    expect(JSON.stringify(api.requests[0]?.headers)).toContain(value)
  })

  test('an HTTP tool of an agent gets no credentials', async () => {
    await addConnection(api.host)
    openai.script(asks(['orders', {}]), says('Done.'))
    const agent = {
      id: 'helper',
      type: 'tool_agent',
      prompt: 'Help.',
      ai_options: { model: 'gpt-4o-mini' },
      tools: [
        { type: 'http', name: 'orders', description: 'Reads orders.', url: api.url, connection: 'shop' },
      ],
    }
    const { status } = await server.post('/execute-flow', { flow_id: await server.save([agent]) })
    expect(status).toBe(200)
    expect(api.requests).toEqual([])
    expect(JSON.stringify(openai.requests.at(-1)?.body)).toContain('over https only')
  })

  test('a redirect is not followed, so no other host and scheme gets the credentials', async () => {
    const redirecting = createServer((_, response) => {
      response.writeHead(307, { location: `${api.url}/elsewhere` }).end()
    })
    redirecting.listen(0, '127.0.0.1')
    await once(redirecting, 'listening')
    try {
      const url = `http://127.0.0.1:${(redirecting.address() as AddressInfo).port}`
      await addConnection(url)
      expect((await run({ url, connection: 'shop' })).error).toMatchObject({
        code: 'EXTERNAL_API_FAILED',
        details: { status: 307 },
      })
      expect(api.requests).toEqual([])
    } finally {
      redirecting.close()
    }
  })

  test('the test of a connection sends none, and its default URL has the scheme of the host', async () => {
    await addConnection(api.host)
    const refused = await server.post('/connections/shop/test', { url: api.url })
    expect([refused.status, problemsOf(refused.body)]).toEqual([400, ['url']])
    expect(refused.body.error.message).toContain(`add "${api.url}" to allowed_hosts`)
    expect(api.requests).toEqual([])
    const body = { allowed_hosts: [api.url], credentials: { token: value } }
    await server.call('/connections/shop', { method: 'PUT', body })
    expect((await server.post('/connections/shop/test', {})).body.success).toBe(true)
    expect(api.requests).toHaveLength(1)
  })
})

describe('a token_url', () => {
  test('has https, or an allowed host with http', async () => {
    const refused = await addOAuth(`${api.url}/token`, api.host)
    expect([refused.status, problemsOf(refused.body)]).toEqual([400, ['settings.token_url']])
    expect(refused.body.error.message).toContain(`add "${api.url}" to allowed_hosts`)
    expect((await addOAuth('https://login.example.com/token', api.host)).status).toBe(201)
    await server.database.query('delete from connections')
    expect((await addOAuth(`${api.url}/token`, api.url)).status).toBe(201)
    expect((await run({ url: `${api.url}/me`, connection: 'crm' })).status).toBe(200)
    expect(api.requests.map(({ url }) => url)).toEqual(['/token', '/me'])
  })

  test('with http that an earlier release has stored is not requested, and the error says what to set', async () => {
    await addOAuth('https://login.example.com/token', 'api.example.com')
    await server.database.query(
      `update connections
       set settings = settings || $1::jsonb where name = 'crm'`,
      [JSON.stringify({ token_url: `${api.url}/token` })],
    )
    const { error } = await run({ url: 'https://api.example.com/me', connection: 'crm' })
    expect(error.code).toBe('EXTERNAL_API_FAILED')
    expect(error.message).toMatch(/settings\.token_url .*without encryption.*allowed_hosts/)
    expect(api.requests).toEqual([])
  })
})

test('a stored entry over http needs the value again, and back to https not', async () => {
  await addSecret('api.example.com')
  const plain = { allowed_hosts: ['http://api.example.com'] }
  expect(problemsOf((await put(plain)).body)).toEqual(['value'])
  expect((await put({ ...plain, value })).status).toBe(200)
  expect((await put({ allowed_hosts: ['https://API.example.com'] })).body.allowed_hosts).toEqual([
    'api.example.com',
  ])
})

test('saving a flow warns about http', async () => {
  await addConnection('api.example.com')
  const steps = [
    { id: 'call', type: 'external_api', api: { url: 'http://api.example.com/', connection: 'shop' } },
  ]
  const flow_definition = { id: 'a_flow', label: 'A', steps }
  const { body } = await server.post('/flows/validate', { flow_definition })
  expect(body.validation_results.warnings).toMatchObject([
    { path: 'steps[0].api.connection', code: 'secret_not_encrypted' },
  ])
})
