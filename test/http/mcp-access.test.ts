import {
  type CallToolResult,
  Client,
  ClientCredentialsProvider,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type McpPlatform, openMcpPlatform } from './mcp-platform.ts'
import { longSeconds } from './request-limits.ts'

let mcp: McpPlatform

beforeAll(async () => {
  // The tier `custom` may start three executions an hour.
  mcp = await openMcpPlatform({ TUTTI_CUSTOM_TIER: '3,20,100' })
})
afterAll(() => mcp[Symbol.asyncDispose]())

function textOf({ content }: CallToolResult): string {
  const [first] = content
  return first?.type === 'text' ? first.text : ''
}

async function use(key: string, name: string, given: Record<string, unknown> = {}): Promise<CallToolResult> {
  await using client = await mcp.connect({ key })
  return await client.callTool({ name, arguments: given })
}

interface ErrorBody {
  readonly error: { readonly code: number; readonly data: { readonly code: string } }
}

const hello = { jsonrpc: '2.0', id: 1, method: 'ping' }

function post(headers: Readonly<Record<string, string>>): Promise<Response> {
  return fetch(`${mcp.platform.url}/mcp`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    body: JSON.stringify(hello),
  })
}

test('a request without a credential gets the authorization server', async () => {
  const answer = await post({})
  expect(answer.status).toBe(401)
  expect(await answer.json()).toEqual({
    jsonrpc: '2.0',
    id: null,
    error: {
      code: -32_000,
      message: 'Sign in, or send an API key or token.',
      data: { code: 'authentication_required', request_id: expect.any(String) },
    },
  })
  const { url } = mcp.platform
  const metadata = `${url}/.well-known/oauth-protected-resource/mcp`
  expect(answer.headers.get('www-authenticate')).toBe(`Bearer realm="tutti", resource_metadata="${metadata}"`)
  for (const address of [metadata, `${url}/.well-known/oauth-protected-resource`]) {
    expect(await (await fetch(address)).json()).toMatchObject({
      resource: `${url}/mcp`,
      authorization_servers: [url],
      scopes_supported: expect.arrayContaining(['workflows.run']),
    })
  }
})

test('an invalid credential is refused', async () => {
  const answer = await post({ authorization: 'Bearer tk_wrong' })
  expect([answer.status, ((await answer.json()) as ErrorBody).error.data.code]).toEqual([
    401,
    'invalid_api_key',
  ])
  expect(answer.headers.get('www-authenticate')).toContain('resource_metadata=')
})

test('pages of other sites are refused, with any credential', async () => {
  const key = await mcp.makeKey()
  const authorization = `Bearer ${key}`
  const foreign = await post({ authorization, origin: 'https://evil.example' })
  expect([foreign.status, ((await foreign.json()) as ErrorBody).error.code]).toEqual([403, -32_000])
  expect((await post({ authorization, origin: mcp.platform.url })).status).toBe(200)
  expect((await post({ 'x-api-key': key })).status).toBe(200)
})

test('a tool has the permissions of its caller, and no more', async () => {
  const viewer = await mcp.signIn('vera', ['viewer'])
  expect(textOf(await use(viewer, 'run_flow', { flow_id: 'slow', input: 'x' }))).toMatch(
    /^PERMISSION_DENIED: You need the permission "run workflows"\.\nAsk an administrator/,
  )
  const onlyModels = await mcp.makeKey(['models.read'])
  expect((await use(onlyModels, 'list_models')).isError).not.toBe(true)
  expect(textOf(await use(onlyModels, 'list_flows'))).toMatch(/^PERMISSION_DENIED: /)
  const onlyFlows = await mcp.makeKey(['workflows.run'])
  expect((await use(onlyFlows, 'list_flows')).isError).not.toBe(true)
  expect(textOf(await use(onlyFlows, 'list_models'))).toMatch(/^INSUFFICIENT_SCOPE: .*models\.read/)
})

