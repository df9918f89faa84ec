import { once } from 'node:events'
import { request as ask, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type McpPlatform, openMcpPlatform } from './mcp-platform.ts'

let mcp: McpPlatform
let key: string

beforeAll(async () => {
  mcp = await openMcpPlatform()
  key = await mcp.makeKey()
})
afterAll(() => mcp[Symbol.asyncDispose]())

interface Sent {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
}

async function send(body: string | undefined, { method = 'POST', headers = {} }: Sent = {}) {
  const answer = await fetch(`${mcp.platform.url}/mcp`, {
    method,
    headers: {
      authorization: `Bearer ${key}`,
      accept: 'application/json, text/event-stream',
      ...(body !== undefined && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body }),
  })
  const text = await answer.text()
  const data = text.startsWith('event:') ? (/^data: (.*)$/m.exec(text)?.[1] ?? '') : text
  // The parsed JSON; each test checks its own fields.
  const read: ReturnType<typeof JSON.parse> = data === '' ? undefined : JSON.parse(data)
  return { status: answer.status, headers: answer.headers, body: read }
}

const request = (more: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', ...more })
const callTool = (params: unknown) => request({ method: 'tools/call', params })
const deep = `${'['.repeat(5000)}${']'.repeat(5000)}`

test.each([
  ['no JSON', '{"jsonrpc": "2.0", ', 400, -32_700],
  ['nothing', '', 400, -32_700],
  ['a number', '5', 400, -32_600],
  ['a text', '"ping"', 400, -32_600],
  ['null', 'null', 400, -32_600],
  ['no message', '{}', 400, -32_600],
  ['another version', JSON.stringify({ jsonrpc: '1.0', id: 1, method: 'ping' }), 400, -32_600],
  ['a method that is no text', request({ method: 7 }), 400, -32_600],
  ['an id that is none', request({ id: { a: 1 } }), 400, -32_600],
  ['a batch of nothing', '[]', 400, -32_600],
  ['a batch of nonsense', '[1, 2, 3]', 400, -32_600],
  ['a huge batch', `[${Array.from({ length: 51 }, () => request({})).join(',')}]`, 400, -32_600],
  ['a deep body', deep, 400, -32_600],
  ['NUL', request({ params: { _meta: { text: '\0' } } }), 400, -32_600],
  ['a body that is too large', request({ params: { text: 'x'.repeat(1_100_000) } }), 413, -32_000],
  ['an unknown method', request({ method: 'flows/delete' }), 200, -32_601],
  ['a method of the prototype', request({ method: '__proto__' }), 200, -32_601],
  ['a method that is not offered', request({ method: 'resources/list' }), 200, -32_601],
  ['an unknown tool', callTool({ name: 'drop_tables', arguments: {} }), 200, -32_602],
  ['a call of nothing', callTool({}), 200, -32_602],
  ['a call without parameters', request({ method: 'tools/call' }), 200, -32_602],
])('%s gets a protocol error', async (_, body, status, code) => {
  const answer = await send(body)
  expect(answer.body).toMatchObject({ jsonrpc: '2.0', error: { code, message: expect.any(String) } })
  expect(answer.status).toBe(status)
})

test.each([
  ['run_flow', {}],
  ['run_flow', { flow_id: 7 }],
  ['run_flow', { flow_id: '../../api/v1/users' }],
  ['get_flow', { flow_id: '../executions' }],
  ['get_flow', { flow_id: 'x?y=#z' }],
  ['get_execution', { execution_id: '%00' }],
  ['get_execution', { execution_id: '..' }],
  ['run_flow', { flow_id: 'slow', wait_seconds: 1e9 }],
  ['run_flow', { flow_id: 'slow', context: [] }],
  ['run_flow', { flow_id: 'slow', more: true }],
  ['list_flows', { limit: 0 }],
  ['list_flows', { page: 'all' }],
  ['run_flow', { flow_id: 'slow', input: 'x', idempotency_key: 'a\nb' }],
])('%s with %j gets an error message', async (name, given) => {
  const { status, body } = await send(callTool({ name, arguments: given }))
  expect(status).toBe(200)
  const told = body.error?.message ?? (body.result.isError === true ? body.result.content[0].text : '')
  expect(told).toMatch(/\S/)
  expect(told).not.toContain('INTERNAL_ERROR')
})

test('an unsupported Content-Type or Accept is refused', async () => {
  expect((await send('ping', { headers: { 'content-type': 'text/plain' } })).status).toBe(415)
  const picky = await send(request({}), { headers: { accept: 'text/html' } })
  expect([picky.status, picky.body.jsonrpc]).toEqual([406, '2.0'])
})

test.each(['GET', 'DELETE', 'PUT', 'PATCH'])('%s gets the available ones', async (method) => {
  const { status, headers, body } = await send(undefined, { method })
  expect([status, headers.get('allow'), body.jsonrpc]).toEqual([405, 'POST', '2.0'])
})

test.each([['2031-01-01'], ['nonsense'], ['2026-07-28']])(
  'handles the revision %s in a header',
  async (version) => {
    const { status, body } = await send(request({ method: 'tools/list' }), {
      headers: { 'mcp-protocol-version': version },
    })
    expect([status, body.jsonrpc]).toEqual([400, '2.0'])
  },
)

test('a client with any revision gets a supported one', async () => {
  const versions = await Promise.all(
    ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '1999-01-01', '2031-01-01'].map(
      async (wanted) => {
        const params = { protocolVersion: wanted, capabilities: {}, clientInfo: { name: 'x', version: '1' } }
        const { body } = await send(request({ method: 'initialize', params }))
        return body.result.protocolVersion
      },
    ),
  )
  expect(versions).toEqual([
    '2024-11-05',
    '2025-03-26',
    '2025-06-18',
    '2025-11-25',
    '2025-11-25',
    '2025-11-25',
  ])
})

test('a batch of an older revision is served', async () => {
  const { status } = await send(`[${request({})},${request({ id: 2 })}]`, {
    headers: { 'mcp-protocol-version': '2025-03-26' },
  })
  expect(status).toBe(200)
})

test('unknown notifications are accepted and ignored', async () => {
  const { status } = await send(
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: null }),
  )
  expect(status).toBe(400)
  const unknown = await send(
    JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 'x' } }),
    { headers: { 'mcp-session-id': 'made up' } },
  )
  expect(unknown.status).toBe(202)
})

test.each([
  ['tutti.example', /, resource_metadata="http:\/\/tutti\.example\/[^"]+"$/],
  ['a"b', /^Bearer realm="tutti"$/],
])('handles the host %s in the address of the resource metadata', async (host, challenge) => {
  const asked = ask(`${mcp.platform.url}/mcp`, { method: 'POST', headers: { host } }).end()
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  answer.resume()
  expect([answer.statusCode, answer.headers['www-authenticate']]).toEqual([
    401,
    expect.stringMatching(challenge),
  ])
})
