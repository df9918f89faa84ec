import Anthropic from '@anthropic-ai/sdk'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { basicAuth, type OpenPlatform, openPlatform } from '../support/platform.ts'
import { collect, messages, model, text, withNodeThat } from './models-gateway-scene.ts'

const apiKey = 'a-key-of-at-least-twenty-characters'
const seeing = 'llama-vision:11b'
const embedding = 'nomic-embed-text:latest'
const png = 'iVBORw0KGgoAAAANSUhEUg=='
const weather = {
  type: 'function',
  function: {
    name: 'weather',
    description: 'The weather of a city.',
    parameters: { type: 'object', required: ['city'], properties: { city: { type: 'string' } } },
  },
}

let one: ModelNode
let two: ModelNode
let cloud: OpenAiServer
let platform: OpenPlatform
let ollama: Ollama
const stack = new AsyncDisposableStack()

beforeAll(async () => {
  one = stack.use(await startModelNode({ models: [model, seeing, embedding], loaded: [model, seeing] }))
  two = stack.use(await startModelNode({ models: [model], loaded: [model] }))
  cloud = stack.use(await startOpenAiServer({ apiKey: 'sk-right' }))
  platform = stack.use(
    await openPlatform({
      CLUSTER_NODES: `${one.url},${two.url}`,
      OPENAI_BASE_URL: cloud.baseUrl,
      OPENAI_API_KEY: 'sk-right',
      OPENAI_PRICE_LIST: 'openai',
      TUTTI_API_KEY: apiKey,
    }),
  )
  ollama = clientWith({})
  await eventually(async () => (await ollama.list()).models.length === 6)
})
afterAll(() => stack.disposeAsync())

function clientWith(headers: Readonly<Record<string, string>>, key = apiKey): Ollama {
  return new Ollama({
    host: `${platform.url}/ollama`,
    headers: { authorization: `Bearer ${key}`, ...headers },
  })
}

const lastWorkOf = async (node: ModelNode) => {
  const { lastWork } = await node.stats()
  return JSON.parse(lastWork?.body ?? '{}') as Record<string, unknown>
}

