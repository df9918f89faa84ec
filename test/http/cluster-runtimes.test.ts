import { Ollama } from 'ollama'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  startClusterService,
  startServiceFor,
  type TestClusterService,
  waitForNodes,
} from '../support/cluster-service.ts'
import {
  type CompatibleNode,
  type CompatibleNodeState,
  startCompatibleNode,
} from '../support/compatible-node.ts'
import { startModelNode } from '../support/model-node.ts'

const model = 'Qwen/Qwen3-0.6B'
const sentence = 'The sky is blue because of how light scatters.'
const messages = [{ role: 'user', content: 'Why is the sky blue?' }]
const runtimes = ['vllm', 'sglang', 'llama.cpp', 'lmstudio', 'tgi', 'openai'] as const

const tool = (name: string) => ({
  type: 'function',
  function: {
    name,
    description: 'Weather',
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
})

type Line = Readonly<Record<string, unknown>> & {
  readonly message?: { readonly content: string; readonly thinking?: string; readonly tool_calls?: unknown[] }
  readonly response?: string
}

async function readLines(response: Response): Promise<readonly Line[]> {
  const text = await response.text()
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
}

const closing = new AsyncDisposableStack()
/** Processes that become another runtime for each test: starting one takes longer than most tests. */
let node: CompatibleNode
let other: CompatibleNode

beforeAll(async () => {
  node = closing.use(await startCompatibleNode({ runtime: 'vllm' }))
  other = closing.use(await startCompatibleNode({ runtime: 'vllm' }))
})
afterAll(() => closing.disposeAsync())

const turnInto = (
  changed: CompatibleNode,
  state: Partial<CompatibleNodeState> & Pick<CompatibleNodeState, 'runtime'>,
) => changed.set({ models: [model], isOld: false, isSick: false, thinks: false, ...state })

describe.each(runtimes)('a node with %s', (runtime) => {
  let service: TestClusterService
  let client: Ollama

  beforeAll(async () => {
    await turnInto(node, { runtime })
    service = await startServiceFor([node])
    client = new Ollama({ host: service.url })
  })
  afterAll(() => service.close())

  test('is recognised, with its models', async () => {
    const [record] = service.cluster.nodes()
    expect(record).toMatchObject({ status: 'healthy', runtime, models: [model], loaded_models: [model] })
    const overview = (await (await service.get('/api/cluster/status')).json()) as { nodes: object[] }
    expect(overview.nodes).toMatchObject([{ runtime }])
  })

  test('is in the lists of both APIs', async () => {
    const { models } = await client.list()
    expect(models).toMatchObject([{ name: model, model, details: { family: runtime } }])
    expect(models[0]?.digest).toMatch(/^[0-9a-f]{64}$/)
    expect((await client.ps()).models).toMatchObject([{ name: model }])
    const listed = await (await service.get('/v1/models')).json()
    expect(listed).toMatchObject({ data: [{ id: model, object: 'model' }] })
  })

  test('serves /v1, byte for byte', async () => {
    const body = JSON.stringify({ model, messages, max_tokens: 3, metadata: { kept: true } })
    const answer = await service.post('/v1/chat/completions', body)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ choices: [{ message: { content: 'The sky is' } }] })
    expect((await node.stats()).last?.body).toEqual(JSON.parse(body))
  })

  test('chats by the native API, in one piece and streamed', async () => {
    const whole = await client.chat({ model, messages })
    expect(whole).toMatchObject({
      model,
      message: { role: 'assistant', content: sentence },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 11,
      eval_count: 10,
    })
    expect(whole.total_duration).toBeGreaterThan(0)
    const streamed = await service.post('/api/chat', { model, messages })
    expect(streamed.headers.get('content-type')).toBe('application/x-ndjson')
    expect(streamed.headers.get('x-cluster-node')).toBe(service.cluster.nodes()[0]?.id)
    const lines = await readLines(streamed)
    expect(lines.map(({ message }) => message?.content).join('')).toBe(sentence)
    expect(lines).toHaveLength(11)
    expect(lines.at(-1)).toMatchObject({ model, done: true, prompt_eval_count: 11, eval_count: 10 })
    expect(lines.at(-1)).toHaveProperty('eval_duration')
  })

  test('generates by the native API, with a template and without', async () => {
    const whole = await client.generate({ model, prompt: 'Why?', system: 'Be brief.' })
    expect(whole).toMatchObject({ response: sentence, done: true, eval_count: 10 })
    expect((await node.stats()).last).toMatchObject({
      path: '/v1/chat/completions',
      body: {
        messages: [
          { role: 'system', content: 'Be brief.' },
          { role: 'user', content: 'Why?' },
        ],
      },
    })
    const lines = await readLines(
      await service.post('/api/generate', { model, prompt: 'Answer: The sky', raw: true }),
    )
    expect(lines.map(({ response }) => response).join('')).toBe(sentence.slice('The sky'.length))
    expect((await node.stats()).last).toMatchObject({
      path: '/v1/completions',
      body: { prompt: 'Answer: The sky' },
    })
  })

  test('calls tools by the native API, in one piece and streamed', async () => {
    const tools = [tool('get_weather'), tool('get_time')]
    const wanted = tools.map(({ function: { name } }, index) => ({
      function: { name, arguments: { city: `Paris ${index}` } },
    }))
    const whole = await client.chat({ model, messages, tools })
    expect(whole.message.tool_calls).toMatchObject(wanted)
    const lines = await readLines(await service.post('/api/chat', { model, messages, tools }))
    expect(lines.flatMap(({ message }) => message?.tool_calls ?? [])).toMatchObject(wanted)
    // The result of a tool goes back with the id of its call.
    const asked = {
      role: 'assistant',
      content: '',
      tool_calls: [{ function: { name: 'get_time', arguments: { city: 'Rome' } } }],
    }
    await client.chat({
      model,
      messages: [...messages, asked, { role: 'tool', content: '12:00', tool_name: 'get_time' }],
    })
    const { messages: sent } = (await node.stats()).last?.body ?? {}
    expect(sent).toMatchObject([
      {},
      {
        role: 'assistant',
        tool_calls: [
          { id: 'call_1_0', type: 'function', function: { name: 'get_time', arguments: '{"city":"Rome"}' } },
        ],
      },
      { role: 'tool', content: '12:00', tool_call_id: 'call_1_0' },
    ])
  })

  test('gets options, images and a schema in its own form', async () => {
    const schema = { type: 'object', properties: { sky: { type: 'string' } } }
    const options = {
      temperature: 0.2,
      num_predict: 4,
      stop: ['END'],
      seed: 7,
      top_p: 0.9,
      num_ctx: 8192,
      top_k: 5,
    }
    const answer = await service.post('/api/chat', {
      model,
      messages: [{ role: 'user', content: 'What is this?', images: ['iVBORw0KGgoAAAA'] }],
      format: schema,
      options,
      keep_alive: '5m',
      stream: false,
    })
    expect(await answer.json()).toMatchObject({ done_reason: 'length', eval_count: 4 })
    const body = (await node.stats()).last?.body ?? {}
    expect(body).toMatchObject({
      temperature: 0.2,
      max_tokens: 4,
      stop: ['END'],
      seed: 7,
      top_p: 0.9,
      stream: false,
    })
    expect(body).not.toHaveProperty('options')
    expect(body).not.toHaveProperty('num_ctx')
    expect(body['messages']).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is this?' },
          { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBORw0KGgoAAAA' } },
        ],
      },
    ])
    const format =
      runtime === 'tgi'
        ? { type: 'json_object', value: schema }
        : { type: 'json_schema', json_schema: { schema } }
    expect(body['response_format']).toMatchObject(format)
    const knowsTopK = runtime !== 'tgi' && runtime !== 'openai'
    expect(body['top_k']).toBe(knowsTopK ? 5 : undefined)
    expect(answer.headers.get('x-cluster-ignored')).toBe(knowsTopK ? null : 'options.top_k')
  })

  test('embeds by both native paths, in the order of the inputs', async () => {
    const answer = await service.post('/api/embed', { model, input: ['one', 'two'] })
    if (runtime === 'llama.cpp') {
      expect(answer.status).toBe(400)
      expect(await answer.json()).toEqual({
        error: 'This server does not support embeddings. Start it with `--embeddings`',
      })
      return
    }
    const many = (await answer.json()) as { embeddings: number[][] }
    expect(many).toMatchObject({ model, prompt_eval_count: 8 })
    expect(many.embeddings.map(([first]) => first)).toEqual([0, 1])
    const { embedding } = await client.embeddings({ model, prompt: 'one' })
    expect(embedding).toEqual(many.embeddings[0])
  })

  test('works with the command-line client: greeting, description and loading', async () => {
    for (const method of ['GET', 'HEAD']) {
      const greeting = await fetch(`${service.url}/`, { method })
      expect(greeting.status).toBe(200)
      expect(await greeting.text()).toBe(method === 'GET' ? 'Ollama is running' : '')
    }
    expect(await (await service.get('/api/version')).json()).toEqual({
      version: expect.stringMatching(/^\d+\.\d+/),
    })
    const shown = await client.show({ model })
    expect(shown).toMatchObject({ details: { family: runtime }, model_info: { 'general.basename': model } })
    expect(shown.capabilities).toContain('completion')
    const before = (await node.stats()).counts['/v1/chat/completions']
    const loaded = await client.generate({ model, prompt: '' })
    expect(loaded).toMatchObject({ done: true, done_reason: 'load', response: '' })
    expect((await node.stats()).counts['/v1/chat/completions']).toBe(before)
  })

  test.each<[string, object, string]>([
    ['/api/chat', { messages: 'no list' }, 'messages must be'],
    ['/api/chat', { messages: [{ role: 'king', content: 'x' }] }, 'role'],
    ['/api/chat', { messages, options: { temperature: 'hot' } }, 'temperature'],
    [
      '/api/generate',
      { prompt: 'x', template: '{{ .Prompt }}' },
      'template needs a node with the native API',
    ],
    ['/api/generate', { prompt: 'x', context: [1, 2] }, 'context needs a node with the native API'],
    ['/api/embed', { input: [] }, 'input'],
    ['/api/embed', {}, 'input is required'],
  ])('refuses an invalid body of %s: %j', async (path, body, message) => {
    const answer = await service.post(path, { model, ...body })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toEqual({ error: expect.stringContaining(message) })
    expect(service.cluster.nodes()).toMatchObject([{ status: 'healthy', active_connections: 0 }])
  })

  test('passes its errors on in the native form', async () => {
    const status = runtime === 'tgi' ? 422 : 400
    await node.set({ refusal: { status, message: 'the prompt is too long' } })
    try {
      for (const stream of [true, false]) {
        const answer = await service.post('/api/chat', { model, messages, stream })
        expect(answer.status).toBe(400)
        expect(await answer.json()).toEqual({ error: 'the prompt is too long' })
      }
    } finally {
      await node.set({ refusal: undefined })
    }
  })

  test('ends a stream that breaks with an error line', async () => {
    await node.set({ breaksAfter: 2 })
    try {
      const lines = await readLines(await service.post('/api/chat', { model, messages }))
      expect(lines).toHaveLength(3)
      expect(lines.at(-1)).toEqual({ error: 'EngineCore encountered an issue.' })
    } finally {
      await node.set({ breaksAfter: undefined })
    }
  })

  test('counts its tokens in the traffic', async () => {
    const read = async () =>
      (await (await service.get('/api/cluster/traffic')).json()) as Record<string, number>
    const before = await read()
    await (await service.post('/api/chat', { model, messages })).text()
    const after = await read()
    expect((after['requests'] ?? 0) - (before['requests'] ?? 0)).toBe(1)
    expect((after['completion_tokens'] ?? 0) - (before['completion_tokens'] ?? 0)).toBe(10)
  })
})

