import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unlimitedReads } from '../http/request-limits.ts'
import { patience } from '../support/patience.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'
import { program } from '../support/program.ts'
import { type Outcome, runTutti } from './run-tutti.ts'

const key = `tk_${'k'.repeat(40)}`

// Commands are processes of their own, which take ten seconds each on a busy machine.
describe('tutti runs', { timeout: 300_000 * patience }, () => {
  let platform: PlatformInProcess
  let config: string
  /** An external API: `/flaky` fails until `isUp`, `/slow` never answers. */
  let api: Server
  let isUp = false

  beforeAll(async () => {
    config = await mkdtemp(join(tmpdir(), 'tutti-runs-'))
    api = createServer((request, response) => {
      if (request.url === '/slow') api.emit('slow')
      else if (isUp) response.end('up')
      else response.writeHead(400).end('down')
    })
    api.listen(0, '127.0.0.1')
    await once(api, 'listening')
    const url = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
    platform = await openPlatform({ TUTTI_API_KEY: key, TUTTI_OUTBOUND_ALLOW: '127.0.0.1' }, unlimitedReads)
    const echo = {
      id: 'echo',
      type: 'data_transform',
      transformations: [{ operation: 'merge', sources: ['content'], merge_strategy: 'first' }],
    }
    await save('echo', [echo])
    await save('flaky', [
      echo,
      { id: 'call', type: 'external_api', dependencies: ['echo'], api: { url: `${url}/flaky` } },
    ])
    await save('slow', [{ id: 'slow', type: 'external_api', api: { url: `${url}/slow`, timeout: '5m' } }])
    await save('guarded', [echo], { approval_required: true })
  })
  afterAll(async () => {
    await platform?.[Symbol.asyncDispose]()
    api?.closeAllConnections()
    api?.close()
    if (config !== undefined) await rm(config, { recursive: true })
  })

  async function save(id: string, steps: readonly object[], metadata: object = {}): Promise<void> {
    const answer = await call('/flows', { flow_definition: { id, label: id, steps }, metadata })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const call = (path: string, body?: object) =>
    fetch(`${platform.url}/ai-workflows/api${path}`, {
      method: body === undefined ? 'GET' : 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const environment = () => ({ XDG_CONFIG_HOME: config, TUTTI_URL: platform.url, TUTTI_API_KEY: key })
  const tutti = (args: readonly string[]): Promise<Outcome> => runTutti(args, { env: environment() })
  const start = async (flow: string) => (await tutti(['run', flow, '--input', 'x', '--detach'])).stdout.trim()
  const startEcho = async () => {
    const answer = await call('/execute-flow-async', { flow_id: 'echo', context: { content: 'x' } })
    if (answer.status !== 202) throw new Error(await answer.text())
    return ((await answer.json()) as { execution_id: string }).execution_id
  }
  const statusOf = async (id: string) =>
    ((await (await call(`/executions/${id}`)).json()) as { status: string }).status

  test('a detached run is shown when it has ended, with its steps and its result', async () => {
    const id = await start('echo')
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    const shown = await tutti(['runs', 'show', id, '--follow'])
    expect(shown.code).toBe(0)
    expect(shown.stdout).toMatch(/^echo, version 1: completed\n/)
    expect(shown.stdout).toMatch(/^echo +data_transform +completed +\d+\.\d s$/m)
    expect(shown.stdout).toMatch(/\n\nx\n$/)
    expect(shown.stderr).toMatch(/^completed {2}echo/m)
    expect(await tutti(['runs', 'show', id, '--result'])).toEqual({ code: 0, stdout: 'x\n', stderr: '' })
  })

  test('list has the newest first, over several pages, and filters', async () => {
    const started: string[] = []
    // All at once could be more than the pool of database connections lets wait.
    for (let group = 0; group < 7; group += 1)
      started.push(...(await Promise.all(Array.from({ length: 29 }, startEcho))))
    const options = ['--flow', 'echo', '--limit', '203', '--json']
    const listed = JSON.parse((await tutti(['runs', 'list', ...options])).stdout) as {
      execution_id: string
    }[]
    expect(new Set(listed.map(({ execution_id: id }) => id))).toEqual(new Set(started))
    const short = await tutti(['runs', 'list', '--flow', 'echo', '--limit', '2'])
    expect(short.stdout.trimEnd().split('\n')).toHaveLength(3)
    expect(short.stderr).toMatch(/^The newest 2 of 204; --limit shows more\.$/m)
    expect(await tutti(['runs', 'list', '--flow', 'none'])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: expect.stringContaining('No run was found.'),
    })
  })

  test('a failed run is retried, from its failed step or from another', async () => {
    isUp = false
    const id = await start('flaky')
    const failed = await tutti(['runs', 'show', id, '--follow'])
    expect(failed.code).toBe(1)
    expect(failed.stdout).toMatch(/^call +external_api +failed/m)
    expect(failed.stderr).toContain(`npx tutti runs retry ${id} --action `)
    isUp = true
    const retried = await tutti(['runs', 'retry', id, '--follow'])
    expect(retried).toMatchObject({ code: 0, stdout: expect.stringMatching(/\n\nup\n$/) })
    const again = await tutti(['runs', 'retry', id])
    expect(again).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/Only a failed run can be retried/),
    })
    const forked = JSON.parse((await tutti(['runs', 'retry', id, '--from', 'call', '--json'])).stdout)
    expect(forked).toMatchObject({ forked_from: id, reused_steps: ['echo'] })
    expect((await tutti(['runs', 'retry', id, '--from', 'nope'])).code).toBe(2)
  })

  test('Ctrl-C ends the following and leaves the run alone; cancel stops it', async () => {
    const reached = once(api, 'slow')
    const id = await start('slow')
    await reached
    await using following = await startProcess({
      file: program,
      args: ['runs', 'show', id, '--follow'],
      env: environment(),
    })
    await expect.poll(() => following.stderr.join('\n')).toContain('running')
    expect(await following.kill('SIGINT')).toMatchObject({ code: 130 })
    expect(following.stderr.join('\n')).toContain(
      `the run continues. Follow it again: npx tutti runs show ${id}`,
    )
    expect(await statusOf(id)).toBe('running')
    expect(await tutti(['runs', 'cancel', id, '--reason', 'Enough'])).toEqual({
      code: 0,
      stdout: `The run ${id} is cancelled.\n`,
      stderr: '',
    })
    expect(await statusOf(id)).toBe('cancelled')
    expect((await tutti(['runs', 'cancel', id])).code).toBe(2)
  })

  test('a run that waits for approval is approved or rejected', async () => {
    const waiting = await tutti(['run', 'guarded', '--input', 'x', '--detach'])
    const id = waiting.stdout.trim()
    expect(waiting.stderr).toContain(`it starts when it is approved: npx tutti runs approve ${id}`)
    expect((await tutti(['runs', 'list', '--flow', 'guarded'])).stdout).toMatch(/ needs approval +guarded /)
    expect((await tutti(['runs', 'approve', id])).code).toBe(0)
    expect((await tutti(['runs', 'show', id, '--follow', '--result'])).stdout).toBe('x\n')
    const other = await start('guarded')
    expect((await tutti(['runs', 'reject', other, '--note', 'Not today'])).code).toBe(0)
    expect(await statusOf(other)).toBe('cancelled')
    expect((await tutti(['runs', 'approve', other])).code).toBe(2)
  })

  test('schedules are created, paused, resumed, shown and deleted', async () => {
    const times = ['--cron', '0 9 * * 1-5', '--timezone', 'Europe/Berlin']
    const given = ['--input', 'x', '--label', 'Every morning', '--json']
    const created = await tutti(['schedules', 'create', 'echo', ...times, ...given])
    const { schedule_id: id, ...schedule } = JSON.parse(created.stdout)
    expect(schedule).toMatchObject({ flow_id: 'echo', status: 'active', context: { content: 'x' } })
    const listed = await tutti(['schedules', 'list'])
    expect(listed.stdout).toMatch(
      new RegExp(`^${id} +active +echo +0 9 \\* \\* 1-5 +20.* +Every morning$`, 'm'),
    )
    expect((await tutti(['schedules', 'pause', id])).stdout).toBe(`The schedule ${id} is paused.\n`)
    expect((await tutti(['schedules', 'show', id])).stdout).toMatch(/^Every morning: paused\n/)
    expect((await tutti(['schedules', 'resume', id])).stdout).toMatch(/is active\. Next: 20.*T09:00:00\+0/)
    const unasked = await tutti(['schedules', 'delete', id])
    expect(unasked).toMatchObject({ code: 2, stderr: expect.stringContaining('repeat with --yes') })
    expect((await tutti(['schedules', 'delete', id, '--yes'])).code).toBe(0)
    expect(await tutti(['schedules', 'show', id])).toMatchObject({ code: 2, stdout: '' })
    const wrong = await tutti(['schedules', 'create', 'echo', '--cron', 'daily'])
    expect(wrong).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^tutti: cron: "daily" has 1 field/),
    })
  })
})
