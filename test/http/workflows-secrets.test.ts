import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { CallOptions } from '../support/calls.ts'
import { type EchoApi, startEchoApi } from '../support/echo-api.ts'
import { type FlowsPlatform, openFlowsPlatform } from '../support/flows-platform.ts'

let server: FlowsPlatform
let api: EchoApi

const permissionsOf = {
  nora: ['run workflows', 'manage workflows'],
  otto: ['run workflows'],
  mara: ['run workflows', 'manage workflows'],
}

beforeAll(async () => {
  server = await openFlowsPlatform({ seed: false }, { prefix: '/ai-workflows/api', permissionsOf })
})
afterAll(() => server?.[Symbol.asyncDispose]())
beforeEach(async () => {
  api = await startEchoApi()
  await server.database.query('delete from connections')
  return () => api[Symbol.asyncDispose]()
})

const as = (name: string): CallOptions => ({ as: name })
const newValue = () => randomBytes(16).toString('base64')

/** Runs one HTTP step and returns the response of the execution. */
async function run(call: object, { context = {}, how = {} }: { context?: object; how?: CallOptions } = {}) {
  const flow_id = await server.save([{ id: 'call', type: 'external_api', api: call }])
  const { status, body } = await server.post('/execute-flow', { flow_id, context }, how)
  return { status, body, flow_id, error: body.error }
}

/** The output of the step of a completed execution. */
async function outputOf(executionId: string) {
  const { body } = await server.call(`/executions/${executionId}/steps/call`)
  return body.output
}

describe('a secret', () => {
  test('is sent in the URL, headers and body, and shown as its name everywhere else', async () => {
    const value = newValue()
    await server.post('/secrets', { name: 'key', value, allowed_hosts: [api.url] })
    const { status, body } = await run(
      {
        url: `${api.url}/{{secrets.key}}/items?key={{ secrets.key }}&q={{query}}`,
        method: 'POST',
        headers: { Authorization: 'Bearer {{secrets.key}}' },
        body: { key: '{{secrets.key}}', text: 'a {{secrets.key}} b' },
      },
      { context: { query: 'tea & cake' } },
    )
    expect(status).toBe(200)
    const [request] = api.requests
    const encoded = encodeURIComponent(value)
    expect(request).toMatchObject({
      url: `/${encoded}/items?key=${encoded}&q=tea%20%26%20cake`,
      headers: { authorization: `Bearer ${value}` },
    })
    expect(JSON.parse(request?.body ?? '')).toEqual({ key: value, text: `a ${value} b` })
    const trace = await server.call(`/executions/${body.execution_id}/steps/call`)
    expect(trace.body.output).toMatchObject({
      url: '/[secret key]/items?key=[secret key]&q=tea%20%26%20cake',
      headers: { authorization: 'Bearer [secret key]' },
      'Bearer [secret key]': 'Bearer [secret key]',
    })
    expect(trace.body.asked).toEqual({
      method: 'POST',
      url: `${api.url}/[secret key]/items?key=[secret key]&q=tea%20%26%20cake`,
      headers: ['Authorization'],
      body: { key: '[secret key]', text: 'a [secret key] b' },
    })
    expect(trace.text).not.toContain(value)
    expect((await server.call('/secrets/key')).body.used_at).toEqual(expect.any(Number))
  })

  test('is the one of the account that runs the flow, else a shared one', async () => {
    const [own, shared] = [newValue(), newValue()]
    const allowed_hosts = [api.url]
    await server.post('/secrets', { name: 'key', value: shared, allowed_hosts, shared: true }, as('mara'))
    await server.post('/secrets', { name: 'key', value: own, allowed_hosts }, as('otto'))
    const call = { url: api.url, headers: { 'x-key': '{{secrets.key}}' } }
    for (const name of ['otto', 'nora', 'mara']) expect((await run(call, { how: as(name) })).status).toBe(200)
    expect(api.requests.map(({ headers }) => headers['x-key'])).toEqual([own, shared, shared])
  })

  test('of another account is unknown', async () => {
    await server.post('/secrets', { name: 'key', value: newValue(), allowed_hosts: [api.url] }, as('otto'))
    const { status, error } = await run({ url: api.url, headers: { 'x-key': '{{secrets.key}}' } })
    expect([status, error.code]).toEqual([422, 'SECRET_NOT_FOUND'])
    expect(error.message).toContain('"key"')
    expect(api.requests).toEqual([])
  })

  test('is never sent to another host', async () => {
    await server.post('/secrets', { name: 'key', value: newValue(), allowed_hosts: ['api.example.com'] })
    const { status, error } = await run({ url: api.url, headers: { 'x-key': '{{secrets.key}}' } })
    expect([status, error.code]).toEqual([422, 'EXTERNAL_API_REFUSED'])
    expect(error.message).toContain('only to api.example.com')
    expect(api.requests).toEqual([])
  })

  test('comes before a field of the context with its name', async () => {
    const value = newValue()
    await server.post('/secrets', { name: 'key', value, allowed_hosts: [api.url] })
    const call = { url: `${api.url}/?a={{context.secrets.key}}`, headers: { 'x-key': '{{secrets.key}}' } }
    await run(call, { context: { secrets: { key: 'of the context' } } })
    expect(api.requests[0]).toMatchObject({ url: '/?a=of%20the%20context', headers: { 'x-key': value } })
  })

  test('is not in the error of a failed call, not even cut in the middle', async () => {
    const value = newValue().repeat(60)
    await server.post('/secrets', { name: 'key', value, allowed_hosts: [api.url] })
    api.script(400)
    const { status, error } = await run({ url: api.url, headers: { authorization: '{{secrets.key}}' } })
    expect([status, error.code]).toEqual([502, 'EXTERNAL_API_FAILED'])
    const text = JSON.stringify(error)
    expect(text).toContain('[secret key]')
    expect(text).not.toContain(value.slice(0, 12))
    expect(text).not.toContain('a-session-of-the-api')
  })

  test('that was encrypted with another secret of the platform says so', async () => {
    await server.post('/secrets', { name: 'key', value: newValue(), allowed_hosts: [api.url] })
    await server.database.query(`update connections set encrypted = 'v1.AAAAAAAA.' || repeat('A', 60)`)
    const { status, error } = await run({ url: api.url, headers: { 'x-key': '{{secrets.key}}' } })
    expect([status, error.code]).toEqual([422, 'SECRET_NOT_FOUND'])
    expect(error.message).toContain('TUTTI_SECRET')
  })
})

