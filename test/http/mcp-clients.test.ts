import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createEncryption } from '#kernel/encryption'
import { createOutbound } from '#kernel/outbound'
import { createLogger } from '#kernel/telemetry'
import { createMcpClients, type McpClients, type McpToolCall } from '#status'
import { readPlatformSettings } from '../../src/app/settings.ts'
import type { ReceivedCall } from '../fixtures/mcp-tools.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/free-port.ts'
import { basicAuth, openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'

const stdioServer = new URL('../fixtures/mcp-stdio-server.ts', import.meta.url).pathname
const httpServer = new URL('../fixtures/mcp-http-server.ts', import.meta.url)
const environment = {
  TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
  TUTTI_MCP_STDIO: 'true',
  TUTTI_SECRET: 'a secret of at least thirty-two characters',
}
const log = createLogger({ level: 'silent', format: 'json' })

let platform: PlatformInProcess
let clients: McpClients
const urls = { http: '', modern: '' }
const closing = new AsyncDisposableStack()

async function startServer(mode: string): Promise<string> {
  const server = closing.use(await startProcess({ file: httpServer, args: [mode] }))
  return `http://127.0.0.1:${await server.waitForLine(/^\d+$/)}`
}

function createClients(mcpStdio = true, idleMs = 30_000): McpClients {
  const { database } = platform
  return createMcpClients({
    database,
    encryption: createEncryption({
      settings: readPlatformSettings(environment).encryption,
      database,
      dataDir: '',
    }),
    outbound: createOutbound({ allow: ['127.0.0.1'], log }),
    settings: { mcpStdio },
    version: '1',
    idleMs,
  })
}

/** Sends a request to the registry of servers, as the administrator. */
async function registry(path: string, method: string, body?: object) {
  const answer = await fetch(`${platform.url}/admin/mcp/servers${path}`, {
    method,
    headers: { ...basicAuth(platform), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const read: ReturnType<typeof JSON.parse> = await answer.json()
  if (!answer.ok) throw new Error(`${method} ${path}: ${JSON.stringify(read)}`)
  return read
}

const program = (mode: string) => ({
  type: 'stdio',
  command: process.execPath,
  args: [stdioServer, mode],
  env: { LICENCE: 'licence-4711' },
})
const authorization = { Authorization: 'Bearer let-me-in' }

beforeAll(async () => {
  urls.http = await startServer('tools')
  urls.modern = await startServer('modern-tools')
  platform = closing.use(await openPlatform(environment, { maintenance: false }))
  // A server on a busy machine may take long.
  const patient = await fetch(`${platform.url}/admin/llm/config`, {
    method: 'PUT',
    headers: { ...basicAuth(platform), 'content-type': 'application/json' },
    body: JSON.stringify({ timeout_seconds: 25 }),
  })
  expect(patient.status).toBe(200)
  for (const [name, transport] of [
    ['http', { type: 'http', url: `${urls.http}/mcp`, headers: authorization }],
    ['modern', { type: 'http', url: `${urls.modern}/mcp` }],
    ['program', program('tools')],
    ['watched', program('tools')],
    ['gone', { type: 'http', url: `http://127.0.0.1:${await findFreePort()}/mcp` }],
  ] as const) {
    const { id } = await registry('', 'POST', { name, transport, allow_flows: name !== 'watched' })
    await registry(`/${id}/probe`, 'POST')
  }
  clients = closing.use(createClients())
})
afterAll(() => closing.disposeAsync())

let executions = 0

const call = (server: string, tool: string, more: Partial<McpToolCall> = {}): Promise<unknown> =>
  clients.callTool({
    server,
    tool,
    arguments: { text: 'hello' },
    executionId: `execution-${(executions += 1)}`,
    accountId: 'ada',
    idempotencyKey: 'a/b/1',
    timeoutMs: 20_000,
    signal: new AbortController().signal,
    ...more,
  })

async function receivedAt(url: string): Promise<ReceivedCall[]> {
  return (await (await fetch(`${url}/calls`)).json()) as ReceivedCall[]
}

describe('the tools of a server', () => {
  test('have the schemas of their arguments, also in the API', async () => {
    const { tools, problem } = await clients.listTools('HTTP')
    expect(problem).toBeUndefined()
    expect(tools).toHaveLength(8)
    expect(tools[0]).toEqual({
      name: 'echo',
      description: 'The tool echo.',
      inputSchema: { type: 'object', properties: { text: { type: 'string' } } },
    })
    const { servers } = await registry('', 'GET')
    expect(servers[0]).toMatchObject({
      name: 'http',
      allow_flows: true,
      tools: [{ name: 'echo', input_schema: { type: 'object' } }, ...Array(7).fill(expect.anything())],
    })
  })

  test('are none, with the reason, where flows may not use the server', async () => {
    expect(await clients.listTools('nothing')).toEqual({
      tools: [],
      problem: 'There is no MCP server "nothing".',
    })
    expect(await clients.listTools('watched')).toEqual({
      tools: [],
      problem: 'Flows may not call the MCP server "watched". An administrator can allow it with allow_flows.',
    })
    expect((await clients.listTools('gone')).problem).toContain('has no tools that flows can call')
  })
})

describe.each(['http', 'modern', 'program'])('a call of a tool over %s', (server) => {
  test('returns its text, and carries the idempotency key', async () => {
    expect(await call(server, 'echo')).toMatchObject({
      isError: false,
      text: expect.stringContaining('You said hello.'),
    })
    if (server === 'program') return
    const received = await receivedAt(server === 'http' ? urls.http : urls.modern)
    expect(received).toContainEqual({ tool: 'echo', input: { text: 'hello' }, key: 'a/b/1' })
  })

  test('returns the error of the tool, and media by name', async () => {
    expect(await call(server, 'fail')).toEqual({ isError: true, text: 'The file does not exist.' })
    expect(await call(server, 'media')).toEqual({ isError: false, text: '[image image/png, 3 bytes]' })
  })

  test('ends at its timeout, and when it is aborted', async () => {
    const executionId = `hangs-${server}`
    // The connection is open, so that the time of the call does not include the start of a program.
    await call(server, 'echo', { executionId })
    expect(await call(server, 'hang', { executionId, timeoutMs: 1000 })).toMatchObject({
      isError: true,
      text: expect.stringContaining('No response to tools/call'),
    })
    const abort = new AbortController()
    const aborted = call(server, 'hang', { signal: abort.signal, timeoutMs: 60_000 })
    abort.abort(new Error('cancelled by the test'))
    await expect(aborted).rejects.toThrow('cancelled by the test')
  })

  test('is bounded in size, and the next call works again', async () => {
    const executionId = `bounded-${server}`
    expect(await call(server, 'huge', { executionId })).toMatchObject({ isError: true })
    expect(await call(server, 'echo', { executionId })).toMatchObject({ isError: false })
    for (let times = 0; times < 12; times += 1) {
      expect(await call(server, 'large', { executionId })).toMatchObject({ isError: false })
    }
  })
})

test('a secret that a server repeats is redacted', async () => {
  expect(await call('http', 'secret')).toEqual({ isError: false, text: 'The licence is •••.' })
  expect(await call('program', 'secret')).toEqual({ isError: false, text: 'The licence is •••.' })
})

test('the calls of one execution share a process, those of another do not', async () => {
  const executionId = 'shared'
  await call('program', 'echo', { executionId })
  expect(await call('program', 'echo', { executionId })).toMatchObject({
    text: expect.stringContaining('Call 2 of this process.'),
  })
  expect(await call('program', 'echo')).toMatchObject({ text: expect.stringContaining('Call 1 of') })
})

test('a server that dies is an error, and is started again for the next call', async () => {
  const executionId = 'dies'
  expect(await call('program', 'die', { executionId })).toMatchObject({
    isError: true,
    text: expect.stringContaining('status 3'),
  })
  expect(await call('program', 'echo', { executionId })).toMatchObject({ isError: false })
})

test('refusals are error results: unknown, not allowed, unreachable, disabled programs', async () => {
  expect(await call('nothing', 'echo')).toMatchObject({
    isError: true,
    text: expect.stringContaining('no MCP server'),
  })
  expect(await call('watched', 'echo')).toMatchObject({
    isError: true,
    text: expect.stringContaining('may not call'),
  })
  expect(await call('gone', 'echo')).toMatchObject({ isError: true })
  await using strict = createClients(false)
  const refused = await strict.callTool({
    server: 'program',
    tool: 'echo',
    arguments: {},
    executionId: 'e',
    accountId: 'ada',
    idempotencyKey: 'k',
    signal: new AbortController().signal,
  })
  expect(refused).toMatchObject({ isError: true, text: expect.stringContaining('TUTTI_MCP_STDIO') })
})

test('a permission that is withdrawn holds at once, also for an open connection', async () => {
  const executionId = 'withdrawn'
  expect(await call('modern', 'echo', { executionId })).toMatchObject({ isError: false })
  const { servers } = await registry('', 'GET')
  const { id } = servers.find(({ name }: { name: string }) => name === 'modern')
  await registry(`/${id}`, 'PATCH', { allow_flows: false })
  expect(await call('modern', 'echo', { executionId })).toMatchObject({
    isError: true,
    text: expect.stringContaining('may not call'),
  })
  await registry(`/${id}`, 'PATCH', { allow_flows: true })
})

test('an account cannot open more than eight connections at once; idle ones make space', async () => {
  await using own = createClients(true, 100)
  const abort = new AbortController()
  const to = (executionId: string, tool: string, accountId = 'eve') =>
    own.callTool({
      server: 'http',
      tool,
      arguments: { text: 'x' },
      executionId,
      accountId,
      idempotencyKey: executionId,
      timeoutMs: 60_000,
      signal: abort.signal,
    })
  const before = (await receivedAt(urls.http)).length
  const hanging = Array.from({ length: 8 }, (_, index) => to(`hang-${index}`, 'hang'))
  await eventually(async () => (await receivedAt(urls.http)).length === before + 8)
  expect(await to('ninth', 'echo')).toMatchObject({
    isError: true,
    text: expect.stringContaining('Too many'),
  })
  expect(await to('other', 'echo', 'bob')).toMatchObject({ isError: false })
  abort.abort(new Error('over'))
  await Promise.allSettled(hanging)
  // Idle connections are closed, and their sessions with them.
  await own[Symbol.asyncDispose]()
})
