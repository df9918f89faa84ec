import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { asks, says } from '../database/engine-tool-agent-scene.ts'
import type { ReceivedCall } from '../fixtures/mcp-tools.ts'
import { eventually } from '../support/eventually.ts'
import { fetchWithinRate } from '../support/fetch-within-rate.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { basicAuth, openPlatform, type PlatformInProcess } from '../support/platform.ts'
import { startProcess } from '../support/process.ts'
import { readAttributes, startCollector } from '../support/trace-collector.ts'

const closing = new AsyncDisposableStack()
const token = 'tok-0123456789abcdef'
let platform: PlatformInProcess
let openai: OpenAiServer
let collector: Awaited<ReturnType<typeof startCollector>>
let mcp: string
let api: string
let flows = 0

type Body = Readonly<Record<string, unknown>>

async function call(path: string, method = 'GET', body?: object): Promise<{ status: number; body: Body }> {
  const answer = await fetchWithinRate(`${platform.url}${path}`, {
    method,
    headers: { ...basicAuth(platform), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  return { status: answer.status, body: (await answer.json()) as Body }
}

const workflows = (path: string, method?: string, body?: object) =>
  call(`/ai-workflows/api${path}`, method, body)

/** An OpenAPI document, and an API that repeats the credentials it gets. */
const document = {
  openapi: '3.0.3',
  servers: [{ url: '/' }],
  paths: {
    '/orders/{id}': {
      get: {
        operationId: 'getOrder',
        summary: 'Reads an order.',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
      },
    },
  },
}
let documentReads = 0

beforeAll(async () => {
  openai = closing.use(await startOpenAiServer({ apiKey: 'sk-right' }))
  collector = closing.use(await startCollector())
  const server = closing.use(
    await startProcess({
      file: new URL('../fixtures/mcp-http-server.ts', import.meta.url),
      args: ['tools'],
    }),
  )
  mcp = `http://127.0.0.1:${await server.waitForLine(/^\d+$/)}`
  const shop = createServer((request, response) => {
    response.setHeader('content-type', 'application/json')
    if (request.url === '/openapi.json') {
      documentReads += 1
      response.end(JSON.stringify(document))
    } else response.end(JSON.stringify({ path: request.url, seen: request.headers.authorization ?? null }))
  })
  shop.listen(0, '127.0.0.1')
  await once(shop, 'listening')
  closing.defer(() => void shop.close())
  api = `http://127.0.0.1:${(shop.address() as AddressInfo).port}`
  platform = closing.use(
    await openPlatform({
      TUTTI_OUTBOUND_ALLOW: '127.0.0.1',
      TUTTI_SECRET: 'a secret of at least thirty-two characters',
      OPENAI_API_KEY: 'sk-right',
      OPENAI_BASE_URL: openai.baseUrl,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
    }),
  )
  for (const [name, allow_flows] of [
    ['files', true],
    ['watched', false],
  ] as const) {
    const transport = { type: 'http', url: `${mcp}/mcp`, headers: { Authorization: 'Bearer let-me-in' } }
    const { body } = await call('/admin/mcp/servers', 'POST', { name, transport, allow_flows })
    const probe = () => call(`/admin/mcp/servers/${String(body['id'])}/probe`, 'POST')
    await eventually(async () => (await probe()).body['state'] !== 'offline', 300)
  }
  await workflows('/connections', 'POST', {
    name: 'shop',
    kind: 'bearer',
    credentials: { token },
    allowed_hosts: ['http://127.0.0.1'],
  })
})
afterAll(() => closing.disposeAsync())

const agent = (tools: readonly object[], more: object = {}) => ({
  id: 'helper',
  type: 'tool_agent',
  prompt: 'Help with {{content}}',
  ai_options: { model: 'gpt-4o-mini' },
  tools,
  ...more,
})

async function save(step: object) {
  flows += 1
  const id = `agent_flow_${flows}`
  const saved = await workflows('/flows', 'POST', { flow_definition: { id, label: id, steps: [step] } })
  return { id, ...saved }
}

async function run(step: object) {
  const { id: flow_id, status } = await save(step)
  expect(status).toBe(201)
  const started = await workflows('/execute-flow', 'POST', { flow_id, context: { content: 'this' } })
  return { ...started, flow_id, id: String(started.body['execution_id']) }
}

async function received(): Promise<ReceivedCall[]> {
  return (await (await fetch(`${mcp}/calls`)).json()) as ReceivedCall[]
}

/** The last request of a conversation; the list of models is read in between. */
const lastChat = () => openai.requests.findLast(({ path }) => path.endsWith('/chat/completions'))?.body

const lastMessage = () =>
  (lastChat()?.['messages'] as { role: string; content: string }[] | undefined)?.at(-1)

describe('over an MCP server', () => {
  let before: number
  beforeEach(async () => {
    before = (await received()).length
  })

  test('its tools are called, and the trace has every turn and every call', async () => {
    openai.script(asks(['echo', { text: 'hello' }]), says('It said hello.'))
    const { status, body, id } = await run(agent([{ type: 'mcp', server: 'files', tools: ['echo', 'fail'] }]))
    expect(status).toBe(200)
    expect(body).toMatchObject({ success: true, result: 'It said hello.' })
    expect((await received()).slice(before)).toEqual([
      { tool: 'echo', input: { text: 'hello' }, key: `${id}/helper/1/$call_0` },
    ])
    const tools = lastChat()?.['tools'] as { function: { name: string } }[]
    expect(tools.map((tool) => tool.function.name)).toEqual(['echo', 'fail'])
    const scopes = await workflows(`/executions/${id}/trace?within=helper`)
    expect(scopes.body).toMatchObject({ scopes: [{ index: 0 }, { index: 1 }, { index: 2 }] })
    const turn = await workflows(`/executions/${id}/trace?within=helper/0`)
    expect(turn.body).toMatchObject({ steps: [{ step_id: 'helper/0/$turn', step_type: 'agent_turn' }] })
    const calls = await workflows(`/executions/${id}/trace?within=helper/1`)
    expect(calls.body).toMatchObject({
      steps: [{ step_id: 'helper/1/$call_0', step_type: 'agent_tool_call', state: 'completed' }],
    })
    const { body: step } = await workflows(
      `/executions/${id}/steps/${encodeURIComponent('helper/1/$call_0')}`,
    )
    expect(step).toMatchObject({
      output: { tool: 'echo', is_error: false },
      details: { tool: 'echo', server: 'files', arguments: { text: 'hello' } },
    })
  })

  test('every call is a span of the OpenTelemetry conventions, without arguments and results', async () => {
    openai.script(asks(['echo', { text: 'hello' }], ['fail', { text: 'private' }]), says('Done.'))
    const { id } = await run(agent([{ type: 'mcp', server: 'files', tools: ['echo', 'fail'] }]))
    const found = () =>
      collector
        .spans()
        .filter(({ name }) => name.startsWith('execute_tool'))
        .filter((span) => readAttributes(span.attributes)['tutti.execution.id'] === id)
    await eventually(() => found().length === 2, 300)
    const [echo, fail] = found().toSorted((one, other) => one.name.localeCompare(other.name))
    expect(echo?.name).toBe('execute_tool echo')
    expect(readAttributes(echo?.attributes)).toEqual({
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'echo',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': 'call_0',
      'tutti.execution.id': id,
      'tutti.step.id': 'helper/1/$call_0',
      'tutti.tool.source': 'mcp',
    })
    expect(echo?.status.code ?? 0).toBe(0)
    expect(fail).toMatchObject({ name: 'execute_tool fail', status: { code: 2 } })
    expect(readAttributes(fail?.attributes)).toMatchObject({ 'error.type': 'tool_error' })
    expect(JSON.stringify(found())).not.toMatch(/hello|private|does not exist/)
  })

  test('a server that is only monitored cannot be called, and saving warns', async () => {
    const step = agent([{ type: 'mcp', server: 'watched' }])
    const { body: saved } = await save(step)
    expect(JSON.stringify(saved)).toContain('Flows may not call the MCP server')
    const { body } = await run(step)
    expect(body).toMatchObject({
      error: { code: 'INVALID_STEP', message: expect.stringContaining('allow_flows') },
    })
    expect(await received()).toHaveLength(before)
  })

  test.each([
    [{ approved: true }, 'You said hello.'],
    [{ approved: false }, 'Not called: a person rejected the call: Not today'],
  ])('a call waits for its approval without a worker: %j', async (answer, result) => {
    openai.script(asks(['echo', { text: 'hello' }]), says('Done.'))
    const { status, body, id } = await run(
      agent([{ type: 'mcp', server: 'files', tools: ['echo'], approval: 'arguments.text == "hello"' }]),
    )
    expect(status).toBe(202)
    expect(body['suspended']).not.toBeNull()
    const [row] = await platform.database.query<{ work_state: string }>(
      'select work_state from engine_executions where id = $1',
      [id],
    )
    expect(row?.work_state).toBe('suspended')
    expect(await received()).toHaveLength(before)
    const { body: listed } = await workflows(`/human-tasks?execution=${id}`)
    const [task] = listed['tasks'] as { id: string; message: string; step_id: string }[]
    expect(task).toMatchObject({
      step_id: 'helper/1/$approve_0',
      message: expect.stringMatching(/tool \*\*echo\*\*[^]*\{"text":"hello"\}/),
    })
    const trace = await workflows(`/executions/${id}/trace?within=helper/1`)
    expect(trace.body).toMatchObject({ steps: [{ step_id: 'helper/1/$approve_0', state: 'suspended' }, {}] })
    await workflows(`/human-tasks/${task?.id}/answer`, 'POST', { answer, comment: 'Not today' })
    await eventually(async () => (await workflows(`/executions/${id}`)).body['status'] === 'completed', 300)
    expect(lastMessage()?.content).toContain(result)
    expect(await received()).toHaveLength(before + (answer.approved ? 1 : 0))
  })
})

test('placeholders name the assignees of an approval and its timeout', async () => {
  openai.script(asks(['calculator', { expression: '1 + 1' }]), says('Done.'))
  const { id } = await run(
    agent([{ type: 'builtin', name: 'calculator', approval: 'always' }], {
      approvals: {
        assignees: {
          accounts: ['{{= content == "this" ? "admin" : "boss"}}'],
          roles: ['{{content ?? "x"}}'],
        },
        timeout: '{{= 1 + 1}}h',
      },
    }),
  )
  const { body: listed } = await workflows(`/human-tasks?execution=${id}`)
  expect(listed['tasks']).toMatchObject([
    { assignees: { accounts: ['admin'], roles: ['this'] }, step_id: 'helper/1/$approve_0' },
  ])
  const [task] = listed['tasks'] as { id: string; created_at: number; expires_at: number }[]
  expect((task?.expires_at ?? 0) - (task?.created_at ?? 0)).toBe(7200)
  const { body: waiting } = await workflows(`/executions/${id}`)
  expect(waiting['warnings']).toMatchObject([{ type: 'unknown_role', step: 'helper/1/$approve_0' }])
  await workflows(`/human-tasks/${task?.id}/answer`, 'POST', { answer: { approved: true } })
  await eventually(async () => (await workflows(`/executions/${id}`)).body['status'] === 'completed', 300)
})

test('the sample works as a user copies it, with an approval', async () => {
  const { body: sample } = await workflows('/flows/agent_over_mcp')
  const definition = sample['flow_definition'] as { steps: Body[] }
  const steps = definition.steps.map((step) => ({ ...step, ai_options: { model: 'gpt-4o-mini' } }))
  const flow_id = 'my_agent_over_mcp'
  const saved = await workflows('/flows', 'POST', {
    flow_definition: { ...definition, id: flow_id, steps, category: 'own' },
  })
  expect(saved).toMatchObject({ status: 201, body: { validation_results: { warnings: [] } } })
  const before = (await received()).length
  openai.script(
    asks(['echo', { text: 'notes.txt' }]),
    says('It is the notes.'),
    says('{"done": true, "answer": "notes.txt"}'),
  )
  const context = (sample['metadata'] as Body)['sample_input'] as Body
  const { body: started } = await workflows('/execute-flow', 'POST', { flow_id, context })
  const id = String(started['execution_id'])
  const { body: listed } = await workflows(`/human-tasks?execution=${id}`)
  const [task] = listed['tasks'] as { id: string }[]
  expect(await received()).toHaveLength(before)
  await workflows(`/human-tasks/${task?.id}/answer`, 'POST', { answer: { approved: true } })
  await eventually(async () => (await workflows(`/executions/${id}`)).body['status'] === 'completed', 300)
  expect((await workflows(`/executions/${id}`)).body['result']).toEqual({ done: true, answer: 'notes.txt' })
  expect((await received()).slice(before)).toMatchObject([{ tool: 'echo', input: { text: 'notes.txt' } }])
})

async function saveFlow(id: string, steps: readonly object[]): Promise<void> {
  const saved = await workflows('/flows', 'POST', { flow_definition: { id, label: id, steps } })
  expect(saved.status).toBe(201)
}
const flowTool = (flow: string, more: object = {}) => ({
  type: 'flow',
  name: 'greet',
  description: 'Greets a person.',
  flow,
  parameters: { type: 'object', required: ['name'], properties: { name: { type: 'string' } } },
  ...more,
})

describe('over another flow', () => {
  const greet = {
    id: 'say',
    type: 'data_transform',
    transformations: [{ operation: 'generate_summary', template: 'Hello {{name}}' }],
  }

  test('its steps run with the arguments, and its result goes to the model', async () => {
    await saveFlow('greeter', [greet])
    openai.script(asks(['greet', { name: 'Ada {{content}}' }]), says('Done.'))
    const { status, body, id } = await run(agent([flowTool('greeter')]))
    expect(status, JSON.stringify(body)).toBe(200)
    expect(body).toMatchObject({ success: true, result: 'Done.' })
    // An argument is a value, and never a template.
    expect(lastMessage()).toMatchObject({ role: 'tool', content: 'Hello Ada {{content}}' })
    const calls = await workflows(`/executions/${id}/trace?within=helper/1`)
    expect(calls.body).toMatchObject({
      steps: [{ step_id: 'helper/1/$call_0', step_type: 'agent_flow_call', state: 'completed' }],
    })
    const inside = await workflows(
      `/executions/${id}/trace?within=${encodeURIComponent('helper/1/$call_0/0')}`,
    )
    expect(inside.body, JSON.stringify(inside.body)).toMatchObject({
      steps: [{ step_id: 'helper/1/$call_0/0/say', state: 'completed' }],
    })
  })

  test('its failure is a result for the model', async () => {
    await saveFlow('failing', [{ id: 'call', type: 'external_api', api: { url: 'http://127.0.0.1:9/' } }])
    openai.script(asks(['greet', { name: 'Ada' }]), says('It does not work.'))
    const { body } = await run(agent([flowTool('failing')]))
    expect(body).toMatchObject({ success: true, result: 'It does not work.' })
    expect(lastMessage()?.content).toContain('The flow failed: ')
  })

  test('it waits for an approval, and is not run when a person rejects it', async () => {
    openai.script(asks(['greet', { name: 'Ada' }]), says('Fine.'))
    const { id } = await run(agent([flowTool('greeter', { approval: 'always' })]))
    const { body: listed } = await workflows(`/human-tasks?execution=${id}`)
    const [task] = listed['tasks'] as { id: string }[]
    await workflows(`/human-tasks/${task?.id}/answer`, 'POST', { answer: { approved: false } })
    await eventually(async () => (await workflows(`/executions/${id}`)).body['status'] === 'completed', 300)
    expect(lastMessage()?.content).toContain('Not called: a person rejected the call.')
    const { body: steps } = await workflows(
      `/executions/${id}/trace?within=${encodeURIComponent('helper/1/$call_0')}`,
    )
    expect(steps).toMatchObject({ scopes: [] })
  })

  test('it asks a person: no worker is busy until the answer, and its result goes to the model', async () => {
    const approve = { id: 'approve', type: 'human', message: 'May we greet {{name}}?' }
    await saveFlow('asking_greeter', [approve, { ...greet, dependencies: ['approve'] }])
    openai.script(asks(['greet', { name: 'Ada' }]), says('Greeted.'))
    const { status, body, id } = await run(agent([flowTool('asking_greeter')]))
    expect(status, JSON.stringify(body)).toBe(202)
    const [row] = await platform.database.query<{ work_state: string }>(
      'select work_state from engine_executions where id = $1',
      [id],
    )
    expect(row?.work_state).toBe('suspended')
    const { body: listed } = await workflows(`/human-tasks?execution=${id}`)
    const [task] = listed['tasks'] as { id: string; step_id: string; message: string }[]
    expect(task).toMatchObject({
      step_id: 'helper/1/$call_0/0/approve',
      message: 'May we greet Ada?',
    })
    await workflows(`/human-tasks/${task?.id}/answer`, 'POST', { answer: { approved: true } })
    await eventually(async () => (await workflows(`/executions/${id}`)).body['status'] === 'completed', 300)
    expect((await workflows(`/executions/${id}`)).body['result']).toBe('Greeted.')
    expect(lastMessage()).toMatchObject({ role: 'tool', content: 'Hello Ada' })
    // `max_time` does not count the time of the flow.
    const { body: step } = await workflows(
      `/executions/${id}/steps/${encodeURIComponent('helper/1/$call_0')}`,
    )
    expect(step).toMatchObject({ output: { tool: 'greet', text: 'Hello Ada', is_error: false, ms: 0 } })
  })

  test('saving warns about a flow that does not exist or reads more, and refuses a circle', async () => {
    const unknown = await save(agent([flowTool('not_there')]))
    expect(JSON.stringify(unknown.body)).toContain('no flow \\"not_there\\"')
    const missing = await save(
      agent([flowTool('greeter', { parameters: { type: 'object', properties: {} } })]),
    )
    expect(JSON.stringify(missing.body)).toContain('reads name')
    flows += 1
    const own = `agent_flow_${flows}`
    const step = agent([flowTool(own)])
    const circle = await workflows('/flows', 'POST', {
      flow_definition: { id: own, label: own, steps: [step] },
    })
    expect(circle).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('inside itself') } },
    })
  })
})