describe('the ollama client', () => {
  test('finds the server', async () => {
    for (const path of ['/ollama', '/ollama/']) {
      const found = await fetch(`${platform.url}${path}`)
      expect(await found.text()).toBe('Ollama is running')
      expect((await fetch(`${platform.url}${path}`, { method: 'HEAD' })).status).toBe(200)
    }
    expect((await ollama.version()).version).toMatch(/^\d+\.\d+\.\d+$/)
  })

  test('chats with a node, whose response is passed on as it is', async () => {
    const whole = await ollama.chat({ model: seeing, messages, options: { num_predict: 3 } })
    expect(whole).toEqual({
      model: seeing,
      created_at: '2026-05-04T17:37:44.706015396Z',
      message: { role: 'assistant', content: 'The sky is' },
      done: true,
      done_reason: 'stop',
      total_duration: 174_560_334,
      load_duration: 101_397_084,
      prompt_eval_count: 11,
      prompt_eval_duration: 13_074_791,
      eval_count: 3,
      eval_duration: 52_479_709,
    })
    const lines = await collect(await ollama.chat({ model, messages, stream: true }))
    expect(lines.map(({ message }) => message.content).join('')).toBe(text)
    expect(lines).toHaveLength(11)
    expect(lines.at(-1)).toMatchObject({ done: true, prompt_eval_count: 11, eval_count: 10 })
  })

  test('generates, and the node gets the body unchanged', async () => {
    const body = {
      model: seeing,
      prompt: 'Why?',
      system: 'Be brief.',
      images: [png],
      keep_alive: '5m',
      think: 'high' as const,
      logprobs: true,
      format: { type: 'object' },
      options: { num_predict: 2, num_ctx: 8192, mirostat: 2 },
    }
    const lines = await collect(await ollama.generate({ ...body, stream: true }))
    expect(lines.map(({ response }) => response)).toEqual(['The', ' sky', ''])
    expect(await lastWorkOf(one)).toEqual({ ...body, stream: true })
  })

  test('calls tools and sends their results', async () => {
    const [question] = messages
    const first = await ollama.chat({ model: seeing, messages, tools: [weather] })
    expect(first.message.tool_calls).toEqual([
      { id: 'call_582', function: { index: 0, name: 'weather', arguments: { city: 'Oslo' } } },
    ])
    const streamed = await collect(
      await ollama.chat({ model: seeing, messages, tools: [weather], stream: true }),
    )
    expect(streamed.map(({ message }) => message.tool_calls?.[0]?.function.name)).toEqual([
      'weather',
      undefined,
    ])
    const result = { role: 'tool', content: 'Rain.', tool_name: 'weather' }
    const turns = [question ?? result, first.message, result]
    const answer = await ollama.chat({ model: seeing, messages: turns, tools: [weather] })
    expect(answer.message.content).toBe(text)
    expect((await lastWorkOf(one))['messages']).toEqual(turns)
  })

  test('sends images to a model that can see', async () => {
    const pictured = [{ role: 'user', content: 'What is it?', images: [Buffer.from(png, 'base64')] }]
    expect((await ollama.chat({ model: seeing, messages: pictured })).message.content).toBe(text)
    expect((await lastWorkOf(one))['messages']).toEqual([
      { role: 'user', content: 'What is it?', images: [png] },
    ])
    await expect(ollama.chat({ model, messages: pictured })).rejects.toMatchObject({
      status_code: 400,
      message: `The model "${model}" does not support images (capability "vision").`,
    })
  })

  test('embeds, by both endpoints', async () => {
    const many = await ollama.embed({ model: 'nomic-embed-text', input: ['a', 'b'], truncate: false })
    expect(many).toMatchObject({ model: embedding, total_duration: 14_143_917, prompt_eval_count: 8 })
    expect(many.embeddings).toHaveLength(2)
    expect(await lastWorkOf(one)).toEqual({ model: embedding, input: ['a', 'b'], truncate: false })
    const { embedding: vector } = await ollama.embeddings({ model: embedding, prompt: 'a' })
    expect(vector).toEqual(many.embeddings[0])
    const ofCloud = await ollama.embed({ model: 'text-embedding-3-small', input: 'abc', keep_alive: '5m' })
    expect(ofCloud.embeddings).toEqual([[3, 0, 0.5]])
    const old = await ollama.embeddings({ model: 'text-embedding-3-small', prompt: 'abc' })
    expect(old).toEqual({ embedding: [3, 0, 0.5] })
  })

  test('lists the models of all providers, and those in memory', async () => {
    const { models } = await ollama.list()
    expect(models.map(({ name }) => name)).toEqual([
      'builtin:text',
      model,
      'gpt-4o-mini',
      seeing,
      embedding,
      'text-embedding-3-small',
    ])
    for (const listed of models) {
      expect(listed).toMatchObject({
        model: listed.name,
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
        size: expect.any(Number),
        details: { family: expect.any(String) },
      })
      expect(listed).not.toHaveProperty('nodes')
      expect(Number.isNaN(Date.parse(String(listed.modified_at)))).toBe(false)
    }
    expect(models[1]).toMatchObject({ details: { format: 'gguf', quantization_level: 'Q4_K_M' } })
    const loaded = await ollama.ps()
    expect(loaded.models).toMatchObject([
      { name: model, size_vram: expect.any(Number) },
      { name: seeing, expires_at: expect.any(String) },
    ])
  })

  test('shows models of the cluster and of others', async () => {
    expect(await ollama.show({ model: seeing })).toMatchObject({
      modelfile: `FROM ${seeing}`,
      capabilities: ['completion', 'vision', 'tools', 'thinking'],
      model_info: { 'general.architecture': 'invented' },
    })
    expect(await ollama.show({ model: 'text-embedding-3-small' })).toMatchObject({
      capabilities: ['embedding'],
      details: { family: 'openai' },
    })
    expect(await ollama.show({ model: 'builtin:text' })).toMatchObject({
      capabilities: expect.arrayContaining(['completion']),
    })
    await expect(ollama.show({ model: 'absent:1b' })).rejects.toMatchObject({ status_code: 404 })
  })

  test('loads and unloads models of other providers without a call', async () => {
    const before = cloud.requests.filter(({ method }) => method === 'POST').length
    const other = 'gpt-4o-mini'
    expect(await ollama.generate({ model: other, prompt: '' })).toMatchObject({
      model: other,
      response: '',
      done: true,
      done_reason: 'load',
    })
    expect(await ollama.chat({ model: other, keep_alive: 0 })).toMatchObject({
      message: { role: 'assistant', content: '' },
      done_reason: 'unload',
    })
    const parts = await collect(await ollama.generate({ model: other, prompt: '', stream: true }))
    expect(parts).toMatchObject([{ done: true, done_reason: 'load' }])
    expect(cloud.requests.filter(({ method }) => method === 'POST')).toHaveLength(before)
    await ollama.generate({ model: seeing, prompt: '' })
    expect(await lastWorkOf(one)).toMatchObject({ model: seeing, prompt: '' })
  })

  test('calls models of other providers, whose responses are translated', async () => {
    const whole = await ollama.chat({
      model: 'gpt-4o-mini',
      messages,
      keep_alive: '5m',
      options: { temperature: 0.5, num_ctx: 8192 },
    })
    expect(whole).toMatchObject({
      model: 'gpt-4o-mini',
      message: { role: 'assistant', content: 'The sky is blue.' },
      done: true,
      done_reason: 'stop',
      prompt_eval_count: 11,
      eval_count: 5,
    })
    const pictured = [{ role: 'user', content: 'What is it?', images: [png] }]
    await ollama.chat({ model: 'gpt-4o-mini', messages: pictured, tools: [weather] })
    expect(cloud.lastCall()?.body).toMatchObject({
      messages: [
        {
          role: 'user',
          content: [
            { type: 'text', text: 'What is it?' },
            { type: 'image_url', image_url: { url: `data:image/png;base64,${png}` } },
          ],
        },
      ],
      tools: [weather],
    })
    const lines = await collect(
      await ollama.generate({
        model: 'builtin:text',
        prompt: 'The orchestra plays very well.',
        stream: true,
      }),
    )
    expect(lines.map(({ response }) => response).join('')).toMatch(/\w/)
    await expect(
      ollama.chat({ model: 'gpt-4o-mini', messages, options: { mirostat: 2 } }),
    ).rejects.toMatchObject({ status_code: 400, message: expect.stringContaining('options.mirostat') })
  })

  test.each<[string, () => Promise<unknown>]>([
    ['create', () => ollama.create({ model: 'mine', from: model })],
    ['pull', () => ollama.pull({ model, stream: true })],
    ['push', () => ollama.push({ model })],
    ['copy', () => ollama.copy({ source: model, destination: 'mine' })],
    ['delete', () => ollama.delete({ model })],
  ])('gets a clear error for %s', async (_name, change) => {
    await expect(change()).rejects.toMatchObject({
      name: 'ResponseError',
      status_code: 405,
      message: expect.stringMatching(/^Models cannot be \w+ through the gateway\./),
    })
  })
})

