import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unlimitedReads } from '../http/request-limits.ts'
import { type OpenPlatform, openPlatform } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'
import { program } from '../support/program.ts'
import { type Outcome, runTutti } from './run-tutti.ts'

const key = `tk_${'k'.repeat(40)}`

describe('tutti run', () => {
  let platform: OpenPlatform
  let folder: string
  /** An external API, which answers `/quick` at once, `/keyed` with the credential it was sent, and `/slow` never. */
  let api: Server
  let apiUrl: string

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tutti-run-'))
    api = createServer((request, response) => {
      if (request.url === '/keyed') response.end(request.headers.authorization)
      else if (request.url === '/quick')
        response.setHeader('content-type', 'application/json').end('{"ok":true}')
      else api.emit('slow')
    })
    api.listen(0, '127.0.0.1')
    await once(api, 'listening')
    apiUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    platform = await openPlatform({ TUTTI_API_KEY: key, TUTTI_OUTBOUND_ALLOW: '127.0.0.1' }, unlimitedReads)
    await save('echo', [
      {
        id: 'repeat',
        type: 'data_transform',
        transformations: [{ operation: 'merge', sources: ['content'], merge_strategy: 'first' }],
      },
    ])
    await save('call', [
      { id: 'quick', type: 'external_api', api: { url: `${apiUrl}/quick` } },
      { id: 'missing', type: 'external_api', dependencies: ['quick'], api: { url: 'http://10.1.2.3/' } },
    ])
    await save('slow', [{ id: 'slow', type: 'external_api', api: { url: `${apiUrl}/slow`, timeout: '5m' } }])
    await save('context', [
      {
        id: 'show',
        type: 'data_transform',
        transformations: [{ operation: 'generate_summary', template: '{{metadata.language}}: {{content}}' }],
      },
    ])
  })
  afterAll(async () => {
    await platform?.[Symbol.asyncDispose]()
    api?.closeAllConnections()
    api?.close()
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  async function save(id: string, steps: readonly object[]): Promise<void> {
    const answer = await call('/flows', { flow_definition: { id, label: id, steps } })
    if (!answer.ok) throw new Error(await answer.text())
  }

  const call = (path: string, body?: object) =>
    fetch(`${platform.url}/ai-workflows/api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })

  const tutti = (args: readonly string[], input = '', env: Record<string, string> = {}): Promise<Outcome> =>
    runTutti(['run', '--url', platform.url, ...args], { env: { TUTTI_API_KEY: key, ...env }, input })

  test('standard output has the result alone', async () => {
    expect(await tutti(['echo', '--input', 'A text.'])).toEqual({ code: 0, stdout: 'A text.\n', stderr: '' })
  })

  test('without --url, the settings give the URL of the platform', async () => {
    const env = { TUTTI_API_KEY: key, TUTTI_PUBLIC_URL: platform.url }
    expect((await runTutti(['run', 'echo', '--input', 'x'], { env })).stdout).toBe('x\n')
  })

  test('the input comes from a file or from standard input', async () => {
    const file = join(folder, 'input.txt')
    await writeFile(file, 'From a file.')
    expect((await tutti(['echo', '--input', `@${file}`])).stdout).toBe('From a file.\n')
    expect((await tutti(['echo', '--input', '-'], 'From a pipe.')).stdout).toBe('From a pipe.\n')
  })

  test('a credential of an HTTP step is sent, also after the flow was saved with the credential redacted', async () => {
    const headers = { Authorization: 'Bearer sk-live-1' }
    await save('keyed', [{ id: 'call', type: 'external_api', api: { url: `${apiUrl}/keyed`, headers } }])
    const { flow_definition } = (await (await call('/flows/keyed')).json()) as { flow_definition: object }
    expect(JSON.stringify(flow_definition)).toContain('"Authorization":"[redacted]"')
    const changed = await fetch(`${platform.url}/ai-workflows/api/flows/keyed`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ flow_definition: { ...flow_definition, label: 'Changed' } }),
    })
    expect(await changed.json()).toMatchObject({ status: 'updated' })
    expect(await tutti(['keyed'])).toEqual({ code: 0, stdout: 'Bearer sk-live-1\n', stderr: '' })
  })

  test('context and options reach the execution', async () => {
    const context = JSON.stringify({ metadata: { language: 'de' } })
    const options = ['--option', 'priority=high', '--option', 'ai_options.cost_limit=0.5', '--json']
    const { code, stdout } = await tutti(['context', '--input', 'Hallo', '--context', context, ...options])
    const body = JSON.parse(stdout)
    expect([code, body.success]).toEqual([0, true])
    expect(JSON.stringify(body.result)).toContain('de: Hallo')
    const status = await call(`/execution-status/${body.execution_id}`)
    expect(await status.json()).toMatchObject({ cost_tracking: { budget_remaining: 0.5 } })
    const list = await call(`/executions?search=${body.execution_id}`)
    expect(await list.json()).toMatchObject({ executions: [{ priority: 'high' }] })
  })

  test('--follow prints each step on standard error', async () => {
    const { code, stdout, stderr } = await tutti(['echo', '--input', 'x', '--follow'])
    expect([code, stdout]).toEqual([0, 'x\n'])
    expect(stderr).toMatch(/^running {4}repeat\ncompleted {2}repeat {2}\d+\.\d s\n$/)
  })

  test('a failure prints the recovery commands and the page of the run, and exits with 1', async () => {
    const { code, stdout, stderr } = await tutti(['call', '--follow'])
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('completed  quick')
    expect(stderr).toMatch(/^failed {5}missing .*$/m)
    expect(stderr).toMatch(/^tutti: the execution [0-9a-f-]{36} failed\.$/m)
    expect(stderr).toMatch(/^tutti: EXTERNAL_API_REFUSED: .+$/m)
    const [, id = ''] = /execution ([0-9a-f-]{36}) failed/.exec(stderr) ?? []
    expect(stderr).toContain(`tutti: See it at ${platform.url}/executions/${id}\n`)
    const [, recovery = ''] =
      /^tutti: +npx tutti (.*continue_without_failed_step) --url http/m.exec(stderr) ?? []
    expect(recovery).toBe(`runs retry ${id} --action continue_without_failed_step`)

    const platformIs = ['--url', platform.url, '--key', key]
    const recover = ['executions', 'recover', id, '--action', 'continue_without_failed_step', ...platformIs]
    const recovered = await runTutti(recover, { env: {} })
    expect(recovered).toMatchObject({ code: 0, stderr: '' })
    expect(recovered.stdout).toContain(`is queued again. See it at ${platform.url}/executions/${id}\n`)
    await expect
      .poll(async () => ((await (await call(`/executions/${id}`)).json()) as { status: string }).status)
      .toBe('completed')
    const shown = await runTutti(['executions', 'show', id, ...platformIs], { env: {} })
    expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining('"ok": true'), stderr: '' })
    const again = await runTutti(recover, { env: {} })
    expect([again.code, again.stdout]).toEqual([1, ''])
    expect(again.stderr).toMatch(/^tutti: .+/)
    expect(
      (await fetch(`${platform.url}/executions/${id}`, { headers: { accept: 'text/html' } })).status,
    ).toBe(200)
  })

  test('Ctrl-C cancels the execution, and exits with 1', async () => {
    const reached = once(api, 'slow')
    await using running = await startProcess({
      file: program,
      args: ['run', 'slow', '--follow', '--url', platform.url],
      env: { TUTTI_API_KEY: key },
    })
    await reached
    await expect.poll(() => running.stderr.join('\n')).toContain('running')
    const { code } = await running.kill('SIGINT')
    expect(code).toBe(1)
    expect(running.stderr.join('\n')).toMatch(/cancelling; Ctrl-C once more[^]*was cancelled\./)
    const newest = await call('/executions?flow_id=slow&order=newest&limit=1')
    expect(await newest.json()).toMatchObject({ executions: [{ status: 'cancelled' }] })
  })

  test.each<[what: string, args: readonly string[], env: Record<string, string>, message: RegExp]>([
    ['no key', ['echo'], { TUTTI_API_KEY: '' }, /^tutti: An API key is needed/],
    ['a wrong key', ['echo', '--key', 'tk_wrong'], {}, /^tutti: This API key is not valid/],
    ['an unknown flow', ['ecko'], {}, /^tutti: .*\n(tutti: )?.*Did you mean .*echo/s],
    [
      'an unreachable platform',
      ['echo', '--url', 'http://127.0.0.1:1'],
      {},
      /^tutti: There is no answer at http/,
    ],
    ['no address', ['echo', '--url', 'nowhere'], {}, /^tutti: --url must be an address/],
    ['no file', ['echo', '--input', '@/no/such/file'], {}, /^tutti: --input: .* \(ENOENT\)/],
    ['no JSON', ['echo', '--context', '{'], {}, /^tutti: --context is not JSON/],
    ['no option', ['echo', '--option', 'quick'], {}, /^tutti: --option must be NAME=VALUE/],
    ['an unknown option', ['echo', '--option', 'quick=1'], {}, /^tutti: options\.quick is not a known field/],
    ['no version', ['echo', '--flow-version', 'one'], {}, /^tutti: --flow-version must be/],
  ])('%s is reported, and exits with 2', async (_what, args, env, message) => {
    const { code, stdout, stderr } = await tutti(args, '', env)
    expect([code, stdout]).toEqual([2, ''])
    expect(stderr).toMatch(message)
  })
})
