import { type AbortableAsyncIterator, Ollama } from 'ollama'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'
const text = 'The sky is blue because of how light scatters.'
const prompt = 'Why is the sky blue?'
const messages = [{ role: 'user', content: prompt }]

let one: ModelNode
let two: ModelNode
let service: TestClusterService
let client: Ollama

beforeAll(async () => {
  one = await startModelNode({ models: [model, 'qwen3:8b'], loaded: [model] })
  two = await startModelNode({ models: [model, 'nadia/tuned:1'] })
  service = await startServiceFor([one, two])
  client = new Ollama({ host: service.url })
})
afterAll(async () => {
  await service.close()
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
})

async function collect<Part>(stream: AbortableAsyncIterator<Part & object>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

describe('the ollama client', () => {
  test('generates a text, in one piece and streamed', async () => {
    const whole = await client.generate({ model, prompt })
    expect(whole).toMatchObject({ model, response: text, done: true, eval_count: 10, prompt_eval_count: 11 })
    const parts = await collect(await client.generate({ model, prompt, stream: true }))
    expect(parts.map(({ response }) => response).join('')).toBe(text)
    expect(parts).toHaveLength(11)
    expect(parts.at(-1)).toMatchObject({ done: true, done_reason: 'stop', eval_count: 10 })
  })

  test('chats, in one piece and streamed', async () => {
    const whole = await client.chat({ model, messages })
    expect(whole.message).toEqual({ role: 'assistant', content: text })
    const parts = await collect(await client.chat({ model, messages, stream: true }))
    expect(parts.map(({ message }) => message.content).join('')).toBe(text)
    expect(parts.at(-1)).toMatchObject({ done: true, eval_count: 10 })
  })

  test('embeds, by both endpoints', async () => {
    const many = await client.embed({ model, input: ['one', 'two'] })
    expect(many).toMatchObject({ model, prompt_eval_count: 8 })
    expect(many.embeddings).toHaveLength(2)
    const { embedding } = await client.embeddings({ model, prompt })
    expect(embedding).toEqual(many.embeddings[0])
  })

  test('lists the models of all nodes, and those in memory', async () => {
    const { models } = await client.list()
    expect(models.map(({ name }) => name)).toEqual([model, 'nadia/tuned:1', 'qwen3:8b'])
    expect(models[0]).toMatchObject({ model, size: expect.any(Number), details: { format: 'gguf' } })
    const loaded = await client.ps()
    expect(loaded.models).toMatchObject([{ name: model, size_vram: expect.any(Number) }])
    expect(await client.version()).toEqual({ version: '0.13.5' })
  })

  test('shows a model that only one node has', async () => {
    const shown = await client.show({ model: 'nadia/tuned:1' })
    expect(shown).toMatchObject({ modelfile: 'FROM nadia/tuned:1', capabilities: ['completion'] })
    expect(shown.details).toMatchObject({ quantization_level: 'Q4_K_M' })
  })

  const absent = 'absent:1b'
  test.each<[string, () => Promise<unknown>]>([
    ['generate', () => client.generate({ model: absent, prompt })],
    ['chat', () => client.chat({ model: absent, messages })],
    ['embed', () => client.embed({ model: absent, input: 'one' })],
    ['show', () => client.show({ model: absent })],
    ['a stream', () => client.generate({ model: absent, prompt, stream: true })],
  ])('gets an error for a model without a node (%s)', async (_name, ask) => {
    await expect(ask()).rejects.toMatchObject({
      name: 'ResponseError',
      status_code: 404,
      message: "model 'absent:1b' not found on any node",
    })
  })

  test('sends its key', async () => {
    await using closed = await startServiceFor([one], { CLUSTER_API_KEY: 'correct horse' })
    const stranger = new Ollama({ host: closed.url })
    await expect(stranger.list()).rejects.toMatchObject({ status_code: 401 })
    await expect(stranger.chat({ model, messages })).rejects.toMatchObject({ status_code: 401 })
    const headers = { Authorization: 'Bearer correct horse' }
    const known = new Ollama({ host: closed.url, headers })
    expect((await known.list()).models).toHaveLength(2)
    expect((await known.chat({ model, messages })).message.content).toBe(text)
  })
})

describe('when a node fails, the ollama client', () => {
  test.each(['work_error', 'work_reset', 'work_head_only'] as const)(
    'notices nothing before the first byte (%s)',
    async (behaviour) => {
      await using bad = await startModelNode({ behaviour, loaded: [model] })
      await using good = await startModelNode()
      await using between = await startServiceFor([bad, good])
      const patient = new Ollama({ host: between.url })
      expect((await patient.generate({ model, prompt })).response).toBe(text)
      expect(await collect(await patient.chat({ model, messages, stream: true }))).toHaveLength(11)
      expect((await bad.stats()).requests['/api/generate']).toBe(1)
    },
  )

  test.each([
    ['work_dies', /^node localhost-\d+-\w+ failed: the connection was closed/],
    ['work_stalls', /^node localhost-\d+-\w+ made no progress within 1 s/],
  ] as const)('gets an error in the middle of a stream (%s)', async (behaviour, message) => {
    await using bad = await startModelNode({ behaviour })
    await using between = await startServiceFor([bad], { CLUSTER_STALL_TIMEOUT: '1s' })
    const stream = await new Ollama({ host: between.url }).generate({ model, prompt, stream: true })
    const tokens: unknown[] = []
    const reading = (async () => {
      for await (const part of stream) tokens.push(part.response)
    })()
    await expect(reading).rejects.toThrow(message)
    expect(tokens).toEqual(['The', ' sky'])
  })

  test('gets an error without a healthy node', async () => {
    await using bad = await startModelNode()
    // A probe would find the refusal before the first request does.
    await using between = await startServiceFor([bad], { HEALTH_CHECK_INTERVAL: '1h' })
    await bad.behave('refuse')
    const asked = new Ollama({ host: between.url })
    await expect(asked.chat({ model, messages })).rejects.toMatchObject({ status_code: 502 })
    await expect(asked.chat({ model, messages })).rejects.toMatchObject({
      status_code: 503,
      message: 'There is no healthy node.',
    })
    await expect(asked.list()).rejects.toMatchObject({ status_code: 503 })
  })
})

describe('when it aborts, the ollama client', () => {
  const options = { num_predict: 100_000, token_delay_ms: 10 } as { num_predict: number }

  test('aborts the work of the node in the middle of a stream', async () => {
    await using node = await startModelNode()
    await using between = await startServiceFor([node])
    const asked = new Ollama({ host: between.url })
    const stream = await asked.generate({ model, prompt, stream: true, options })
    const reading = (async () => {
      for await (const part of stream) if (part.response !== '') asked.abort()
    })()
    await expect(reading).rejects.toMatchObject({ name: 'AbortError' })
    await eventually(async () => (await node.stats()).working === 0)
    expect((await node.stats()).cancelled).toBe(1)
  })

  test('aborts it while it waits for a non-streamed response', async () => {
    await using node = await startModelNode()
    await using between = await startServiceFor([node])
    const leaving = new AbortController()
    const asked = new Ollama({
      host: between.url,
      fetch: (input, init) => fetch(input, { ...init, signal: leaving.signal }),
    })
    const waiting = asked.generate({ model, prompt, options })
    await eventually(async () => (await node.stats()).working === 1)
    leaving.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    await eventually(async () => (await node.stats()).working === 0)
    expect((await node.stats()).cancelled).toBe(1)
  })
})
