import { expect, test } from 'vitest'
import { createOutbound } from '#kernel/outbound'
import { createLogger } from '#kernel/telemetry'
import { probeServer } from '../../src/status/mcp-servers/probe/probe-server.ts'
import type { Secrets } from '../../src/status/mcp-servers/server.ts'
import { startProcess } from '../support/process.ts'

const log = createLogger({ level: 'silent', format: 'json' })
const file = new URL('../fixtures/mcp-http-server.ts', import.meta.url)

async function startServer(mode: string) {
  const server = await startProcess({ file, args: [mode] })
  const port = Number(await server.waitForLine(/^\d+$/))
  return { ...server, port, url: `http://127.0.0.1:${port}/mcp` }
}

interface Given {
  readonly headers?: Secrets
  readonly timeoutMs?: number
  readonly allow?: readonly string[]
}

function probe(url: string, { headers = {}, timeoutMs = 20_000, allow = ['127.0.0.1'] }: Given = {}) {
  return probeServer({
    transport: { type: 'http', url, headers: Object.keys(headers) },
    secrets: headers,
    outbound: createOutbound({ allow, log }),
    timeoutMs,
    signal: new AbortController().signal,
    version: '0.0.0',
  })
}

const inputSchema = { type: 'object', properties: {} }

test.each([
  ['well', '2025-11-25'],
  ['modern', '2026-07-28'],
  ['sessions', '2025-11-25'],
])('a server that is %s returns its name and its tools', async (mode, protocolVersion) => {
  await using server = await startServer(mode)
  expect(await probe(server.url)).toEqual({
    tookMs: expect.any(Number),
    info: {
      serverName: 'well',
      serverVersion: '1.2.3',
      protocolVersion,
      tools: [{ name: 'search', title: null, description: 'Finds things.', inputSchema }],
      toolsTotal: 1,
    },
  })
  const sessions = await fetch(`http://127.0.0.1:${server.port}/sessions`)
  expect(await sessions.text()).toBe('0')
})

test('a credential is sent to the server, and its absence is reported', async () => {
  await using server = await startServer('keyed')
  const headers = { Authorization: 'Bearer let-me-in' }
  expect(await probe(server.url, { headers })).toMatchObject({ info: { toolsTotal: 1 } })
  expect(await probe(server.url)).toMatchObject({
    error: 'Authentication required (status 401): add a header with a credential.',
  })
})

test.each([
  ['forbids', /^Access denied \(status 403\)/],
  ['fails', /^The server answered initialize with status 500\.$/],
  ['moved', /redirect/i],
  ['nonsense', /^The response to initialize does not follow the protocol/],
  ['malformed', /^The response to initialize does not follow the protocol: /],
  ['lies', /^The response to initialize (?:is not |does not )/],
  ['floods', /^The response of the host is larger than 1048576 bytes\.$/],
  ['dies', /^The (host closed the connection|response of the host is not valid HTTP)/],
])('a server that %s is reported', async (mode, error) => {
  await using server = await startServer(mode)
  const finding = await probe(server.url)
  expect('error' in finding ? finding.error : finding).toMatch(error)
})

test('a server that hangs is reported', async () => {
  await using server = await startServer('hangs')
  expect(await probe(server.url, { timeoutMs: 1000 })).toMatchObject({
    error: 'No response to initialize within 1 s.',
  })
})

test('an unreachable or forbidden server is reported', async () => {
  const server = await startServer('well')
  await server.kill()
  expect(await probe(server.url)).toMatchObject({ error: 'No connection to the host could be made.' })
  expect(await probe(server.url, { allow: [] })).toMatchObject({
    error: 'Requests to this address are not allowed: it leads to this machine.',
  })
})