describe('errors for the ollama client', () => {
  test('are texts, before a response', async () => {
    await expect(ollama.chat({ model: 'absent', messages })).rejects.toMatchObject({
      status_code: 404,
      message: 'The model "absent" was not found.',
    })
    await expect(clientWith({}, 'tk_nobody').list()).rejects.toMatchObject({ status_code: 401 })
    await expect(clientWith({}, 'tk_nobody').chat({ model, messages })).rejects.toMatchObject({
      status_code: 401,
    })
    await expect(ollama.chat({ model, messages, options: { stop: 1 as never } })).rejects.toMatchObject({
      status_code: 400,
      message: expect.stringContaining('options.stop must'),
    })
    const nowhere = await fetch(`${platform.url}/ollama/api/nowhere`)
    expect(nowhere.status).toBe(404)
    expect(await nowhere.json()).toEqual({ error: expect.any(String) })
  })

  test('end a stream that breaks', async () => {
    await withNodeThat(one, 'work_dies', async () => {
      const stream = await ollama.chat({ model: seeing, messages, stream: true })
      await expect(collect(stream)).rejects.toThrow(/^The cluster failed in the middle of the response: /)
    })
    cloud.script({ steps: [{ text: 'Hi' }, 'cut'] })
    const stream = await ollama.chat({ model: 'gpt-4o-mini', messages, stream: true })
    await expect(collect(stream)).rejects.toThrow(/closed the connection/)
  })
})