describe('reasoning', () => {
  test('is in the field of the native API, and left out if it is turned off', async () => {
    await turnInto(node, { runtime: 'vllm', thinks: true })
    await using service = await startServiceFor([node])
    const lines = await readLines(await service.post('/api/chat', { model, messages, think: true }))
    expect(lines.map(({ message }) => message?.thinking ?? '').join('')).toBe('Light, I think.')
    expect((await node.stats()).last?.body).toMatchObject({ chat_template_kwargs: { enable_thinking: true } })
    const whole = await (await service.post('/api/chat', { model, messages, stream: false })).json()
    expect(whole).toMatchObject({ message: { content: sentence, thinking: 'Light, I think.' } })
    const off = await (
      await service.post('/api/chat', { model, messages, think: false, stream: false })
    ).json()
    expect(off).not.toHaveProperty('message.thinking')
    expect((await node.stats()).last?.body).toMatchObject({
      chat_template_kwargs: { enable_thinking: false },
    })
  })
})

describe('a runtime', () => {
  test.each<[string, Partial<CompatibleNodeState>, object]>([
    [
      'lmstudio',
      { models: [model, 'nomic-embed'] },
      { models: ['Qwen/Qwen3-0.6B', 'nomic-embed'], loaded_models: [model] },
    ],
    ['tgi', { isOld: true }, { runtime: 'tgi', version: '3.3.4', models: [model] }],
    ['llama.cpp', {}, { runtime: 'llama.cpp', version: 'b6900-2f68ce7cf' }],
    ['vllm', {}, { runtime: 'vllm', version: '0.11.0' }],
  ])('%s reports what it has: %j', async (runtime, state, expected) => {
    await turnInto(node, { runtime: runtime as CompatibleNodeState['runtime'], ...state })
    await using service = await startServiceFor([node])
    expect(service.cluster.nodes()).toMatchObject([expected])
  })

  test('that is set is not guessed, in a setting and by an operator', async () => {
    await turnInto(node, { runtime: 'openai' })
    await turnInto(other, { runtime: 'vllm' })
    await using service = await startClusterService({
      environment: { CLUSTER_NODES: `sglang+${node.url}=2` },
    })
    const [first] = await waitForNodes(service.cluster, ([record]) => record?.status === 'healthy')
    expect(first).toMatchObject({ runtime: 'sglang', weight: 2, url: node.url })
    const added = await service.post('/api/cluster/nodes', { url: other.url, runtime: 'tgi' })
    expect(added.status).toBe(201)
    expect(await added.json()).toMatchObject({ runtime: 'tgi' })
    const records = await waitForNodes(service.cluster, ([, record]) => record?.status === 'healthy')
    expect(records[1]).toMatchObject({ runtime: 'tgi' })
    const unknown = await service.post('/api/cluster/nodes', { url: 'http://localhost:1', runtime: 'abacus' })
    expect(unknown.status).toBe(400)
  })

  test('is recognised again when another program takes the address', async () => {
    await turnInto(node, { runtime: 'vllm' })
    await using service = await startServiceFor([node])
    for (const runtime of ['tgi', 'llama.cpp', 'openai'] as const) {
      await turnInto(node, { runtime })
      await waitForNodes(service.cluster, ([record]) => record?.runtime === runtime)
    }
  })

  test('whose /health fails gets no requests', async () => {
    await turnInto(node, { runtime: 'vllm' })
    await turnInto(other, { runtime: 'llama.cpp' })
    await using service = await startServiceFor([node, other])
    await node.set({ isSick: true })
    const [record] = await waitForNodes(service.cluster, ([first]) => first?.status === 'unhealthy')
    expect(record?.last_error).toBe('/health answered with status 503')
    const answer = await service.post('/api/chat', { model, messages, stream: false })
    expect(answer.headers.get('x-cluster-node')).toBe(service.cluster.nodes()[1]?.id)
  })
})