const addConnection = (more: object) =>
  server.post('/connections', { name: 'shop', allowed_hosts: [api.url], ...more })
const callShop = (more: object = {}) => ({ url: `${api.url}/me?a=b%20c`, connection: 'shop', ...more })

describe('a connection', () => {
  test.each([
    ['bearer', {}, 'token', (value: string) => ({ authorization: `Bearer ${value}` })],
    [
      'basic',
      { username: 'nora' },
      'password',
      (value: string) => ({ authorization: `Basic ${Buffer.from(`nora:${value}`).toString('base64')}` }),
    ],
    ['api_key', { in: 'header', name: 'X-Api-Key' }, 'key', (value: string) => ({ 'x-api-key': value })],
  ] as const)('%s sends its header in place of one of the step', async (kind, settings, field, headersOf) => {
    const value = newValue()
    await addConnection({ kind, settings, credentials: { [field]: value } })
    const { body } = await run(callShop({ headers: { AUTHORIZATION: 'x', 'x-api-key': 'x' } }))
    expect(api.requests[0]?.headers).toMatchObject(headersOf(value))
    const text = JSON.stringify(await outputOf(body.execution_id))
    for (const header of Object.values(headersOf(value))) expect(text).not.toContain(header)
    expect(text).toContain('[secret shop]')
  })

  test('api_key sends a query parameter and leaves the rest of the URL as it is', async () => {
    const value = newValue()
    await addConnection({
      kind: 'api_key',
      settings: { in: 'query', name: 'api key' },
      credentials: { key: value },
    })
    await run(callShop())
    expect(api.requests[0]?.url).toBe(`/me?a=b%20c&api%20key=${encodeURIComponent(value)}`)
  })

  test('is never sent to another host, and must exist', async () => {
    const unknown = await run(callShop())
    expect([unknown.status, unknown.error.code]).toEqual([422, 'SECRET_NOT_FOUND'])
    await addConnection({
      kind: 'bearer',
      credentials: { token: newValue() },
      allowed_hosts: ['*.example.com'],
    })
    const refused = await run(callShop())
    expect([refused.status, refused.error.code]).toEqual([422, 'EXTERNAL_API_REFUSED'])
    expect(api.requests).toEqual([])
  })
})

