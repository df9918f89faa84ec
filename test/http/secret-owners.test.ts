import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asks, says } from '../database/engine-tool-agent-scene.ts'
import { type EchoApi, startEchoApi } from '../support/echo-api.ts'
import { eventually } from '../support/eventually.ts'
import { type FlowsPlatform, openFlowsPlatform } from '../support/flows-platform.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { createHook, sendTo } from './triggers-setting.ts'

let server: FlowsPlatform
let openai: OpenAiServer
let api: EchoApi
let flows = 0

const permissionsOf = {
  nora: ['run workflows', 'manage workflows'],
  mara: ['run workflows', 'manage workflows', 'administer workflows'],
}

beforeAll(async () => {
  openai = await startOpenAiServer({ apiKey: 'sk-right' })
  server = await openFlowsPlatform(
    { seed: false, environment: { OPENAI_API_KEY: 'sk-right', OPENAI_BASE_URL: openai.baseUrl } },
    { prefix: '/ai-workflows/api', permissionsOf },
  )
})
afterAll(async () => {
  await server?.[Symbol.asyncDispose]()
  await openai?.[Symbol.asyncDispose]()
})
beforeEach(async () => {
  api = await startEchoApi()
  await server.database.query('delete from connections')
  return () => api[Symbol.asyncDispose]()
})

const value = 'a value that only its owner knows'

/** A secret as earlier releases stored it: without hosts. */
async function storeWithoutHosts(name = 'key', as = 'nora') {
  const { status } = await server.post('/secrets', { name, value, allowed_hosts: ['a.example'] }, { as })
  expect(status).toBe(201)
  await server.database.query(`update connections set allowed_hosts = '{}' where name = $1`, [name])
}

const callStep = (id = 'call') => ({
  id,
  type: 'external_api',
  api: { url: `${api.url}/${id}`, headers: { 'x-key': '{{secrets.key}}' } },
})

const definitionOf = (id: string, steps: readonly object[]) => ({ id, label: 'Of an author', steps })

async function save(as: string, steps: readonly object[] = [callStep()]) {
  flows += 1
  const id = `owned_flow_${flows}`
  const saved = await server.post('/flows', { flow_definition: definitionOf(id, steps) }, { as })
  expect(saved.status).toBe(201)
  return { id, warnings: saved.body.validation_results?.warnings ?? [] }
}

async function change(id: string, as: string, steps: readonly object[]) {
  const { status } = await server.call(`/flows/${id}`, {
    as,
    method: 'PUT',
    body: { flow_definition: definitionOf(id, steps) },
  })
  expect(status).toBe(200)
}

async function run(flow_id: string, as = 'nora') {
  const { status, body } = await server.post('/execute-flow', { flow_id, context: { list: [1, 2] } }, { as })
  return { status, error: body.error, id: (body.execution_id ?? body.error?.details.execution_id) as string }
}

const sent = () => api.requests.map(({ headers }) => headers['x-key'])

/** The error of an execution that was queued, when it has ended; null after a success. */
async function endOf(id: string) {
  await eventually(async () => (await server.engine.executions.read(id))?.finishedAt != null)
  return (await server.engine.executions.read(id))?.error ?? null
}

const calling = (flow: string) => [{ id: 'sub', type: 'sub_flow', flow, input: { content: 'x' } }]

const agentWith = (flow: string) => [
  {
    id: 'helper',
    type: 'tool_agent',
    prompt: 'Help.',
    ai_options: { model: 'gpt-4o-mini' },
    tools: [{ type: 'flow', name: 'fetch', description: 'Fetches.', flow }],
  },
]

const refusal = { code: 'EXTERNAL_API_REFUSED', details: { secret: 'key', allowed_hosts: [] } }

