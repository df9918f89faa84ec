import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { unlimitedReads } from '../http/request-limits.ts'
import { addAccountWithKey } from '../support/accounts.ts'
import { patience } from '../support/patience.ts'
import { openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { type Outcome, runTutti } from './run-tutti.ts'

const key = `tk_${'k'.repeat(40)}`

interface Definition {
  readonly id: string
  readonly label: string
  readonly steps: readonly object[]
}

const definitionOf = (id: string, label = 'Tea'): Definition => ({
  steps: [
    {
      type: 'data_transform',
      id: 'merge',
      transformations: [{ operation: 'merge', sources: ['content'], merge_strategy: 'first' }],
    },
  ],
  label,
  id,
})

/** A folder with flows, as in a checkout of git. */
interface Checkout {
  readonly path: string
  write(id: string, content: unknown): Promise<string>
  read(name: string): Promise<string>
}

// Commands are processes of their own, which take ten seconds each on a busy machine.
describe('tutti flows push, pull and diff', { timeout: 300_000 * patience }, () => {
  let platform: PlatformInProcess
  let folder: string
  beforeAll(async () => {
    platform = await openPlatform({ TUTTI_API_KEY: key }, unlimitedReads)
    folder = await mkdtemp(join(tmpdir(), 'tutti-push-'))
  })
  afterAll(async () => {
    await platform?.[Symbol.asyncDispose]()
    if (folder !== undefined) await rm(folder, { recursive: true })
  })

  async function checkOut(name: string): Promise<Checkout> {
    const path = join(folder, name)
    await mkdir(join(path, 'flows'), { recursive: true })
    return {
      path,
      async write(id, content) {
        const file = join(path, 'flows', `${id}.flow.json`)
        await writeFile(file, JSON.stringify(content))
        return file
      },
      read: (file) => readFile(join(path, 'flows', file), 'utf8'),
    }
  }

  const tutti = (
    { path }: Checkout,
    args: readonly string[],
    env: Record<string, string> = {},
  ): Promise<Outcome> =>
    runTutti(['flows', ...args], {
      cwd: path,
      env: { XDG_CONFIG_HOME: folder, TUTTI_URL: platform.url, TUTTI_API_KEY: key, NO_COLOR: '1', ...env },
    })

  const call = async (path: string, init: { method?: string; body?: object; key?: string } = {}) => {
    const answer = await fetch(`${platform.url}${path}`, {
      method: init.method ?? 'GET',
      headers: { authorization: `Bearer ${init.key ?? key}`, 'content-type': 'application/json' },
      ...(init.body !== undefined && { body: JSON.stringify(init.body) }),
    })
    return (await answer.json()) as Record<string, never>
  }
  const flowAt = (id: string) => call(`/ai-workflows/api/flows/${id}`)
  const saveInConsole = (definition: Definition, metadata?: object) =>
    call(`/ai-workflows/api/flows/${definition.id}`, {
      method: 'PUT',
      body: { flow_definition: definition, ...(metadata !== undefined && { metadata }) },
    })

  test('a flow is disabled and enabled', async () => {
    const checkout = await checkOut('state')
    await call('/ai-workflows/api/flows', {
      method: 'POST',
      body: { flow_definition: definitionOf('switched') },
    })
    expect(await tutti(checkout, ['disable', 'switched'])).toMatchObject({
      code: 0,
      stdout: 'The flow switched is disabled: it is not started until it is enabled.\n',
    })
    expect(await flowAt('switched')).toMatchObject({ enabled: false })
    const again = await tutti(checkout, ['disable', 'switched', '--json'])
    expect(JSON.parse(again.stdout)).toMatchObject({ enabled: false, status: 'unchanged' })
    expect((await tutti(checkout, ['enable', 'switched'])).stdout).toBe('The flow switched is enabled.\n')
    expect((await tutti(checkout, ['enable', 'no_such_flow'])).code).toBe(2)
  })

  test('a file becomes a flow, a changed file a revision, and the same file nothing', async () => {
    const checkout = await checkOut('first')
    await checkout.write('tea', definitionOf('tea'))
    const planned = await tutti(checkout, ['push', '--dry-run'])
    expect(planned).toMatchObject({ code: 0, stdout: 'tea: would be created\n' })
    expect(await flowAt('tea')).toMatchObject({ error: { code: 'FLOW_NOT_FOUND' } })

    expect(await tutti(checkout, ['push', '--note', 'From git'])).toEqual({
      code: 0,
      stdout: 'tea: created, revision 1\n',
      stderr: '',
    })
    expect(await flowAt('tea')).toMatchObject({ revision: 1, note: 'From git (pushed from a file)' })
    expect((await tutti(checkout, ['push'])).stdout).toBe('tea: unchanged, revision 1\n')

    await checkout.write('tea', definitionOf('tea', 'Green tea'))
    expect(await tutti(checkout, ['diff'])).toMatchObject({
      code: 1,
      stdout: 'tea: differs from revision 1\n    ~ label: "Tea" → "Green tea"\n',
    })
    expect((await tutti(checkout, ['push'])).stdout).toBe(
      'tea: updated, revision 1 → 2\n    ~ label: "Tea" → "Green tea"\n',
    )
    expect(await tutti(checkout, ['diff'])).toMatchObject({ code: 0, stdout: '' })
  })

  test('a push and a pull after it leave every byte of the folder as it is', async () => {
    const checkout = await checkOut('stable')
    const content = {
      metadata: { department: 'kitchen', layout: { merge: { y: 2, x: 1 } } },
      flow_definition: definitionOf('stable'),
    }
    await checkout.write('stable', content)
    await tutti(checkout, ['push'])
    const before = await checkout.read('stable.flow.json')
    expect((await tutti(checkout, ['pull', 'stable'])).stdout).toMatch(/^stable: unchanged/)
    expect(await checkout.read('stable.flow.json')).toBe(before)
    expect(await readdir(join(checkout.path, 'flows'))).toEqual(['.tutti-revisions.json', 'stable.flow.json'])

    const other = await checkOut('pulled')
    expect((await tutti(other, ['pull', 'stable'])).code).toBe(0)
    const pulled = await other.read('stable.flow.json')
    expect(pulled.endsWith('}\n')).toBe(true)
    expect(JSON.parse(pulled)).toEqual({
      flow_definition: content.flow_definition,
      metadata: { department: 'kitchen', created_by: 'admin' },
    })
    expect(Object.keys(JSON.parse(pulled).flow_definition)).toEqual(['id', 'label', 'steps'])
    expect(await other.read('stable.layout.json')).toBe('{\n  "merge": {\n    "x": 1,\n    "y": 2\n  }\n}\n')
    expect((await tutti(other, ['push'])).stdout).toBe('stable: unchanged, revision 1\n')
    expect((await tutti(other, ['pull', 'stable'])).stdout).toMatch(/^stable: unchanged/)
    expect(await other.read('stable.flow.json')).toBe(pulled)
    expect(await flowAt('stable')).toMatchObject({ revision: 1 })
  })

  test('a change made in the console is a conflict, until it is pulled or replaced with --force', async () => {
    const checkout = await checkOut('conflict')
    await checkout.write('shared', definitionOf('shared'))
    await checkout.write('beside', definitionOf('beside'))
    await tutti(checkout, ['push'])
    await saveInConsole(definitionOf('shared', 'From the console'))

    await checkout.write('shared', definitionOf('shared', 'From the file'))
    await checkout.write('beside', definitionOf('beside', 'Changed too'))
    const refused = await tutti(checkout, ['push'])
    expect(refused.code).toBe(3)
    expect(refused.stdout).toContain('shared: conflict, revision 2\n')
    expect(refused.stdout).toContain('~ label: "From the console" → "From the file"')
    expect(refused.stderr).toContain('revision 2 was saved')
    expect(refused.stderr).toContain('the file is based on revision 1')
    expect(refused.stderr).toContain('Nothing was saved of 2 flows.')
    expect(await flowAt('beside')).toMatchObject({ revision: 1 })

    expect((await tutti(checkout, ['pull', 'shared'])).code).toBe(3)
    expect(JSON.parse(await checkout.read('shared.flow.json'))).toMatchObject({ label: 'From the file' })
    expect((await tutti(checkout, ['pull', 'shared', '--force'])).stdout).toMatch(/^shared: updated/)
    await checkout.write('shared', definitionOf('shared', 'On top of it'))
    expect((await tutti(checkout, ['push'])).stdout).toMatch(/^shared: updated, revision 2 → 3$/m)

    await saveInConsole(definitionOf('shared', 'Again'))
    expect((await tutti(checkout, ['push', '--dry-run'])).code).toBe(3)
    expect((await tutti(checkout, ['push', '--force'])).stdout).toMatch(/^shared: updated, revision 4 → 5$/m)
  })

  test('a save between the check and the push is a conflict', async () => {
    const checkout = await checkOut('race')
    await checkout.write('raced', definitionOf('raced'))
    await tutti(checkout, ['push'])
    await checkout.write('raced', definitionOf('raced', 'From the file'))
    // A colleague saves the flow at the moment the request of the command arrives.
    async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
      if (request.method === 'PUT') await saveInConsole(definitionOf('raced', 'Just saved'))
      const body = request.method === 'GET' ? {} : { body: await text(request) }
      const { authorization = '', 'if-match': ifMatch } = request.headers
      const answer = await fetch(`${platform.url}${request.url}`, {
        method: request.method ?? 'GET',
        headers: {
          authorization,
          'content-type': 'application/json',
          ...(ifMatch && { 'if-match': ifMatch }),
        },
        ...body,
      })
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text())
    }
    const meanwhile = createServer((request, response) => void forward(request, response))
    meanwhile.listen(0, '127.0.0.1')
    await once(meanwhile, 'listening')
    const url = `http://127.0.0.1:${(meanwhile.address() as AddressInfo).port}`
    const { code, stdout, stderr } = await tutti(checkout, ['push'], { TUTTI_URL: url })
    meanwhile.closeAllConnections()
    meanwhile.close()
    expect(code).toBe(3)
    expect(stdout).toMatch(/^raced: conflict/)
    expect(stderr).toContain('"raced" was saved in between: it is at version 2 now, not 1.')
    expect(await flowAt('raced')).toMatchObject({ revision: 2, label: 'Just saved' })
  })

  test('a fresh checkout in CI goes on with its own pushes, and stops at those of another account', async () => {
    const author = await checkOut('author')
    await author.write('deployed', definitionOf('deployed'))
    await tutti(author, ['push'])
    const ci = await checkOut('ci')
    await ci.write('deployed', definitionOf('deployed', 'Next'))
    expect((await tutti(ci, ['push'])).stdout).toMatch(/^deployed: updated, revision 1 → 2$/m)

    const { key: otherKey } = await addAccountWithKey(platform.database, { roles: ['administrator'] })
    const colleague = await checkOut('colleague')
    await colleague.write('deployed', definitionOf('deployed', 'Of a colleague'))
    const refused = await tutti(colleague, ['push'], { TUTTI_API_KEY: otherKey })
    expect(refused.code).toBe(3)
    expect(refused.stderr).toContain('the file was never pulled from there')
    expect(await flowAt('deployed')).toMatchObject({ revision: 2, label: 'Next' })
  })

  test('problems of any file keep all of them from being saved', async () => {
    const checkout = await checkOut('problems')
    await checkout.write('sound', definitionOf('sound'))
    const broken = { ...definitionOf('broken'), steps: [{ id: 'ask', type: 'ai_prompt' }] }
    const file = await checkout.write('broken', broken)
    const { code, stdout, stderr } = await tutti(checkout, ['push', 'flows'])
    expect(code).toBe(1)
    expect(stdout).toBe('broken: invalid\nsound: not saved\n')
    expect(stderr).toContain('flows/broken.flow.json has 1 problem:\ntutti:   steps[0].prompt: is required\n')
    expect(await flowAt('sound')).toMatchObject({ error: { code: 'FLOW_NOT_FOUND' } })
    await rm(file)

    await checkout.write('copy', definitionOf('sound'))
    expect(await tutti(checkout, ['push'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^tutti: The flow "sound" is in several files: .*copy.*sound/),
    })
  })

  test('--prune deletes flows whose file is gone, but not those of others and of the console', async () => {
    const { key: deployKey } = await addAccountWithKey(platform.database, { roles: ['administrator'] })
    const env = { TUTTI_API_KEY: deployKey }
    const checkout = await checkOut('pruned')
    await checkout.write('stays', definitionOf('stays'))
    const gone = await checkout.write('gone', definitionOf('gone'))
    const edited = await checkout.write('edited', definitionOf('edited'))
    await tutti(checkout, ['push'], env)
    await saveInConsole(definitionOf('edited', 'From the console'))
    await rm(gone)
    await rm(edited)
    expect((await tutti(checkout, ['push', gone.replace('gone', 'stays'), '--prune'], env)).code).toBe(2)
    const planned = await tutti(checkout, ['push', '--prune', '--dry-run'], env)
    expect(planned.stdout).toBe('stays: unchanged, revision 1\ngone: would be deleted, revision 1\n')
    expect(await flowAt('gone')).toMatchObject({ revision: 1 })
    expect((await tutti(checkout, ['push', '--prune'], env)).stdout).toContain('gone: deleted')
    expect(await flowAt('gone')).toMatchObject({ error: { code: 'FLOW_NOT_FOUND' } })
    expect(await flowAt('edited')).toMatchObject({ label: 'From the console' })
    expect(await flowAt('tea')).toMatchObject({ id: 'tea' })
    await checkout.write('gone', definitionOf('gone'))
    expect((await tutti(checkout, ['push'], env)).stdout).toContain('gone: created')
  })

  test('a credential stays on the platform', async () => {
    const checkout = await checkOut('keyed')
    const step = {
      id: 'call',
      type: 'external_api',
      api: { url: 'https://api.example.com/', headers: { Authorization: 'Bearer sk-live-1' } },
    }
    await checkout.write('keyed', { ...definitionOf('keyed'), steps: [step] })
    const pushed = await tutti(checkout, ['push'])
    expect(pushed).toMatchObject({ code: 0, stdout: 'keyed: created, revision 1\n' })
    expect(pushed.stderr).toMatch(/^tutti: warning: .*stores the credential/)
    const other = await checkOut('keyed-pulled')
    await tutti(other, ['pull', 'keyed'])
    const pulled = await other.read('keyed.flow.json')
    expect(pulled).toContain('"[redacted]"')
    expect(pulled).not.toContain('sk-live')
    await other.write('keyed', JSON.parse(pulled.replace('"Tea"', '"Renamed"')))
    expect((await tutti(other, ['push'])).stdout).toMatch(/^keyed: updated, revision 1 → 2$/m)
    const [stored] = await platform.database.query<{ definition: string }>(
      `select definition::text from engine_flow_versions where flow_id = 'keyed' and version = 2`,
    )
    expect(stored?.definition).toContain('Bearer sk-live-1')
  })

  test('--json has everything a script needs; list and show use the platform', async () => {
    const checkout = await checkOut('json')
    await checkout.write('scripted', definitionOf('scripted'))
    const pushed = JSON.parse((await tutti(checkout, ['push', '--json'])).stdout)
    expect(pushed).toMatchObject({
      url: platform.url,
      dry_run: false,
      flows: [{ flow_id: 'scripted', status: 'created', revision: 1, previous_revision: null }],
    })
    const listed = JSON.parse((await tutti(checkout, ['list', '--search', 'scripted', '--json'])).stdout)
    expect(listed).toMatchObject([{ id: 'scripted', revision: 1, built_in: false }])
    const shown = await tutti(checkout, ['show', 'scripted', '--revision', '1'])
    expect(shown.stdout).toMatch(/ \(scripted\)\n[^]*^Revision 1, the current one/m)
    const differing = JSON.parse((await tutti(checkout, ['diff', '--json'])).stdout)
    expect(differing.flows).toMatchObject([{ flow_id: 'scripted', status: 'equal', diff: { equal: true } }])
  })
})
