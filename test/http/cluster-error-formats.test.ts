import OpenAI, { APIError, NotFoundError } from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'
const text = 'The sky is blue because of how light scatters.'
const messages = [{ role: 'user' as const, content: 'Why is the sky blue?' }]

let node: ModelNode
let service: TestClusterService
let client: OpenAI

beforeAll(async () => {
  node = await startModelNode({ models: [model] })
  service = await startServiceFor([node], { CLUSTER_STALL_TIMEOUT: '1s' })
  client = new OpenAI({ baseURL: `${service.url}/v1`, apiKey: 'none', maxRetries: 0 })
})
afterAll(async () => {
  await service.close()
  await node[Symbol.asyncDispose]()
})

type Break = 'work_dies' | 'work_ends_early' | 'work_stalls'

/** Streams from a node that breaks or ends the response, or stops, after two words. */
async function cut(path: string, body: object, behaviour: Break = 'work_dies') {
  await node.behave(behaviour)
  try {
    return await (await service.post(path, { model, stream: true, ...body })).text()
  } finally {
    await node.behave('normal')
    // Five failures in a row would eject the node.
    await service.post('/v1/completions', { model })
  }
}

const lastEvent = (stream: string) => stream.split('\n\n').at(-2)
const died = expect.stringMatching(/^node localhost-\d+-\w+ failed: the connection was closed/)
const endedEarly = expect.stringMatching(/^node localhost-\d+-\w+ ended its stream before the last event$/)

describe('/v1/messages', () => {
  test('is proxied, streamed and in one piece', async () => {
    const whole = await service.post('/v1/messages', { model, messages, max_tokens: 10 })
    expect(await whole.json()).toMatchObject({ type: 'message', content: [{ text }] })
    const stream = await (await service.post('/v1/messages', { model, messages, stream: true })).text()
    expect(lastEvent(stream)).toBe('event: message_stop\ndata: {"type":"message_stop"}')
  })

  test.each([
    ['work_dies', 'api_error', died],
    ['work_ends_early', 'api_error', endedEarly],
    ['work_stalls', 'timeout_error', expect.stringMatching(/ made no progress within 1 s$/)],
  ] as const)('ends a broken stream with the event error (%s)', async (behaviour, type, message) => {
    const stream = await cut('/v1/messages', { messages }, behaviour)
    const [name, data, ...more] = (lastEvent(stream) ?? '').split('\n')
    expect([name, more]).toEqual(['event: error', []])
    expect(data).toMatch(/^data: \{"type":"error","error":\{"type":"/)
    expect(JSON.parse(data?.slice('data: '.length) ?? '')).toEqual({
      type: 'error',
      error: { type, message },
    })
    expect(stream).not.toContain('message_stop')
    expect(stream.endsWith('\n\n')).toBe(true)
  })

  test.each([
    [{ model: 'absent', messages }, 404, 'not_found_error', "model 'absent' not found on any node"],
    [{ messages }, 400, 'invalid_request_error', 'model is required'],
    ['{', 400, 'invalid_request_error', 'the request body is not valid JSON'],
  ])('responds to %j with an error in the Anthropic format', async (body, status, type, message) => {
    for (const path of ['/v1/messages', '/v1/messages/count_tokens']) {
      const answer = await service.post(path, body)
      expect(answer.status).toBe(status)
      expect(await answer.json()).toEqual({ type: 'error', error: { type, message } })
    }
  })

  test('uses this format for errors of the framework, too', async () => {
    await using closed = await startServiceFor([node], { CLUSTER_API_KEY: 'correct horse' })
    const refused = await closed.post('/v1/messages', { model, messages })
    expect(refused.status).toBe(401)
    expect(await refused.json()).toEqual({
      type: 'error',
      error: { type: 'authentication_error', message: expect.any(String) },
    })
    const known = { headers: { 'x-api-key': 'correct horse', 'anthropic-version': '2023-06-01' } }
    expect((await closed.post('/v1/messages', { model, messages }, known)).status).toBe(200)
    const wrongMethod = await service.get('/v1/messages')
    expect(wrongMethod.status).toBe(405)
    expect(await wrongMethod.json()).toMatchObject({
      type: 'error',
      error: { type: 'invalid_request_error' },
    })
  })

  test('reports that no node is healthy', async () => {
    await using empty = await startServiceFor([])
    const answer = await empty.post('/v1/messages', { model, messages })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '2'])
    expect(await answer.json()).toMatchObject({ type: 'error', error: { type: 'overloaded_error' } })
  })
})

describe('/v1/responses', () => {
  test('is read by the openai client', async () => {
    const types: string[] = []
    for await (const { type } of await client.responses.create({ model, input: 'Why?', stream: true }))
      types.push(type)
    expect(types.at(-1)).toBe('response.completed')
  })

  test.each([
    ['work_dies', died],
    ['work_ends_early', endedEarly],
  ] as const)(
    'ends a broken stream with the event error, which the openai client throws (%s)',
    async (behaviour, message) => {
      const stream = await cut('/v1/responses', { input: 'Why?' }, behaviour)
      const [name, data] = (lastEvent(stream) ?? '').split('\n')
      expect(name).toBe('event: error')
      expect(JSON.parse(data?.slice('data: '.length) ?? '')).toEqual({
        type: 'error',
        code: 'server_error',
        message,
        param: null,
        // After response.created and two words.
        sequence_number: 3,
      })
      await node.behave(behaviour)
      try {
        const answer = await client.responses.create({ model, input: 'Why?', stream: true })
        const reading = answer.toReadableStream().pipeTo(new WritableStream())
        await expect(reading).rejects.toThrow(APIError)
      } finally {
        await node.behave('normal')
      }
    },
  )
})

describe.each(['/v1/chat/completions', '/v1/completions'])('%s', (path) => {
  test.each([
    ['work_dies', died],
    ['work_ends_early', endedEarly],
  ] as const)('ends a broken stream with an error object (%s)', async (behaviour, message) => {
    const stream = await cut(path, { messages, prompt: 'Why?' }, behaviour)
    expect(JSON.parse(lastEvent(stream)?.slice('data: '.length) ?? '')).toEqual({
      error: { message, type: 'api_error', param: null, code: null },
    })
    expect(stream).not.toContain('[DONE]')
  })
})

describe('a model that no node has', () => {
  const notFound = {
    status: 404,
    type: 'invalid_request_error',
    code: 'model_not_found',
    param: 'model',
  }

  test.each<[string, () => Promise<unknown>]>([
    ['chat', async () => await client.chat.completions.create({ model: 'absent', messages })],
    ['stream', async () => await client.chat.completions.create({ model: 'absent', messages, stream: true })],
    ['completion', async () => await client.completions.create({ model: 'absent', prompt: 'Why?' })],
    ['response', async () => await client.responses.create({ model: 'absent', input: 'Why?' })],
    ['embeddings', async () => await client.embeddings.create({ model: 'absent', input: 'one' })],
    ['model', async () => await client.models.retrieve('absent')],
  ])('is model_not_found to the openai client (%s)', async (_name, ask) => {
    const refused = await ask().catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(NotFoundError)
    expect(refused).toMatchObject({
      ...notFound,
      message: expect.stringContaining("model 'absent' not found"),
    })
  })

  test('is model_not_found when only the node knows that it lacks it', async () => {
    await node.behave('work_lacks')
    try {
      const refused = await client.chat.completions
        .create({ model, messages })
        .catch((error: unknown) => error)
      expect(refused).toMatchObject({ ...notFound, message: `404 model '${model}' not found` })
    } finally {
      await node.behave('normal')
    }
  })
})