describe('hosts', () => {
  test.each([
    ['/secrets', { name: 'key', value }],
    ['/secrets', { name: 'key', value, allowed_hosts: [] }],
    ['/connections', { name: 'key', kind: 'bearer', credentials: { token: value } }],
    ['/connections', { name: 'key', kind: 'bearer', credentials: { token: value }, allowed_hosts: [] }],
  ])('are required for a new entry: %s %#', async (path, body) => {
    const refused = await server.post(path, body)
    expect([refused.status, refused.body.error.code]).toEqual([400, 'VALIDATION_FAILED'])
    const { problems } = refused.body.error.details
    expect(problems).toMatchObject([{ path: 'allowed_hosts' }])
    expect(problems[0].message).toMatch(/at least one host.*such as api\.example\.com/)
    expect((await server.call(path)).body.total).toBe(0)
  })

  test('cannot be removed, and a secret without them can be replaced and limited', async () => {
    await server.post('/secrets', { name: 'limited', value, allowed_hosts: ['a.example'] })
    await storeWithoutHosts()
    const put = (name: string, body: object) => server.call(`/secrets/${name}`, { method: 'PUT', body })
    for (const name of ['limited', 'key']) {
      const emptied = await put(name, { allowed_hosts: [], value })
      expect([emptied.status, emptied.body.error.details.problems[0].path]).toEqual([400, 'allowed_hosts'])
    }
    expect((await put('key', { value: 'its value from tomorrow' })).body.allowed_hosts).toEqual([])
    expect((await put('key', { allowed_hosts: ['b.example'] })).body.allowed_hosts).toEqual(['b.example'])
  })
})

