import { tmpdir } from 'node:os'
import { Client, type Progress, type VersionNegotiationMode } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type McpPlatform, openMcpPlatform } from '../http/mcp-platform.ts'
import { eventually } from '../support/eventually.ts'
import { patience } from '../support/patience.ts'
import { launcher } from '../support/program.ts'
import { runTutti } from './run-tutti.ts'

let mcp: McpPlatform
let key: string

beforeAll(async () => {
  mcp = await openMcpPlatform()
  key = await mcp.makeKey()
})
afterAll(() => mcp[Symbol.asyncDispose]())

interface Given {
  readonly env?: Readonly<Record<string, string>>
  readonly mode?: VersionNegotiationMode
}

async function start({ env = {}, mode = 'legacy' }: Given = {}) {
  const transport = new StdioClientTransport({
    command: launcher,
    args: ['mcp'],
    env: { PATH: process.env['PATH'] ?? '', TUTTI_URL: mcp.platform.url, TUTTI_API_KEY: key, ...env },
    stderr: 'pipe',
  })
  const said: string[] = []
  transport.stderr?.on('data', (chunk: Buffer) => said.push(chunk.toString('utf8')))
  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
  return {
    client,
    said: () => said.join(''),
    pid: () => transport.pid,
    connect: () => client.connect(transport),
    [Symbol.asyncDispose]: () => client.close(),
  }
}

const modes = [
  ['legacy', '2025-11-25'],
  [{ pin: '2026-07-28' }, '2026-07-28'],
] as const

describe.each(modes)('a client that negotiates %j', (mode, revision) => {
  test('uses the platform through the command', async () => {
    await using started = await start({ mode })
    await started.connect()
    const { client } = started
    expect(client.getServerVersion()).toMatchObject({ name: 'tutti' })
    expect(client.getNegotiatedProtocolVersion()).toBe(revision)
    expect((await client.listTools()).tools).toHaveLength(8)
    const told: Progress[] = []
    const running = client.callTool(
      { name: 'run_flow', arguments: { flow_id: 'slow', input: 'A text.' } },
      { onprogress: (progress) => told.push(progress) },
    )
    await mcp.reached()
    await eventually(() => told.length > 0)
    mcp.release()
    expect((await running).structuredContent).toMatchObject({ flow_id: 'slow', status: 'completed' })
    const pid = started.pid() ?? 0
    await client.close()
    await expect.poll(() => isThere(pid)).toBe(false)
  })

  test('cancels an execution through it', async () => {
    await using started = await start({ mode })
    await started.connect()
    const giveUp = new AbortController()
    const running = started.client.callTool(
      { name: 'run_flow', arguments: { flow_id: 'slow', input: 'A text.' } },
      { signal: giveUp.signal },
    )
    running.catch(() => {})
    await mcp.reached()
    const { body } = await mcp.call('/ai-workflows/api/executions?order=newest&limit=1')
    const id = body.executions[0].execution_id
    giveUp.abort()
    const status = async () =>
      (await mcp.call(`/ai-workflows/api/executions?search=${id}`)).body.executions?.[0].status
    await expect.poll(status, { interval: 200 }).toBe('cancelled')
  })
})

test('an invalid key is reported to the client and on standard error', async () => {
  await using started = await start({ env: { TUTTI_API_KEY: 'tk_wrong' } })
  await expect(started.connect()).rejects.toThrow(/does not accept the API key: .* Set TUTTI_API_KEY/)
  await expect.poll(started.said).toMatch(/^tutti: The platform does not accept the API key/m)
})

test('an unreachable platform is reported', async () => {
  await using started = await start({ env: { TUTTI_URL: 'http://127.0.0.1:9' } })
  await expect(started.connect()).rejects.toThrow('There is no answer at http://127.0.0.1:9.')
})

test('the configuration that --help prints works in any folder', async () => {
  const { stdout } = await runTutti(['mcp', '--help'], { env: {} })
  const [printed = ''] = /\{"mcpServers"[\s\S]*\}\}\}\}/.exec(stdout) ?? []
  const { command, args, env } = JSON.parse(printed).mcpServers.tutti
  expect(Object.keys(env)).toEqual(['TUTTI_URL', 'TUTTI_API_KEY'])
  const transport = new StdioClientTransport({
    command,
    args,
    cwd: tmpdir(),
    env: { PATH: '/usr/bin:/bin', TUTTI_URL: mcp.platform.url, TUTTI_API_KEY: key },
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  expect((await client.listTools()).tools).toHaveLength(8)
  await client.close()
})

test('an invalid URL or a missing key exits with one sentence', async () => {
  const noAddress = await runTutti(['mcp'], { env: { TUTTI_URL: 'nonsense', TUTTI_API_KEY: key } })
  expect([noAddress.code, noAddress.stdout]).toEqual([1, ''])
  expect(noAddress.stderr).toContain('must be an address such as http://localhost:3000')
  const noKey = await runTutti(['mcp', '--url', mcp.platform.url], { env: { TUTTI_API_KEY: '' } })
  expect(noKey.stderr).toBe(
    `tutti: An API key is needed for ${mcp.platform.url}: sign in with npx tutti login --url ${mcp.platform.url}, or set TUTTI_API_KEY.\n`,
  )
})

test('an idle client stays connected', async () => {
  const nothing = await runTutti(['mcp', '--url', mcp.platform.url, '--key', key], { env: {} })
  expect(nothing).toEqual({ code: 0, stdout: '', stderr: '' })
})

test('a platform that stops sends a response, and its execution continues later', async () => {
  const other = await openMcpPlatform({ CLOSE_GRACE: `${Math.ceil(2 * patience)}s` })
  const otherKey = await other.makeKey()
  await using started = await start({ env: { TUTTI_URL: other.platform.url, TUTTI_API_KEY: otherKey } })
  await started.connect()
  const running = started.client.callTool({ name: 'run_flow', arguments: { flow_id: 'slow', input: 'x' } })
  await other.reached()
  await other[Symbol.asyncDispose]()
  expect((await running).structuredContent).toMatchObject({
    status: expect.stringMatching(/queued|running/),
    next: expect.stringContaining('get_execution'),
  })
  await expect(started.client.callTool({ name: 'list_flows', arguments: {} })).rejects.toThrow(
    'There is no answer',
  )
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