describe('native and other nodes together', () => {
  test('serve the same model; requests with fields of the native API go to native nodes', async () => {
    await using native = await startModelNode({ models: [`${model}:latest`] })
    await turnInto(other, { runtime: 'vllm' })
    await using service = await startServiceFor([native, other])
    const [nativeId, otherId] = service.cluster.nodes().map(({ id }) => id)
    const nodesOf = async (body: object) => {
      const ids = new Set<string | null>()
      for (let count = 0; count < 4; count += 1) {
        const answer = await service.post('/api/generate', { model, prompt: 'Why?', stream: false, ...body })
        expect(answer.status).toBe(200)
        ids.add(answer.headers.get('x-cluster-node'))
        await answer.text()
      }
      return [...ids]
    }
    // The other node has its model in memory and comes first; it is at its limit for the second kind of request only.
    expect(await nodesOf({})).toEqual([otherId])
    expect(await nodesOf({ template: '{{ .Prompt }}' })).toEqual([nativeId])
    expect(await nodesOf({ prompt: '' })).toEqual([nativeId])
  })

  test('a killed node loses no request', async () => {
    await using dying = await startCompatibleNode({ runtime: 'vllm', delayMs: 300 })
    await turnInto(other, { runtime: 'tgi', delayMs: 300 })
    await using service = await startServiceFor([dying, other], { HEALTH_CHECK_INTERVAL: '1h' })
    const asked = Array.from({ length: 20 }, (_unused, index) =>
      service.post(index % 2 === 0 ? '/api/chat' : '/v1/chat/completions', {
        model,
        messages,
        stream: index % 4 > 1,
      }),
    )
    await waitForNodes(service.cluster, () => true)
    await dying.kill()
    const answers = await Promise.all(asked)
    for (const answer of answers) {
      expect(`${answer.status} ${await answer.text()}`).toMatch(/^200 .*sky/s)
    }
  })
})
