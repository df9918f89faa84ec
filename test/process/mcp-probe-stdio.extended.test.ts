import { expect, test } from 'vitest'
import { createOutbound } from '#kernel/outbound'
import { createLogger } from '#kernel/telemetry'
import { probeServer } from '../../src/status/mcp-servers/probe/probe-server.ts'
import type { Secrets } from '../../src/status/mcp-servers/server.ts'

const outbound = createOutbound({ allow: [], log: createLogger({ level: 'silent', format: 'json' }) })
const file = new URL('../fixtures/mcp-stdio-server.ts', import.meta.url).pathname

interface Given {
  readonly command?: string
  readonly env?: Secrets
  readonly timeoutMs?: number
}

function probe(mode: string, { command = process.execPath, env = {}, timeoutMs = 20_000 }: Given = {}) {
  return probeServer({
    transport: { type: 'stdio', command, args: [file, mode], env: Object.keys(env) },
    secrets: env,
    outbound,
    timeoutMs,
    signal: new AbortController().signal,
    version: '0.0.0',
  })
}

async function errorOf(mode: string, given?: Given): Promise<string> {
  const finding = await probe(mode, given)
  return 'error' in finding ? finding.error : JSON.stringify(finding)
}

/** Long enough to start a program on a busy machine. */
const startedMs = 10_000

const inputSchema = { type: 'object', properties: {} }

test('a healthy server returns its name and its tools', async () => {
  expect(await probe('well')).toEqual({
    tookMs: expect.any(Number),
    info: {
      serverName: 'well',
      serverVersion: '1.2.3',
      protocolVersion: '2025-11-25',
      tools: [
        { name: 'read_file', title: 'read_file!', description: 'Does what read_file says.', inputSchema },
        { name: 'write_file', title: 'write_file!', description: 'Does what write_file says.', inputSchema },
      ],
      toolsTotal: 2,
    },
  })
})

test('a server with only the revision without a handshake works', async () => {
  expect(await probe('modern')).toMatchObject({
    info: { serverName: 'well', protocolVersion: '2026-07-28', toolsTotal: 2 },
  })
})

test('an invalid line is ignored when valid messages follow', async () => {
  expect(await probe('noisy')).toMatchObject({ info: { toolsTotal: 2 } })
})

test('a program gets its configured environment, and nothing of the platform', async () => {
  process.env['A_SECRET_OF_OURS'] = 'x'
  const finding = await probe('environment', { env: { TOKEN: 'abcdef' } })
  delete process.env['A_SECRET_OF_OURS']
  const names = 'info' in finding ? finding.info.tools.map(({ name }) => name) : []
  expect(names).toContain('TOKEN')
  expect(names).toContain('PATH')
  expect(names).not.toContain('A_SECRET_OF_OURS')
})

test.each([
  ['hangs', 'No response to initialize within 10 s.'],
  ['forgets', 'No response to tools/list within 10 s.'],
  [
    'nonsense',
    'No response to initialize within 10 s. The program wrote a line that is not a message of the protocol: <html>This is no server.</html>',
  ],
])('a program that %s is reported', async (mode, error) => {
  expect(await errorOf(mode, { timeoutMs: startedMs })).toBe(error)
})

test.each([
  ['floods', /^The program wrote more than 1048576 bytes\./],
  ['dies', /^The program ended with status 3\. Last line of its error output: out of luck$/],
  ['refuses', /^The server returned an error for initialize: .*No licence for anybody/],
  ['ancient', /^The response to initialize does not follow the protocol: .*1999-01-01/],
  ['lies', /^The response to tools\/list is not valid: /],
  ['endless', /^The list of tools has too many pages\.$/],
])('a program that %s is reported', async (mode, error) => {
  expect(await errorOf(mode)).toMatch(error)
})

test('a missing or non-executable program is reported', async () => {
  expect(await errorOf('well', { command: 'no-such-program' })).toBe(
    'The program no-such-program was not found.',
  )
  expect(await errorOf('well', { command: file })).toBe(`The program ${file} is not executable.`)
})

test('secrets that a server repeats are redacted', async () => {
  expect(await errorOf('refuses', { env: { LICENCE: 'top-secret' } })).toMatch(/No licence for •••/)
})

test.each(['blabs', 'blabs-and-dies', 'boasts'])('a truncated secret is redacted, too: %s', async (mode) => {
  const finding = JSON.stringify(
    await probe(mode, { env: { LICENCE: `top-secret-${'x'.repeat(700)}` }, timeoutMs: startedMs }),
  )
  expect(finding).not.toContain('top')
  expect(finding).toContain('•••')
})

test('a program that does not exit is ended with all its processes', async () => {
  const error = await errorOf('stubborn', { timeoutMs: startedMs })
  const pids = [...error.matchAll(/\d{2,}/g)].map(Number).slice(-2)
  expect(error).toMatch(/pids \d+ \d+/)
  // The init process takes a moment to reap the children of a dead process.
  await expect.poll(() => pids.filter(isThere)).toEqual([])
})

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
