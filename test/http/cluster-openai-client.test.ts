import OpenAI, { APIError, APIUserAbortError, AuthenticationError, NotFoundError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'
const text = 'The sky is blue because of how light scatters.'
const prompt = 'Why is the sky blue?'
const messages = [{ role: 'user' as const, content: prompt }]

let one: ModelNode
let two: ModelNode
let service: TestClusterService
let client: OpenAI

const clientOf = ({ url }: { readonly url: string }, apiKey = 'none') =>
  new OpenAI({ baseURL: `${url}/v1`, apiKey, maxRetries: 0 })

beforeAll(async () => {
  one = await startModelNode({ models: [model, 'qwen3:8b'] })
  two = await startModelNode({ models: [model, 'nadia/tuned:1'] })
  service = await startServiceFor([one, two])
  client = clientOf(service)
})
afterAll(async () => {
  await service.close()
  await one[Symbol.asyncDispose]()
  await two[Symbol.asyncDispose]()
})

async function collect<Part>(stream: AsyncIterable<Part>): Promise<Part[]> {
  const parts: Part[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

describe('the openai client', () => {
  test('chats, in one piece and streamed', async () => {
    const whole = await client.chat.completions.create({ model, messages })
    expect(whole.choices[0]).toMatchObject({ message: { content: text }, finish_reason: 'stop' })
    expect(whole.usage).toEqual({ prompt_tokens: 11, completion_tokens: 10, total_tokens: 21 })
    const stream = await client.chat.completions.create({
      model,
      messages,
      stream: true,
      stream_options: { include_usage: true },
    })
    const parts = await collect(stream)
    expect(parts.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(text)
    expect(parts.at(-1)).toMatchObject({ choices: [], usage: { completion_tokens: 10 } })
  })

  test('completes a prompt, in one piece and streamed', async () => {
    const whole = await client.completions.create({ model, prompt })
    expect(whole.choices[0]).toMatchObject({ text, finish_reason: 'stop' })
    const parts = await collect(
      await client.completions.create({ model, prompt, stream: true, max_tokens: 4 }),
    )
    expect(parts.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe('The sky is blue')
  })

  test('embeds, as numbers and as base64', async () => {
    const numbers = await client.embeddings.create({ model, input: ['one', 'two'], encoding_format: 'float' })
    expect(numbers.data).toMatchObject([{ index: 0 }, { index: 1 }])
    const packed = await client.embeddings.create({ model, input: 'one' })
    expect(packed.data[0]?.embedding[0]).toBeCloseTo(numbers.data[0]?.embedding[0] ?? 0, 6)
    expect(packed.usage).toEqual({ prompt_tokens: 8, total_tokens: 8 })
  })

  test('lists the models of all nodes, and finds one', async () => {
    const { data } = await client.models.list()
    expect(data.map(({ id }) => id)).toEqual([model, 'nadia/tuned:1', 'qwen3:8b'])
    expect(await client.models.retrieve('nadia/tuned:1')).toMatchObject({
      id: 'nadia/tuned:1',
      owned_by: 'nadia',
    })
    await expect(client.models.retrieve('absent')).rejects.toThrow(NotFoundError)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['chat', async () => await client.chat.completions.create({ model: 'absent', messages })],
    ['stream', async () => await client.chat.completions.create({ model: 'absent', messages, stream: true })],
    ['embeddings', async () => await client.embeddings.create({ model: 'absent', input: 'one' })],
  ])('gets an error for a model without a node (%s)', async (_name, ask) => {
    const refused = await ask().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(NotFoundError)
    expect(refused).toMatchObject({
      status: 404,
      type: 'invalid_request_error',
      code: 'model_not_found',
      message: "404 model 'absent' not found on any node",
      requestID: expect.any(String),
    })
  })

  test('sends its key', async () => {
    await using closed = await startServiceFor([one], { CLUSTER_API_KEY: 'correct horse' })
    await expect(clientOf(closed).models.list()).rejects.toThrow(AuthenticationError)
    await expect(clientOf(closed).chat.completions.create({ model, messages })).rejects.toMatchObject({
      status: 401,
      type: 'authentication_error',
    })
    const known = clientOf(closed, 'correct horse')
    expect((await known.models.list()).data).toHaveLength(2)
    expect((await known.chat.completions.create({ model, messages })).choices).toHaveLength(1)
    expect((await one.stats()).lastWork?.headers).not.toHaveProperty('authorization')
  })
})

describe('when a node fails, the openai client', () => {
  test.each(['work_error', 'work_reset', 'work_head_only'] as const)(
    'notices nothing before the first byte (%s)',
    async (behaviour) => {
      await using bad = await startModelNode({ behaviour, loaded: [model] })
      await using good = await startModelNode()
      await using between = await startServiceFor([bad, good])
      const patient = clientOf(between)
      const whole = await patient.chat.completions.create({ model, messages })
      expect(whole.choices[0]?.message.content).toBe(text)
      const stream = await patient.chat.completions.create({ model, messages, stream: true })
      expect(await collect(stream)).toHaveLength(11)
      expect((await bad.stats()).requests['/v1/chat/completions']).toBeGreaterThan(0)
    },
  )

  test.each([
    ['work_dies', /node localhost-\d+-\w+ failed: the connection was closed/],
    ['work_stalls', /node localhost-\d+-\w+ made no progress within 1 s/],
  ] as const)('gets an error in the middle of a stream (%s)', async (behaviour, message) => {
    await using bad = await startModelNode({ behaviour })
    await using between = await startServiceFor([bad], { CLUSTER_STALL_TIMEOUT: '1s' })
    const stream = await clientOf(between).chat.completions.create({ model, messages, stream: true })
    const tokens: unknown[] = []
    const failed = await (async () => {
      for await (const { choices } of stream) tokens.push(choices[0]?.delta.content)
    })().catch((error: unknown) => error)
    expect(failed).toBeInstanceOf(APIError)
    expect(String(failed)).toMatch(message)
    expect(tokens).toEqual(['The', ' sky'])
  })

  test('gets an error without a healthy node, and retries after Retry-After', async () => {
    await using bad = await startModelNode({ behaviour: 'refuse' })
    await using between = await startServiceFor([])
    await expect(clientOf(between).chat.completions.create({ model, messages })).rejects.toMatchObject({
      status: 503,
      type: 'api_error',
      headers: expect.objectContaining({}),
    })
    const patient = clientOf(between).withOptions({ maxRetries: 3 })
    const asked = patient.chat.completions.create({ model, messages })
    await bad.behave('normal')
    await between.cluster.operations.add({ url: bad.url, weight: 1 }, null)
    expect((await asked).choices[0]?.message.content).toBe(text)
  })
})

describe('when it aborts, the openai client', () => {
  test.each([true, false])('aborts the work of the node (stream: %s)', async (stream) => {
    await using node = await startModelNode()
    await using between = await startServiceFor([node])
    const leaving = new AbortController()
    const options = { num_predict: 100_000, token_delay_ms: 10 }
    const body = { model, messages, stream, options }
    const begun = Promise.withResolvers<unknown>()
    const asked = (async () => {
      const answer = await clientOf(between).chat.completions.create(body, { signal: leaving.signal })
      if (Symbol.asyncIterator in answer) for await (const piece of answer) begun.resolve(piece)
      return 'the end'
    })().catch((error: unknown) => error)
    await eventually(async () => (await node.stats()).working === 1)
    if (stream) await begun.promise
    leaving.abort()
    const outcome = await asked
    // In the middle of a stream the client ends it without an error.
    if (stream) expect(outcome).toBe('the end')
    else expect(outcome).toBeInstanceOf(APIUserAbortError)
    await eventually(async () => (await node.stats()).working === 0)
    expect((await node.stats()).cancelled).toBe(1)
  })
})