/** How many of the calls each node got, the fewest first. */
async function countByNode(path: string, callAll: () => Promise<void>): Promise<readonly number[]> {
  const counts = async () => [await one.stats(), await two.stats()].map(({ requests }) => requests[path] ?? 0)
  const before = await counts()
  await callAll()
  const added = (await counts()).map((count, index) => count - (before[index] ?? 0))
  return added.toSorted((left, right) => left - right)
}

const turns = (question: string) => [
  { role: 'user', content: question },
  { role: 'assistant', content: 'So.' },
  { role: 'user', content: 'And?' },
]

describe('a call of the ollama client', () => {
  const endless = { num_predict: 100_000, token_delay_ms: 10 } as { num_predict: number }

  test('that is aborted ends the work of the node', async () => {
    const client = clientWith({})
    const stream = await client.generate({ model: seeing, prompt: 'Why?', stream: true, options: endless })
    const reading = (async () => {
      for await (const part of stream) if (part.response !== '') client.abort()
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    await eventually(async () => (await one.stats()).working === 0)
  })

  test('is recorded with its tokens', async () => {
    const response = await fetch(`${platform.url}/ollama/api/chat`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${apiKey}`,
        'content-type': 'application/json',
        'x-tags': 'ollama-test',
      },
      body: JSON.stringify({ model, messages }),
    })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    await response.text()
    const id = response.headers.get('x-call-id')
    const find = async () => {
      const calls = await fetch(`${platform.url}/api/v1/usage/calls?account=all`, {
        headers: basicAuth(platform),
      })
      const { data } = (await calls.json()) as { data: readonly { id: string }[] }
      return data.find((call) => call.id === id)
    }
    await eventually(async () => (await find()) !== undefined)
    expect(await find()).toMatchObject({ provider: 'ollama', model, input_tokens: 11, output_tokens: 10 })
  })

  test('with a session stays on one node, by every API', async () => {
    const headers = { 'x-session-id': 'talk 7' }
    const client = clientWith(headers)
    const openai = new OpenAI({ baseURL: `${platform.url}/v1`, apiKey, defaultHeaders: headers })
    const anthropic = new Anthropic({
      baseURL: platform.url,
      authToken: apiKey,
      apiKey: null,
      defaultHeaders: headers,
    })
    const counts = await countByNode('/api/chat', async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        await client.chat({ model, messages })
        await openai.chat.completions.create({ model, messages })
        await anthropic.messages.create({ model, messages, max_tokens: 100 })
      }
    })
    expect(counts).toEqual([0, 9])
    const texts = await countByNode('/api/generate', async () => {
      for (let turn = 0; turn < 3; turn += 1) {
        await client.generate({ model, prompt: 'Why?' })
        await openai.completions.create({ model, prompt: 'Why?' })
      }
    })
    expect(texts).toEqual([0, 6])
  })

  test('without a session stays on the node that has the start of its conversation', async () => {
    const counts = await countByNode('/api/chat', async () => {
      for (let turn = 0; turn < 6; turn += 1) await ollama.chat({ model, messages: turns('Why?') })
    })
    expect(counts).toEqual([0, 6])
    // Short first messages are spread as before, and so are different conversations.
    const short = await countByNode('/api/chat', async () => {
      for (let turn = 0; turn < 6; turn += 1) await ollama.chat({ model, messages })
    })
    expect(short).toEqual([3, 3])
    const [fewest] = await countByNode('/api/chat', async () => {
      for (let turn = 0; turn < 12; turn += 1) await ollama.chat({ model, messages: turns(`Why ${turn}?`) })
    })
    expect(fewest).toBeGreaterThan(0)
  })

  test('with an Idempotency-Key is made once', async () => {
    const client = clientWith({ 'idempotency-key': 'once-7' })
    const request = () => client.chat({ model: seeing, messages, stream: true })
    const first = await collect(await request())
    const { requests } = await one.stats()
    expect(await collect(await request())).toEqual(first)
    expect((await one.stats()).requests['/api/chat']).toBe(requests['/api/chat'])
  })
})