describe('over HTTP', () => {
  test('the credentials of a connection reach the API, and neither the model nor the trace', async () => {
    openai.script(asks(['order', { id: '7' }]), says('Fine.'))
    const { id, body } = await run(
      agent([
        {
          type: 'http',
          name: 'order',
          description: 'Reads an order.',
          url: `${api}/orders/{{arguments.id}}`,
          parameters: { type: 'object', required: ['id'], properties: { id: { type: 'string' } } },
          connection: 'shop',
        },
      ]),
    )
    expect(body).toMatchObject({ result: 'Fine.' })
    expect(lastMessage()).toMatchObject({
      role: 'tool',
      content: expect.stringContaining('Bearer [secret shop]'),
    })
    const stored = await platform.database.query(`select * from engine_outcomes where execution_id = $1`, [
      id,
    ])
    const events = await platform.database.query(`select * from engine_events where execution_id = $1`, [id])
    const requests = openai.requests.map((request) => request.body)
    expect(JSON.stringify([stored, events, requests])).not.toContain(token)
  })

  test('an OpenAPI operation is read once, when the flow is saved', async () => {
    const reads = documentReads
    const tool = (operation: string) => ({
      type: 'http',
      name: 'order',
      openapi: { url: `${api}/openapi.json`, operation },
    })
    openai.script(asks(['order', { id: 'a b' }]), says('Fine.'))
    const { body, flow_id } = await run(agent([tool('getOrder')]))
    expect(body).toMatchObject({ result: 'Fine.' })
    expect(lastMessage()?.content).toContain('/orders/a%20b')
    expect(documentReads - reads).toBe(1)
    const { body: flow } = await workflows(`/flows/${flow_id}`)
    expect(JSON.stringify(flow)).toContain(`"source":"${api}/openapi.json#getOrder"`)
    const refused = await save(agent([tool('noSuchOperation')]))
    expect(refused).toMatchObject({
      status: 422,
      body: { error: { message: expect.stringContaining('has no operation') } },
    })
  })
})