test('an OAuth client discovers where to get a token, and uses the tools', async () => {
  const { body: registered } = await mcp.call('/api/v1/oauth-clients', {
    method: 'POST',
    body: {
      name: 'An MCP client',
      scopes: ['models.read', 'workflows.run'],
      grant_types: ['client_credentials'],
    },
  })
  const authProvider = new ClientCredentialsProvider({
    clientId: registered.client_id,
    clientSecret: registered.client_secret,
    expectedIssuer: mcp.platform.url,
  })
  const client = new Client({ name: 'test', version: '1' })
  await using closing = new AsyncDisposableStack()
  closing.defer(() => client.close())
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${mcp.platform.url}/mcp`), { authProvider }),
  )
  const flows = await client.callTool({ name: 'list_flows', arguments: {} })
  expect(flows.structuredContent).toMatchObject({ total: expect.any(Number) })
  const models = await client.callTool({ name: 'list_models', arguments: {} })
  expect(models.structuredContent).toMatchObject({ total: expect.any(Number) })
})

test('executions of other accounts are not found', async () => {
  const [nora, otto] = [await mcp.signIn('nora', ['author']), await mcp.signIn('otto', ['author'])]
  const started = await use(nora, 'run_flow', { flow_id: 'slow', input: 'x', wait_seconds: 0 })
  const { execution_id } = started.structuredContent as { execution_id: string }
  for (const name of ['get_execution', 'cancel_execution']) {
    expect(textOf(await use(otto, name, { execution_id }))).toMatch(/^EXECUTION_NOT_FOUND: /)
  }
  await mcp.reached()
  expect((await use(nora, 'cancel_execution', { execution_id })).isError).not.toBe(true)
})

test('a call cannot be cancelled by another account', async () => {
  const [olga, mallory] = [await mcp.signIn('olga', ['author']), await mcp.signIn('mallory', ['author'])]
  const send = (token: string, body: object) =>
    fetch(`${mcp.platform.url}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        authorization: `Bearer ${token}`,
        'mcp-session-id': 'the same for both',
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...body }),
    })
  const call = { name: 'run_flow', arguments: { flow_id: 'slow', input: 'x' } }
  const running = send(olga, { id: 7, method: 'tools/call', params: call }).then((answer) => answer.text())
  await mcp.reached()
  const cancelled = await send(mallory, { method: 'notifications/cancelled', params: { requestId: 7 } })
  expect(cancelled.status).toBe(202)
  mcp.release()
  expect(await running).toContain('\\"status\\": \\"completed\\"')
})

test('reads count with the reads of the API', async () => {
  // A busy platform needs more than a second for eleven calls.
  await using slow = await openMcpPlatform({}, longSeconds)
  const token = await slow.signIn('rita', ['author'])
  await using client = await slow.connect({ key: token, waits: false })
  const answers: CallToolResult[] = []
  for (let count = 0; count < 11; count += 1)
    answers.push(await client.callTool({ name: 'list_flows', arguments: {} }))
  expect(answers.map(({ isError }) => isError === true)).toEqual([...Array<boolean>(10).fill(false), true])
  expect(textOf(answers[10] as CallToolResult)).toMatch(/^RATE_LIMIT_EXCEEDED: .*10 requests per second/)
})

test('runs count against the hourly limit of the tier', async () => {
  const body = { username: 'thea', password: 'tutti e soli insieme', roles: ['author'], tier: 'custom' }
  await mcp.call('/api/v1/users', { method: 'POST', body })
  const token = await mcp.signIn('thea', ['author'])
  const given = { flow_id: 'missing', input: 'x', wait_seconds: 0 }
  const told: string[] = []
  for (let count = 0; count < 4; count += 1) told.push(textOf(await use(token, 'run_flow', given)))
  expect(told.map((text) => text.split(':')[0])).toEqual([
    'FLOW_NOT_FOUND',
    'FLOW_NOT_FOUND',
    'FLOW_NOT_FOUND',
    'RATE_LIMIT_EXCEEDED',
  ])
  expect(told[3]).toMatch(/try again in/i)
})
