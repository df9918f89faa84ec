import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  InternalServerError,
  NotFoundError,
  PermissionDeniedError,
} from 'openai'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import {
  collect,
  embedder,
  type GatewayScene,
  messages,
  model,
  startGatewayScene,
  text,
  withNodeThat,
} from './models-gateway-scene.ts'

let scene: GatewayScene
let openai: OpenAI

beforeAll(async () => {
  scene = await startGatewayScene()
  const { url, key } = scene.server
  openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: key, maxRetries: 0 })
})
afterAll(() => scene[Symbol.asyncDispose]())

const sentSession = async () => (await scene.node.stats()).lastWork?.headers['x-session-id']

describe('the openai client', () => {
  test('streams from a node of the cluster', async () => {
    const { data: stream, response } = await openai.chat.completions
      .create({ model, messages, stream: true, stream_options: { include_usage: true } })
      .withResponse()
    const parts = await collect(stream)
    expect(parts.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(text)
    expect(parts[0]?.choices[0]?.delta.role).toBe('assistant')
    expect(parts.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(parts.at(-1)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 11, completion_tokens: 10, total_tokens: 21 },
    })
    expect(response.headers.get('x-model-provider')).toBe('ollama')
    expect((await scene.node.stats()).lastWork).toMatchObject({ path: '/api/chat' })
  })

  test('streams with its stream helper', async () => {
    const stream = openai.chat.completions.stream({ model, messages })
    const heard: string[] = []
    stream.on('content', (piece) => void heard.push(piece))
    const whole = await stream.finalChatCompletion()
    expect(heard.join('')).toBe(text)
    expect(whole.choices[0]?.message.content).toBe(text)
  })

  test('keeps its session on one node: the cluster gets the session header', async () => {
    const headers = { 'X-Session-Id': 'chat 7' }
    await openai.chat.completions.create({ model, messages }, { headers })
    expect(await sentSession()).toBe('chat 7')
    await openai.completions.create({ model, prompt: 'Why?' })
    expect(await sentSession()).toBeUndefined()
    await collect(await openai.completions.create({ model, prompt: 'Why?', stream: true }, { headers }))
    expect(await sentSession()).toBe('chat 7')
    for (const [path, body] of [
      ['/api/v1/generate', { model, prompt: 'Why?' }],
      ['/api/v1/chat', { model, messages, stream: false }],
      // A longer one than the cluster reads is cut off there, too.
    ] as const) {
      const value = `${path} ${'x'.repeat(400)}`
      await (await scene.server.post(path, body, { headers: { 'x-session-id': value } })).text()
      expect(await sentSession()).toBe(value.slice(0, 256))
    }
  })

  test('ignores keep-alive comments in a slow stream', async () => {
    const { promise: heard, resolve: hear } = Promise.withResolvers<void>()
    scene.openai.script({ steps: [{ text: 'Blue' }, { until: heard }, { text: '.' }] })
    let raw = ''
    async function listen(body: ReadableStream<Uint8Array<ArrayBuffer>>): Promise<void> {
      for await (const piece of body.pipeThrough(new TextDecoderStream())) {
        raw += piece
        if (raw.includes(': still here')) hear()
      }
    }
    const listening = openai.withOptions({
      fetch: async (address, init) => {
        const answer = await fetch(address, init)
        if (answer.body === null) return answer
        const [forClient, forTest] = answer.body.tee()
        void listen(forTest)
        return new Response(forClient, answer)
      },
    })
    const stream = await listening.chat.completions.create({ model: 'gpt-4o-mini', messages, stream: true })
    const parts = await collect(stream)
    expect(parts.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe('Blue.')
    await eventually(() => raw.includes('[DONE]'))
    expect(raw).toContain(': still here')
  })

  test('completes, and can send its response back', async () => {
    const whole = await openai.chat.completions.create({ model, messages, max_tokens: 4 })
    expect(whole.choices[0]?.message.content).toBe('The sky is blue')
    const answer = whole.choices[0]?.message
    if (answer === undefined) throw new Error('there is no answer')
    const again = await openai.chat.completions.create({
      model,
      messages: [...messages, answer, ...messages],
    })
    expect(again.usage?.total_tokens).toBe(21)
    expect(JSON.parse((await scene.node.stats()).lastWork?.body ?? '')).toMatchObject({
      messages: [...messages, { role: 'assistant', content: 'The sky is blue' }, ...messages],
    })
  })

  test('completes a prompt, streamed or not', async () => {
    const whole = await openai.completions.create({ model, prompt: 'The', max_tokens: 2, suffix: '.' })
    expect(whole.choices[0]?.text).toBe('The sky')
    expect(JSON.parse((await scene.node.stats()).lastWork?.body ?? '')).toMatchObject({
      prompt: 'The',
      suffix: '.',
    })
    const parts = await collect(await openai.completions.create({ model, prompt: 'The', stream: true }))
    expect(parts.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(text)
  })

  test('embeds, as numbers and as base64', async () => {
    const ask = { model: embedder, input: ['a', 'bcd'] }
    const numbers = await openai.embeddings.create({ ...ask, encoding_format: 'float' })
    expect(numbers.data).toMatchObject([
      { index: 0, embedding: [1, 0, 0.5] },
      { index: 1, embedding: [3, 1, 0.5] },
    ])
    const packed = await openai.embeddings.create(ask)
    expect(packed.data).toEqual(numbers.data)
    expect(packed.usage).toEqual({ prompt_tokens: 8, total_tokens: 8 })
  })

  test('lists models and finds one', async () => {
    const { data } = await openai.models.list()
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining([model, 'nadia/tuned:1', 'gpt-4o-mini']))
    expect(await openai.models.retrieve('nadia/tuned:1')).toMatchObject({ id: 'nadia/tuned:1' })
    await expect(openai.models.retrieve('absent')).rejects.toThrow(NotFoundError)
  })

  test('aborts the work of the node when it disconnects', async () => {
    await withNodeThat(scene.node, 'work_stalls', async () => {
      const before = (await scene.node.stats()).cancelled
      const stream = await openai.chat.completions.create({ model, messages, stream: true })
      for await (const { choices } of stream) if (choices[0]?.delta.content === ' sky') break
      await eventually(async () => (await scene.node.stats()).cancelled > before)
    })
  })

  test('gets an error in the middle of a stream', async () => {
    await withNodeThat(scene.node, 'work_dies', async () => {
      const stream = await openai.chat.completions.create({ model, messages, stream: true })
      const failed = await collect(stream).catch((error: unknown) => error)
      expect(failed).toBeInstanceOf(APIError)
      expect(failed).toMatchObject({ code: 'answer_broke_off', type: 'server_error' })
    })
  })
})

const failing = (ask: () => Promise<unknown>) => ask().catch((error: unknown) => error)
/** The calls of OpenAI; the list of models is requested at any time. */
const openAiCalls = () => scene.openai.requests.filter(({ method }) => method === 'POST').length

describe('errors have the classes of the openai client:', () => {
  test('an invalid key', async () => {
    const stranger = openai.withOptions({ apiKey: 'tk_nobody' })
    expect(await failing(() => stranger.models.list())).toBeInstanceOf(AuthenticationError)
    expect(await failing(() => stranger.chat.completions.create({ model, messages }))).toMatchObject({
      status: 401,
      code: 'invalid_api_key',
      type: 'authentication_error',
    })
  })

  test('a key without the scope', async () => {
    const { key } = await scene.server.addKey({ scopes: ['models.read'] })
    const reader = openai.withOptions({ apiKey: key })
    expect((await reader.models.list()).data.length).toBeGreaterThan(0)
    expect(await failing(() => reader.chat.completions.create({ model, messages }))).toBeInstanceOf(
      PermissionDeniedError,
    )
  })

  test('an unsupported field', async () => {
    const error = await failing(() => openai.chat.completions.create({ model, messages, n: 2 }))
    expect(error).toBeInstanceOf(BadRequestError)
    expect(error).toMatchObject({ param: 'n', code: 'unsupported_parameter' })
  })

  test('a provider that fails', async () => {
    scene.openai.script({ status: 500 })
    const error = await failing(() => openai.chat.completions.create({ model: 'gpt-4o-mini', messages }))
    expect(error).toBeInstanceOf(InternalServerError)
    expect(error).toMatchObject({ status: 502, code: 'provider_unavailable' })
  })

  test('a model without a valid response, which it does not retry', async () => {
    const before = openAiCalls()
    const error = await failing(() =>
      openai.withOptions({ maxRetries: 2 }).chat.completions.create({
        model: 'gpt-4o-mini',
        messages,
        response_format: { type: 'json_schema', json_schema: { name: 'sky', schema: { type: 'object' } } },
      }),
    )
    expect(error).toMatchObject({ status: 502, code: 'answer_not_as_asked' })
    expect(openAiCalls()).toBe(before + 3)
  })

  test('a provider with Retry-After, which it follows', async () => {
    scene.openai.script({ status: 429, headers: { 'retry-after': '1' } })
    const retrying = openai.withOptions({ maxRetries: 1 })
    const before = openAiCalls()
    const { choices } = await retrying.chat.completions.create({ model: 'gpt-4o-mini', messages })
    expect(choices[0]?.message.content).toBe('The sky is blue.')
    expect(openAiCalls()).toBe(before + 2)
  })
})

describe('fallback when the caller allows it:', () => {
  test('from OpenAI to the cluster', async () => {
    scene.openai.script({ status: 429, headers: { 'retry-after': '60' } })
    const { data, response } = await openai.chat.completions
      .create({ model: 'gpt-4o-mini', messages }, { headers: { 'X-Model-Fallback': model } })
      .withResponse()
    expect(data).toMatchObject({ model, choices: [{ message: { content: text } }] })
    expect(response.headers.get('x-model-provider')).toBe('ollama')
    expect(response.headers.get('x-model-attempts')).toBe('2')
  })

  test('from OpenAI to Anthropic, streamed', async () => {
    scene.openai.script('cut')
    scene.anthropic.script({ steps: [{ thinking: 'Hm.' }, { text: 'Blue' }, { text: '.' }] })
    const fallback = (await openai.models.list()).data.find(({ id }) => id.startsWith('claude'))?.id ?? ''
    const stream = await openai.chat.completions.create(
      { model: 'gpt-4o-mini', messages, stream: true },
      { headers: { 'X-Model-Fallback': fallback } },
    )
    const deltas = (await collect(stream)).map(({ choices }) => choices[0]?.delta)
    expect(deltas.map((delta) => delta?.content ?? '').join('')).toBe('Blue.')
    expect(deltas).toContainEqual({ reasoning_content: 'Hm.' })
  })
})