test('saving warns about a search without a search service', async () => {
  const { status, body } = await save(agent([{ type: 'builtin', name: 'search' }]))
  expect(status).toBe(201)
  expect(JSON.stringify(body)).toContain('TUTTI_SEARCH_URL')
})

test('a saved test replays the turns and the calls, and calls nothing', async () => {
  openai.script(asks(['echo', { text: 'hello' }]), says('It said hello.'))
  const { id, flow_id } = await run(agent([{ type: 'mcp', server: 'files', tools: ['echo'] }]))
  const counts = async () => ({
    chats: openai.requests.filter(({ path }) => path.endsWith('/chat/completions')).length,
    calls: (await received()).length,
  })
  const before = await counts()
  await workflows(`/flows/${flow_id}/tests/good`, 'PUT', { from_execution: id })
  const { body } = await workflows(`/flows/${flow_id}/tests/run`, 'POST', {})
  expect(body).toMatchObject({ passed: true })
  expect(await counts()).toEqual(before)
})

test('the flow of the guide works', async () => {
  const guide = readFileSync(new URL('../../docs/guides/agents-with-tools.md', import.meta.url), 'utf8')
  const [, block = ''] = /^```json\n([\s\S]*?)^```/m.exec(guide) ?? []
  const { steps } = JSON.parse(block.replace('https://api.shop.example', api)) as { steps: object[] }
  openai.script(asks(['get_order', { number: '7' }]), says('It is on its way.'))
  const { body } = await run({ ...steps[0] })
  expect(body).toMatchObject({ result: 'It is on its way.' })
  expect(lastMessage()?.content).toContain('/orders/7')
})