const addOAuth = (more: object = {}) =>
  server.post('/connections', {
    name: 'crm',
    kind: 'oauth2_client_credentials',
    settings: { token_url: `${api.url}/token`, client_id: 'tutti', scopes: ['a', 'b'], ...more },
    credentials: { client_secret: 'the client secret' },
    allowed_hosts: [api.url],
  })
const callCrm = () => ({ url: `${api.url}/me`, connection: 'crm' })
const paths = () => api.requests.map(({ url }) => url)

describe('OAuth', () => {
  test('one token serves parallel and later calls', async () => {
    await addOAuth({ audience: 'https://crm.example', client_authentication: 'body' })
    await Promise.all([run(callCrm()), run(callCrm()), run(callCrm())])
    await run(callCrm())
    expect(paths().toSorted()).toEqual(['/me', '/me', '/me', '/me', '/token'])
    expect(Object.fromEntries(new URLSearchParams(api.requests[0]?.body))).toEqual({
      grant_type: 'client_credentials',
      scope: 'a b',
      audience: 'https://crm.example',
      client_id: 'tutti',
      client_secret: 'the client secret',
    })
  })

  test('a cached token that the API refuses is replaced once', async () => {
    await addOAuth()
    api.issue('access-token-1', 'access-token-2')
    await run(callCrm())
    api.requireToken('access-token-2')
    const { status, body } = await run(callCrm())
    expect(status).toBe(200)
    expect(paths()).toEqual(['/token', '/me', '/me', '/token', '/me'])
    expect(JSON.stringify(await outputOf(body.execution_id))).not.toContain('access-token')
    api.requireToken('access-token-3')
    const refused = await run(callCrm())
    expect(refused.error).toMatchObject({ code: 'EXTERNAL_API_FAILED' })
    expect(paths().slice(5)).toEqual(['/me', '/token', '/me'])
  })

  test('a change of the connection requests a new token', async () => {
    await addOAuth()
    await run(callCrm())
    await server.call('/connections/crm', {
      method: 'PUT',
      body: { credentials: { client_secret: 'another client secret' } },
    })
    await run(callCrm())
    expect(paths()).toEqual(['/token', '/me', '/token', '/me'])
  })

  test('a refusal of the token endpoint fails the step at once; an error of the server is retried', async () => {
    await addOAuth()
    api.script(400)
    const refused = await run({ ...callCrm(), retry_attempts: 2 })
    expect([refused.status, refused.error.code]).toEqual([502, 'EXTERNAL_API_FAILED'])
    expect(refused.error.message).toContain('400')
    expect(paths()).toEqual(['/token'])
    api.script(503)
    expect((await run({ ...callCrm(), retry_attempts: 2 })).status).toBe(200)
    expect(paths().slice(1)).toEqual(['/token', '/token', '/me'])
  })
})

describe('the response', () => {
  test('with another status than success_status fails with status, headers and body', async () => {
    api.script(404)
    const { status, error } = await run({ url: `${api.url}/none` })
    expect([status, error.code]).toEqual([502, 'EXTERNAL_API_FAILED'])
    expect(error.details.status).toBe(404)
    expect(error.details.headers).toMatchObject({ 'content-type': 'application/json' })
    expect(error.details.headers).not.toHaveProperty('set-cookie')
    expect(error.details.body).toContain('/none')
  })

  test('is the output with its status and headers', async () => {
    api.script(404, 204, 200)
    const call = { url: api.url, output: 'response', success_status: ['2xx', 404] }
    const { body } = await run(call)
    const output = await outputOf(body.execution_id)
    expect(output).toMatchObject({
      status: 404,
      headers: { 'content-type': 'application/json' },
      body: { url: '/' },
    })
    expect(output.headers).not.toHaveProperty('set-cookie')
    expect((await run({ url: api.url, success_status: [200] })).error.details.status).toBe(204)
    expect((await run({ url: api.url, success_status: [200] })).status).toBe(200)
  })

  test('may be larger or smaller than a megabyte', async () => {
    const large = { url: api.url, method: 'POST', body: { text: 'x'.repeat(1_100_000) } }
    expect((await run(large)).error.message).toContain('larger than 1048576 bytes')
    expect((await run({ ...large, max_response_size: 8_388_608 })).status).toBe(200)
    expect((await run({ url: api.url, max_response_size: 10 })).error.message).toContain(
      'larger than 10 bytes',
    )
  })
})