describe('a stored secret without hosts', () => {
  test('is sent by a flow of its owner, who is warned', async () => {
    await storeWithoutHosts()
    const { id, warnings } = await save('nora')
    expect(JSON.stringify(warnings)).toContain('secret_any_host')
    expect((await run(id)).status).toBe(200)
    expect(sent()).toEqual([value])
  })

  test('is not sent by the flow of another account, until it has hosts', async () => {
    await storeWithoutHosts()
    const { id } = await save('mara')
    const refused = await run(id)
    expect([refused.status, refused.error.code]).toEqual([422, 'EXTERNAL_API_REFUSED'])
    expect(refused.error.message).toMatch(/secret "key" has no allowed hosts.*allowed_hosts/)
    expect(sent()).toEqual([])
    await server.call('/secrets/key', { method: 'PUT', body: { allowed_hosts: [`http://${api.host}`] } })
    expect((await run(id)).status).toBe(200)
    expect(sent()).toEqual([value])
  })

  test('is not sent by a flow that the platform has created', async () => {
    await storeWithoutHosts()
    expect((await run(await server.save([callStep()]))).status).toBe(422)
    expect(sent()).toEqual([])
  })

  test('is not sent by a sub-flow of another account, and by one of its owner', async () => {
    await storeWithoutHosts()
    const [foreign, own] = [await save('mara'), await save('nora')]
    const inOwn = await save('nora', calling(foreign.id))
    expect((await run(inOwn.id)).error.code).toBe('EXTERNAL_API_REFUSED')
    expect(sent()).toEqual([])
    const inForeign = await save('mara', calling(own.id))
    expect((await run(inForeign.id)).status).toBe(200)
    expect(sent()).toEqual([value])
  })

  test('is not sent by an item of for_each in a sub-flow of another account', async () => {
    await storeWithoutHosts()
    const each = { id: 'each', type: 'for_each', items: 'list', steps: [callStep()] }
    const foreign = await save('mara', [each])
    const own = await save('nora', [
      { id: 'sub', type: 'sub_flow', flow: foreign.id, input: { list: [1, 2] } },
    ])
    expect((await run(own.id)).error.code).toBe('EXTERNAL_API_REFUSED')
    const ownEach = await save('nora', [each])
    expect(sent()).toEqual([])
    expect((await run(ownEach.id)).status).toBe(200)
    expect(sent()).toEqual([value, value])
  })

  test('is not sent by a version that another account has saved', async () => {
    await storeWithoutHosts()
    const { id } = await save('nora')
    await change(id, 'mara', [callStep('moved')])
    expect((await run(id)).error.code).toBe('EXTERNAL_API_REFUSED')
    expect(sent()).toEqual([])
    await change(id, 'nora', [callStep('back')])
    expect((await run(id)).status).toBe(200)
    expect(api.requests.map(({ url }) => url)).toEqual(['/back'])
  })

  test('is not sent by the flow of another account that its owner has changed', async () => {
    await storeWithoutHosts()
    const { id } = await save('mara')
    await change(id, 'nora', [callStep(), { ...callStep('own'), dependencies: ['call'] }])
    expect((await run(id)).error.code).toBe('EXTERNAL_API_REFUSED')
    expect(sent()).toEqual([])
  })

  test('is not sent by a flow whose id another account has taken over', async () => {
    await storeWithoutHosts()
    const { id } = await save('nora')
    const first = await run(id)
    await server.call(`/flows/${id}`, { method: 'DELETE' })
    await server.post('/flows', { flow_definition: definitionOf(id, [callStep('taken')]) }, { as: 'mara' })
    expect((await run(id)).error.code).toBe('EXTERNAL_API_REFUSED')
    const rerun = await server.post(`/executions/${first.id}/rerun`, { version: 'latest' })
    expect(rerun.status).toBe(202)
    expect(await endOf(rerun.body.execution_id)).toMatchObject(refusal)
    expect(sent()).toEqual([value])
  })

  test('is not sent after a recovery with the version of another account', async () => {
    await storeWithoutHosts()
    const { id } = await save('nora')
    api.script(400)
    const failed = await run(id)
    expect(failed.status).toBe(502)
    await change(id, 'mara', [callStep('moved')])
    const recovered = await server.post(`/executions/${failed.id}/recover`, {
      action: 'restart_from_checkpoint',
      flow_version: 'latest',
    })
    expect(recovered.status).toBeLessThan(300)
    expect(await endOf(failed.id)).toMatchObject(refusal)
    expect(api.requests.map(({ url }) => url)).toEqual(['/call'])
  })

  test('is sent by an unsaved flow of its owner, and not when another account runs this again', async () => {
    await storeWithoutHosts()
    const flow_definition = definitionOf('tried', [callStep()])
    const tried = await server.post('/flows/try', { flow_definition, context: {} })
    expect(tried.status).toBe(202)
    expect(await endOf(tried.body.execution_id)).toBeNull()
    expect(sent()).toEqual([value])
    await server.database.query('delete from connections')
    await storeWithoutHosts('key', 'mara')
    const again = await server.post(
      `/executions/${tried.body.execution_id}/rerun`,
      { version: 'same' },
      { as: 'mara' },
    )
    expect(again.status).toBe(202)
    expect(await endOf(again.body.execution_id)).toMatchObject(refusal)
    expect(sent()).toEqual([value])
  })
  test('is not sent by a flow of another account that an agent calls as a tool', async () => {
    await storeWithoutHosts()
    const [foreign, own] = [await save('mara'), await save('nora')]
    for (const [flow, expected] of [
      [foreign.id, []],
      [own.id, [value]],
    ] as const) {
      openai.script(asks(['fetch', { content: 'x' }]), says('Done.'))
      const { id } = await save('nora', agentWith(flow))
      expect((await run(id)).status).toBe(200)
      expect(sent()).toEqual(expected)
    }
    const toModel = JSON.stringify(openai.requests.map(({ body }) => body))
    expect(toModel).toContain('has no allowed hosts, so only flows of its owner may send it')
  })

  test('is not sent when a trigger of its owner starts the flow of another account', async () => {
    await storeWithoutHosts()
    const [foreign, own] = [await save('mara'), await save('nora')]
    const started = await sendTo(await createHook(server, foreign.id, {}), {})
    expect(await endOf(started.body.execution_id)).toMatchObject(refusal)
    expect(sent()).toEqual([])
    const startedOwn = await sendTo(await createHook(server, own.id, {}), {})
    expect(await endOf(startedOwn.body.execution_id)).toBeNull()
    expect(sent()).toEqual([value])
  })

  test('is not sent by a fork of the version of another account', async () => {
    await storeWithoutHosts()
    const { id } = await save('nora')
    const first = await run(id)
    await change(id, 'mara', [callStep('moved')])
    const fork = await server.post(`/executions/${first.id}/fork`, {
      from_step: 'moved',
      flow_version: 'latest',
    })
    expect(fork.status).toBe(202)
    expect(await endOf(fork.body.execution_id)).toMatchObject(refusal)
    expect(api.requests.map(({ url }) => url)).toEqual(['/call'])
  })
})