test.each([
  [{ tools: [] }, 'steps[0].tools'],
  [{ tools: [{ type: 'builtin', name: 'shell' }] }, 'steps[0].tools[0]'],
  [{ tools: [{ type: 'flow', flow: 'other' }] }, 'steps[0].tools[0]'],
  [{ prompt: 'Use {{secrets.key}}' }, 'steps[0].prompt'],
  [{ max_turns: 51 }, 'steps[0].max_turns'],
  [
    { tools: [{ type: 'http', name: 'a', description: 'x', url: 'https://{{arguments.host}}/' }] },
    'steps[0].tools[0].url',
  ],
  [
    { tools: [{ type: 'http', name: 'a', description: 'x', url: 'https://a.example/?q={{arguments.q}}' }] },
    'steps[0].tools[0].url',
  ],
  [
    { tools: [{ type: 'builtin', name: 'calculator', approval: 'arguments.' }] },
    'steps[0].tools[0].approval',
  ],
  [{ approvals: { timeout: '2h' } }, 'steps[0].approvals'],
  [{ validation: { min_length: 3 } }, 'steps[0].validation'],
  [{ output_schema: { type: 'nothing' } }, 'steps[0].output_schema'],
])('a step that cannot work is refused with its field: %j', async (more, path) => {
  const { status, body } = await save(agent([{ type: 'builtin', name: 'calculator' }], more))
  expect(status).toBe(422)
  expect(JSON.stringify(body)).toContain(path)
})
