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
import { type Outcome, runTutti } from './run-tutti.ts'

const key = `tk_${'k'.repeat(40)}`
const token = 'ghp_a-token-that-stays-hidden'

// Commands are processes of their own, which take ten seconds each on a busy machine.
describe('secrets, connections and triggers at the command line', { timeout: 300_000 * patience }, () => {
  let platform: PlatformInProcess
  let config: string
  /** An external API that accepts one token and remembers what it got. */
  let service: Server
  let host: string
  const received: (string | undefined)[] = []

  beforeAll(async () => {
    config = await mkdtemp(join(tmpdir(), 'tutti-connect-'))
    service = createServer((request, response) => {
      received.push(request.headers.authorization)
      response.writeHead(request.headers.authorization === `Bearer ${token}` ? 200 : 401).end()
    })
    service.listen(0, '127.0.0.1')
    await once(service, 'listening')
    host = `http://127.0.0.1:${(service.address() as AddressInfo).port}`
    platform = await openPlatform(
      {
        TUTTI_API_KEY: key,
        TUTTI_SECRET: 's'.repeat(40),
        TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      },
      unlimitedReads,
    )
    const steps = [
      {
        id: 'echo',
        type: 'data_transform',
        transformations: [{ operation: 'merge', sources: ['content'], merge_strategy: 'first' }],
      },
    ]
    await save({ id: 'echo', label: 'Echo', steps })
    const api = { url: `${host}/`, headers: { Authorization: 'Bearer {{secrets.github}}' } }
    await save({ id: 'caller', label: 'Caller', steps: [{ id: 'call', type: 'external_api', api }] })
  })
  afterAll(async () => {
    await platform?.[Symbol.asyncDispose]()
    service?.closeAllConnections()
    service?.close()
    if (config !== undefined) await rm(config, { recursive: true })
  })

  async function save(definition: object): Promise<void> {
    const answer = await fetch(`${platform.url}/ai-workflows/api/flows`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ flow_definition: definition }),
    })
    if (!answer.ok) throw new Error(await answer.text())
  }
  const tutti = (args: readonly string[], input = ''): Promise<Outcome> =>
    runTutti(args, {
      env: { XDG_CONFIG_HOME: config, TUTTI_URL: platform.url, TUTTI_API_KEY: key },
      input,
    })

  test('a secret is stored from standard input, used by a step, replaced and deleted', async () => {
    expect(await tutti(['secrets', 'list'])).toMatchObject({ code: 0, stdout: '' })
    const set = await tutti(['secrets', 'set', 'github', '--host', host], `${token}\n`)
    expect(set).toEqual({
      code: 0,
      stdout: `The secret github is stored. It may be sent to ${host} only.\nHTTP steps use it as {{secrets.github}}.\n`,
      stderr: '',
    })
    expect((await tutti(['run', 'caller'])).code).toBe(0)
    expect(received.at(-1)).toBe(`Bearer ${token}`)
    expect((await tutti(['secrets', 'list'])).stdout).toMatch(new RegExp(`^github +${host} +you +20`, 'm'))

    const replaced = await tutti(['secrets', 'set', 'github', '--json'], 'another-value')
    expect(JSON.parse(replaced.stdout)).toMatchObject({ name: 'github', allowed_hosts: [host], revision: 2 })
    expect((await tutti(['run', 'caller'])).code).toBe(1)
    expect(received.at(-1)).toBe('Bearer another-value')

    const unasked = await tutti(['secrets', 'delete', 'github'])
    expect(unasked).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('1 flow would fail without it: caller. There is no terminal'),
    })
    expect((await tutti(['secrets', 'delete', 'github', '--yes'])).stdout).toBe(
      'Deleted the secret github.\n',
    )
    expect((await tutti(['secrets', 'delete', 'github', '--yes'])).code).toBe(2)
  })

  test('a secret is refused without a host, without a value, with a bad name, and as an argument', async () => {
    expect(await tutti(['secrets', 'set', 'anywhere'], token)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('A new secret needs --host'),
    })
    expect(await tutti(['secrets', 'set', 'empty', '--host', 'api.example.com'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('No value came on standard input.'),
    })
    expect(await tutti(['secrets', 'set', 'Bad-Name', '--host', 'api.example.com'], token)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('name must be up to 64 lower-case letters'),
    })
    expect((await tutti(['secrets', 'set', 'extra', token])).code).toBe(2)
    expect(JSON.parse((await tutti(['secrets', 'list', '--json'])).stdout)).toEqual([])
  })

  test('a connection is stored, tested, shown, changed and deleted', async () => {
    expect(await tutti(['connections', 'set', 'service'], token)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('A new one needs --kind.'),
    })
    const kind = ['--kind', 'bearer', '--host', host]
    expect((await tutti(['connections', 'set', 'service', ...kind], 'wrong-token')).code).toBe(0)
    const check = ['connections', 'test', 'service', '--target', `${host}/`]
    expect(await tutti(check)).toMatchObject({ code: 1, stdout: expect.stringMatching(/does not work/) })
    expect((await tutti(['connections', 'set', 'service'], token)).code).toBe(0)
    expect(await tutti(check)).toMatchObject({
      code: 0,
      stdout: 'The connection service works: status 200.\n',
    })
    expect((await tutti(['connections', 'show', 'service'])).stdout).toMatch(/^Kind +bearer\nHosts +http/m)
    expect((await tutti(['connections', 'list'])).stdout).toMatch(/^service +bearer +http/m)
    expect((await tutti(['connections', 'set', 'service', '--kind', 'basic'], token)).code).toBe(2)
    expect((await tutti(['connections', 'delete', 'service', '--yes'])).code).toBe(0)
    expect((await tutti(['connections', 'show', 'service'])).code).toBe(2)
  })

  test('a webhook is created, called, disabled, enabled and deleted', async () => {
    const filter = '{"field": "body.action", "operator": "==", "value": "published"}'
    const sender = ['--verify', 'header', '--header', 'X-Secret', '--filter', filter]
    const input = ['--input', '{{body.text}}', '--label', 'Articles']
    const made = await tutti(['triggers', 'create', 'echo', ...sender, ...input, '--json'])
    const { trigger, url, secret } = JSON.parse(made.stdout)
    const id: string = trigger.trigger_id
    const send = (body: object) =>
      fetch(url, {
        method: 'POST',
        headers: { 'x-secret': secret, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    const started = (await (await send({ action: 'published', text: 'Cats.' })).json()) as {
      execution_id: string
    }
    expect(await (await send({ action: 'drafted' })).json()).toMatchObject({ ignored: true })
    expect((await tutti(['runs', 'show', started.execution_id, '--follow', '--result'])).stdout).toBe(
      'Cats.\n',
    )

    expect((await tutti(['triggers', 'list', '--flow', 'echo'])).stdout).toMatch(
      new RegExp(`^${id} +enabled +echo +webhook \\(header\\) +20.* +ignored +Articles$`, 'm'),
    )
    const shown = await tutti(['triggers', 'show', id])
    expect(shown.stdout).toMatch(/^Articles: enabled\n/)
    expect(shown.stdout).toMatch(/^Started +1, ignored 1, refused 0$/m)
    expect(shown.stdout).not.toContain(secret)
    const deliveries = await tutti(['triggers', 'deliveries', id])
    expect(deliveries.stdout).toMatch(/ ignored /)
    expect(deliveries.stdout).toMatch(new RegExp(` started +${started.execution_id} `))

    expect((await tutti(['triggers', 'disable', id])).stdout).toBe(`The trigger ${id} is disabled.\n`)
    expect((await send({ action: 'published', text: 'Dogs.' })).status).toBe(404)
    expect((await tutti(['triggers', 'enable', id])).stdout).toBe(`The trigger ${id} is enabled.\n`)
    // Neither the URL nor the secret, the filter and the input have changed.
    expect((await send({ action: 'published', text: 'Birds.' })).status).toBe(202)
    expect(await (await send({ action: 'drafted again' })).json()).toMatchObject({ ignored: true })

    expect((await tutti(['triggers', 'change', id])).code).toBe(2)
    const changed = await tutti(['triggers', 'change', id, '--input', 'Of {{body.text}}', '--json'])
    expect(JSON.parse(changed.stdout)).toMatchObject({
      label: 'Articles',
      input: { content: 'Of {{body.text}}' },
      filter: { field: 'body.action' },
      verification: { type: 'header', header: 'X-Secret' },
    })
    const again = (await (await send({ action: 'published', text: 'Fish.' })).json()) as typeof started
    expect((await tutti(['runs', 'show', again.execution_id, '--follow', '--result'])).stdout).toBe(
      'Of Fish.\n',
    )

    expect(await tutti(['triggers', 'delete', id])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Its URL stops working. There is no terminal to ask at'),
    })
    expect((await tutti(['triggers', 'delete', id, '--yes'])).code).toBe(0)
    expect((await tutti(['triggers', 'show', id])).code).toBe(2)
  })

  test('a trigger needs a sender or an event, and the secret of Stripe from standard input', async () => {
    expect(await tutti(['triggers', 'create', 'echo'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('Give --verify for a webhook, or --event'),
    })
    const stripe = await tutti(['triggers', 'create', 'echo', '--verify', 'stripe'], 'whsec_12345678\n')
    expect(stripe).toMatchObject({ code: 0, stdout: expect.stringMatching(/^URL +http/m) })
    expect(stripe.stdout).not.toContain('whsec')
    const event = await tutti(['triggers', 'create', 'echo', '--event', 'flow.execution.failed', '--json'])
    expect(JSON.parse(event.stdout)).toMatchObject({
      url: null,
      trigger: { kind: 'event', events: ['flow.execution.failed'] },
    })
    expect((await tutti(['triggers', 'create', 'echo', '--event', 'a', '--verify', 'none'])).code).toBe(2)
  })
})
