import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { basicAuth, type OpenPlatform, openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'

const stdioServer = new URL('../fixtures/mcp-stdio-server.ts', import.meta.url).pathname
const httpServer = new URL('../fixtures/mcp-http-server.ts', import.meta.url)

let platform: PlatformInProcess
let operator: Readonly<Record<string, string>>
let operators = 0
let keyed: { readonly url: string }
const closing = new AsyncDisposableStack()

beforeAll(async () => {
  const server = closing.use(await startProcess({ file: httpServer, args: ['keyed'] }))
  keyed = { url: `http://127.0.0.1:${await server.waitForLine(/^\d+$/)}/mcp` }
  platform = closing.use(
    await openPlatform({
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      TUTTI_MCP_STDIO: 'true',
      TUTTI_SECRET: 'a secret of at least thirty-two characters',
    }),
  )
  // High thresholds, so that a busy machine does not count as slow.
  await setSlow(600_000)
})
// Each test has its own account: one may make thirty changes a minute.
beforeEach(async () => {
  operators += 1
  operator = await makeAccount(`operator-${operators}`, 'administrator')
  // Removes the data of a failed attempt.
  for (const { id } of (await call('/servers')).body.servers)
    await call(`/servers/${id}`, { method: 'DELETE' })
})
afterAll(() => closing.disposeAsync())

async function makeAccount(username: string, role: string): Promise<Readonly<Record<string, string>>> {
  const password = 'tutti e soli insieme'
  await fetch(`${platform.url}/api/v1/users`, {
    method: 'POST',
    headers: { ...basicAuth(platform), 'content-type': 'application/json' },
    body: JSON.stringify({ username, password, roles: [role] }),
  })
  return { authorization: `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}` }
}

async function setSlow(ms: number): Promise<void> {
  const answer = await fetch(`${platform.url}/admin/llm/config`, {
    method: 'PUT',
    headers: { ...basicAuth(platform), 'content-type': 'application/json' },
    // A server on a busy machine may take long.
    body: JSON.stringify({ slow_ms: { mcp: ms }, timeout_seconds: 25 }),
  })
  expect(answer.status).toBe(200)
}

interface CallOptions {
  readonly method?: string
  readonly body?: unknown
  readonly at?: OpenPlatform
  readonly headers?: Readonly<Record<string, string>>
}

async function call(path: string, options: CallOptions = {}) {
  const { method = 'GET', body, at = platform, headers = operator } = options
  const answer = await fetch(`${at.url}/admin/mcp${path}`, {
    method,
    headers: {
      ...headers,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await answer.text()
  // The parsed JSON; each test checks its own fields.
  const read: ReturnType<typeof JSON.parse> = text === '' ? undefined : JSON.parse(text)
  return { status: answer.status, headers: answer.headers, body: read }
}

const add = (body: unknown) => call('/servers', { method: 'POST', body })
const probe = (id: string) => call(`/servers/${id}/probe`, { method: 'POST' })
const program = (mode: string, more: object = {}) => ({
  type: 'stdio',
  command: process.execPath,
  args: [stdioServer, mode],
  ...more,
})
const authorization = { Authorization: 'Bearer let-me-in' }

test('the count is as documented, and follows the servers', async () => {
  const before = await call('/server/count')
  expect(before.status).toBe(200)
  expect(before.headers.get('cache-control')).toBe('public, max-age=120')
  expect(before.headers.get('vary')).toContain('Authorization')
  expect(before.body).toEqual({ total: 0, active: 0, inactive: 0, lastUpdated: expect.any(String) })
  expect(new Date(before.body.lastUpdated).toISOString()).toBe(before.body.lastUpdated)

  const well = await add({ name: 'counted', transport: program('well') })
  const off = await add({ name: 'switched off', transport: program('well'), enabled: false })
  expect([well.status, well.headers.get('location')]).toEqual([201, `/admin/mcp/servers/${well.body.id}`])
  await probe(well.body.id)
  expect((await call('/server/count')).body).toMatchObject({ total: 2, active: 1, inactive: 1 })
  for (const { body } of [well, off]) {
    expect((await call(`/servers/${body.id}`, { method: 'DELETE' })).status).toBe(204)
  }
  expect((await call('/server/count')).body).toMatchObject({ total: 0, active: 0, inactive: 0 })
})

test('a server is added, probed, changed and removed', async () => {
  const added = await add({ name: 'files', transport: { type: 'http', url: keyed.url } })
  const { id } = added.body
  expect(added.body).toEqual({
    id: expect.any(String),
    name: 'files',
    transport: { type: 'http', url: keyed.url, headers: [] },
    enabled: true,
    allow_flows: false,
    state: 'unknown',
    response_time: null,
    last_check: null,
    last_seen: null,
    last_error: null,
    server: null,
    tools: [],
    tools_total: 0,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect((await probe(id)).body).toMatchObject({
    state: 'offline',
    last_error: 'Authentication required (status 401): add a header with a credential.',
    last_seen: null,
  })

  const transport = { type: 'http', url: keyed.url, headers: authorization }
  const changed = await call(`/servers/${id}`, { method: 'PATCH', body: { transport } })
  expect(changed.body).toMatchObject({ state: 'unknown', transport: { headers: ['Authorization'] } })
  const seen = await probe(id)
  expect(seen.body).toMatchObject({
    state: 'online',
    last_error: null,
    server: { name: 'well', version: '1.2.3', protocol_version: '2025-11-25' },
    tools: [{ name: 'search', title: null, description: 'Finds things.' }],
    tools_total: 1,
  })
  expect(seen.body.response_time).toBeGreaterThan(0)

  const renamed = await call(`/servers/${id}`, { method: 'PATCH', body: { name: 'search' } })
  expect(renamed.body).toMatchObject({ name: 'search', state: 'online', tools_total: 1 })
  const kept = { type: 'http', url: keyed.url, headers: { Authorization: null } }
  expect((await call(`/servers/${id}`, { method: 'PATCH', body: { transport: kept } })).status).toBe(200)
  expect((await probe(id)).body.state).toBe('online')
  const elsewhere = { ...kept, url: 'http://127.0.0.1:9/mcp' }
  const told = await call(`/servers/${id}`, { method: 'PATCH', body: { transport: elsewhere } })
  expect([told.status, told.body.problems[0].path]).toEqual([400, 'transport.headers.Authorization'])
  const off = await call(`/servers/${id}`, { method: 'PATCH', body: { enabled: false } })
  expect(off.body).toMatchObject({ state: 'disabled', tools_total: 1 })

  const listed = await call('/servers')
  expect(listed.body).toMatchObject({ total: 1, stdio_enabled: true, servers: [{ id, name: 'search' }] })
  expect(JSON.stringify(listed.body)).not.toContain('let-me-in')
  expect((await call(`/servers/${id}`, { method: 'DELETE' })).status).toBe(204)
  expect((await call(`/servers/${id}`)).body).toMatchObject({ error: 'NOT_FOUND' })
})

test('servers are probed periodically, and one that goes offline keeps its tools', async () => {
  await using server = await startProcess({ file: httpServer, args: ['well'] })
  const url = `http://127.0.0.1:${await server.waitForLine(/^\d+$/)}/mcp`
  const { body: added } = await add({ name: 'by itself', transport: { type: 'http', url } })
  const read = async () => (await call(`/servers/${added.id}`)).body
  const system = await fetch(`${platform.url}/api/v1/system`, { headers: basicAuth(platform) })
  expect(await system.json()).toMatchObject({
    tasks: expect.arrayContaining([
      expect.objectContaining({ name: 'status.mcp_servers', interval_seconds: 10 }),
    ]),
  })
  const task = platform.status.tasks.find(({ name }) => name === 'status.mcp_servers')
  await task?.run(new AbortController().signal)
  await expect.poll(async () => (await read()).state).toBe('online')
  await server.kill()
  expect((await probe(added.id)).body).toMatchObject({
    state: 'offline',
    last_error: 'No connection to the host could be made.',
    last_seen: (await read()).last_seen,
    tools: [{ name: 'search' }],
  })
  await call(`/servers/${added.id}`, { method: 'DELETE' })
})

test('a slow one is degraded, and still counts as active', async () => {
  const { body: added } = await add({ name: 'slow', transport: program('well') })
  await setSlow(1)
  expect((await probe(added.id)).body).toMatchObject({ state: 'degraded', last_error: null, tools_total: 2 })
  expect((await call('/server/count')).body).toMatchObject({ total: 1, active: 1, inactive: 0 })
  await setSlow(600_000)
  expect((await probe(added.id)).body.state).toBe('online')
  await call(`/servers/${added.id}`, { method: 'DELETE' })
})

test('changes are kept in the audit log, without secrets', async () => {
  const { body: added } = await add({ name: 'audited', transport: program('well', { env: { A: 'hidden' } }) })
  await call(`/servers/${added.id}`, { method: 'PATCH', body: { name: 'renamed' } })
  await call(`/servers/${added.id}`, { method: 'DELETE' })
  const answer = await fetch(`${platform.url}/api/v1/audit?limit=10`, { headers: basicAuth(platform) })
  const text = await answer.text()
  for (const what of ['added', 'changed', 'removed']) expect(text).toContain(`status.mcp_server_${what}`)
  expect(text).not.toContain('hidden')
})

test.each([
  ['a name twice', { name: 'Twice', transport: program('well') }, 409, 'CONFLICT', /named Twice already/],
  ['no name', { transport: program('well') }, 400, 'BAD_REQUEST', /name/],
  ['two lines', { name: 'a\nb', transport: program('well') }, 400, 'BAD_REQUEST', /one line/],
  ['no transport', { name: 'x' }, 400, 'BAD_REQUEST', /transport/],
  ['another transport', { name: 'x', transport: { type: 'smoke' } }, 400, 'BAD_REQUEST', /transport/],
  ['more', { name: 'x', transport: program('well'), password: 'x' }, 400, 'BAD_REQUEST', /password/],
  ['no address', { name: 'x', transport: { type: 'http', url: 'nowhere' } }, 400, 'BAD_REQUEST', /address/],
  [
    'a file',
    { name: 'x', transport: { type: 'http', url: 'file:///etc/passwd' } },
    400,
    'BAD_REQUEST',
    /http/,
  ],
  [
    'the cloud',
    { name: 'x', transport: { type: 'http', url: 'http://169.254.169.254/' } },
    400,
    'BAD_REQUEST',
    /metadata service.*TUTTI_OUTBOUND_ALLOW/,
  ],
  [
    'a private address',
    { name: 'x', transport: { type: 'http', url: 'http://10.0.0.1/mcp' } },
    400,
    'BAD_REQUEST',
    /private network/,
  ],
  [
    'a header without encryption',
    { name: 'x', transport: { type: 'http', url: 'http://93.184.216.34/mcp', headers: { A: 'secret' } } },
    400,
    'BAD_REQUEST',
    /without encryption; use https\. Add it to TUTTI_OUTBOUND_ALLOW/,
  ],
  [
    'a header of ours',
    { name: 'x', transport: { type: 'http', url: 'http://127.0.0.1/', headers: { Host: 'x' } } },
    400,
    'BAD_REQUEST',
    /set by the protocol/,
  ],
  [
    'a header with a line',
    { name: 'x', transport: { type: 'http', url: 'http://127.0.0.1/', headers: { A: 'a\r\nb: c' } } },
    400,
    'BAD_REQUEST',
    /printable ASCII/,
  ],
  [
    'a value that is not stored',
    { name: 'x', transport: { type: 'http', url: 'http://127.0.0.1/', headers: { A: null } } },
    400,
    'BAD_REQUEST',
    /enter one/,
  ],
  [
    'a variable that is none',
    { name: 'x', transport: program('well', { env: { 'A=B': 'c' } }) },
    400,
    'BAD_REQUEST',
    /variable/,
  ],
])('%s is refused', async (_, body, status, error, message) => {
  const first = await add({ name: 'twice', transport: program('well') })
  const answer = await add(body)
  expect(answer.body).toMatchObject({ error, message: expect.stringMatching(message) })
  expect(answer.status).toBe(status)
  expect(Object.keys(answer.body)).toEqual(expect.arrayContaining(['error', 'message', 'timestamp']))
  await call(`/servers/${first.body.id}`, { method: 'DELETE' })
})

test('unknown ids and empty changes are refused', async () => {
  const id = crypto.randomUUID()
  for (const [path, method] of [
    [`/servers/${id}`, 'GET'],
    [`/servers/${id}`, 'DELETE'],
    [`/servers/${id}/probe`, 'POST'],
  ] as const) {
    expect((await call(path, { method })).body).toMatchObject({ error: 'NOT_FOUND' })
  }
  expect((await call(`/servers/${id}`, { method: 'PATCH', body: { name: 'x' } })).status).toBe(404)
  expect((await call(`/servers/${id}`, { method: 'PATCH', body: {} })).status).toBe(400)
  expect((await call('/servers/nonsense')).status).toBe(404)
})

test('only administrators may read or change anything', async () => {
  for (const path of ['/servers', '/server/count']) {
    expect((await call(path, { headers: {} })).body).toMatchObject({ error: 'UNAUTHORIZED' })
  }
  const headers = await makeAccount('vera', 'viewer')
  expect((await call('/servers', { headers })).body).toMatchObject({ error: 'FORBIDDEN' })
})

test('changes are limited to thirty a minute', async () => {
  const answers = await Promise.all(Array.from({ length: 31 }, () => add({})))
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
  const refused = answers.find(({ status }) => status === 429)
  expect(refused?.body).toMatchObject({ error: 'RATE_LIMITED' })
  expect(refused?.headers.get('retry-after')).toMatch(/^\d+$/)
  expect((await call('/servers')).status).toBe(200)
})

test('programs run only where the operator allows it', async () => {
  await using careful = await openPlatform({ TUTTI_SECRET: 'a secret of at least thirty-two characters' })
  const answer = await call('/servers', {
    method: 'POST',
    body: { name: 'x', transport: program('well') },
    at: careful,
    headers: basicAuth(careful),
  })
  expect([answer.status, answer.body.message]).toEqual([400, expect.stringContaining('TUTTI_MCP_STDIO=true')])
  expect((await call('/servers', { at: careful, headers: basicAuth(careful) })).body.stdio_enabled).toBe(
    false,
  )
})