describe('a placeholder without a value', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    'fails a %s call, in the URL and in the body',
    async (method) => {
      const inUrl = await run({ url: `${api.url}/items/{{item.id}}`, method })
      expect([inUrl.status, inUrl.error.code]).toEqual([422, 'MISSING_VALUE'])
      expect(inUrl.error.details).toMatchObject({ missing: 'item.id', field: 'api.url' })
      const inBody = await run({ url: api.url, method, body: { id: '{{item.id}}' } })
      expect(inBody.error).toMatchObject({ code: 'MISSING_VALUE', details: { field: 'api.body' } })
      expect(api.requests).toEqual([])
    },
  )

  test('is left empty in a GET call and in headers', async () => {
    expect((await run({ url: `${api.url}/items/{{item.id}}` })).status).toBe(200)
    const headers = { 'x-id': '{{item.id}}' }
    expect((await run({ url: api.url, method: 'POST', headers, body: {} })).status).toBe(200)
    expect(api.requests.map(({ url }) => url)).toEqual(['/items/', '/'])
  })
})

const codes = (found: readonly { path: string; code: string }[]) =>
  found.map(({ path, code }) => [path, code])

const validate = async (step: object) => {
  const flow_definition = { id: 'a_flow', label: 'A', steps: [{ id: 'a', ...step }] }
  const { body } = await server.post('/flows/validate', { flow_definition })
  const { errors, warnings, required_inputs } = body.validation_results
  return { errors: codes(errors), warnings: codes(warnings), required_inputs }
}
const http = (call: object) => validate({ type: 'external_api', api: call })

describe('saving a flow', () => {
  test('warns about unknown secrets and connections, hosts, and literal credentials', async () => {
    const allowed_hosts = ['api.example.com']
    await server.post('/secrets', { name: 'fine', value: newValue(), allowed_hosts })
    await server.post('/secrets', { name: 'anywhere', value: newValue(), allowed_hosts })
    await server.database.query(`update connections set allowed_hosts = '{}' where name = 'anywhere'`)
    const checked = await http({
      url: 'https://other.example.com/',
      connection: 'shop',
      headers: {
        a: '{{secrets.fine}}',
        b: '{{secrets.anywhere}}',
        c: '{{secrets.unknown}}',
        Authorization: 'Bearer literal-credential',
      },
    })
    expect(checked).toEqual({
      errors: [],
      required_inputs: [],
      warnings: [
        ['steps[0].api.headers.Authorization', 'literal_credential'],
        ['steps[0].api.headers.a', 'secret_host'],
        ['steps[0].api.headers.b', 'secret_any_host'],
        ['steps[0].api.headers.c', 'unknown_secret'],
        ['steps[0].api.connection', 'unknown_connection'],
      ],
    })
    const fine = await http({ url: 'https://api.example.com/', headers: { a: '{{secrets.fine}}' } })
    expect(fine).toEqual({ errors: [], required_inputs: [], warnings: [] })
  })

  test('refuses secrets outside of HTTP calls, and names that none can have', async () => {
    const prompt = await validate({ type: 'ai_prompt', prompt: 'Say {{secrets.key}}' })
    expect(prompt.errors).toEqual([['steps[0].prompt', 'secret_not_allowed']])
    const condition = await validate({
      type: 'conditional',
      conditions: [{ field: 'secrets.key', operator: 'exists', action: { type: 'continue' } }],
    })
    expect(condition.errors).toEqual([['steps[0].conditions[0].field', 'secret_not_allowed']])
    const nested = await http({ url: 'https://api.example.com/?a={{secrets.key.part}}' })
    expect(nested.errors).toEqual([['steps[0].api.url', 'path']])
    const inHost = await http({ url: 'https://{{secrets.key}}.example.com/' })
    expect(inHost.errors).toEqual([['steps[0].api.url', 'url']])
  })
})
