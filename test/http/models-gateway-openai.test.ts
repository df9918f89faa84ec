import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProviderFailure } from '../../src/models/providers/provider-failure.ts'
import { createPlayer, endPart, failingAfter, type Player, someUsage } from './models-gateway-player.ts'
import { type GatewayServer, startGatewayServer } from './models-gateway-server.ts'

let player: Player
let server: GatewayServer

beforeAll(async () => {
  player = createPlayer({ models: ['violin', 'hf.co/team/cello:1', { id: 'silent', available: false }] })
  server = await startGatewayServer({
    providers: [player, createPlayer({ name: 'ollama', models: ['violin'] })],
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const messages = [{ role: 'user', content: 'Why is the sky blue?' }]
const ask = (body: object, headers: Record<string, string> = {}) =>
  server.post('/v1/chat/completions', { model: 'openai/violin', messages, ...body }, { headers })

/** The data of every event; `[DONE]` as it is. */
async function readEvents(answer: Response): Promise<unknown[]> {
  const text = await answer.text()
  expect(text.endsWith('\n\n')).toBe(true)
  return text
    .trimEnd()
    .split('\n\n')
    .map((event) => {
      expect(event.startsWith('data: ')).toBe(true)
      const data = event.slice(6)
      return data === '[DONE]' ? data : (JSON.parse(data) as unknown)
    })
}

describe('a non-streamed response', () => {
  test('has the format of OpenAI, and names the provider beside it', async () => {
    const answer = await ask({})
    expect(answer.status).toBe(200)
    const callId = answer.headers.get('x-call-id')
    expect(await answer.json()).toEqual({
      id: `chatcmpl-${callId}`,
      object: 'chat.completion',
      created: expect.any(Number),
      model: 'violin',
      choices: [
        {
          index: 0,
          message: { role: 'assistant', content: 'The sky is blue.', refusal: null },
          logprobs: null,
          finish_reason: 'stop',
        },
      ],
      usage: {
        prompt_tokens: 11,
        completion_tokens: 5,
        total_tokens: 16,
        prompt_tokens_details: { cached_tokens: 4 },
      },
    })
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-model-provider': 'openai',
      'x-model-used': 'violin',
      'x-model-attempts': '1',
      'x-cache': 'off',
      'x-ratelimit-limit': '1000',
    })
  })

  test('omits invalid token counts', async () => {
    player.script(async function* () {
      yield { type: 'text', text: 'Hi' }
      yield { ...endPart, usage: { inputTokens: 1.5, cachedInputTokens: -1, outputTokens: 1e15 } }
    })
    const answer = await ask({})
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ usage: null })
  })

  test('has the reasoning of the model, and no usage that was not counted', async () => {
    player.script(async function* () {
      yield { type: 'thinking', text: 'Hm.' }
      yield { type: 'text', text: 'Blue.' }
      yield { ...endPart, usage: { ...someUsage, outputTokens: null }, finish: 'length' }
    })
    expect(await (await ask({})).json()).toMatchObject({
      choices: [{ message: { content: 'Blue.', reasoning_content: 'Hm.' }, finish_reason: 'length' }],
      usage: null,
    })
  })
})

describe('a stream', () => {
  test('starts with the role, has a chunk for each piece and ends with the reason', async () => {
    const answer = await ask({ stream: true })
    expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    expect(answer.headers.get('x-model-used')).toBe('violin')
    expect(answer.headers.get('x-ratelimit-limit')).toBe('1000')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const head = {
      id: `chatcmpl-${answer.headers.get('x-call-id')}`,
      object: 'chat.completion.chunk',
      created: expect.any(Number),
      model: 'violin',
    }
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      ...head,
      choices: [{ index: 0, delta, logprobs: null, finish_reason }],
    })
    expect(await readEvents(answer)).toEqual([
      chunk({ role: 'assistant', content: '', refusal: null }),
      ...['The', ' sky', ' is', ' blue', '.'].map((content) => chunk({ content })),
      chunk({}, 'stop'),
      '[DONE]',
    ])
  })

  test('has the usage in one more chunk on request', async () => {
    const events = await readEvents(await ask({ stream: true, stream_options: { include_usage: true } }))
    expect(events.at(-1)).toBe('[DONE]')
    expect(events.at(-2)).toMatchObject({
      choices: [],
      usage: { prompt_tokens: 11, completion_tokens: 5, total_tokens: 16 },
    })
    for (const event of events.slice(0, -2)) expect(event).toMatchObject({ usage: null })
  })

  test('has the reasoning of the model', async () => {
    player.script(async function* () {
      yield { type: 'thinking', text: 'Hm.' }
      yield endPart
    })
    expect((await readEvents(await ask({ stream: true })))[1]).toMatchObject({
      choices: [{ delta: { reasoning_content: 'Hm.' } }],
    })
  })

  test('that breaks ends with an error in the format of OpenAI', async () => {
    player.script(
      failingAfter(new ProviderFailure({ kind: 'unavailable', message: 'The string broke.' }), 'The'),
    )
    const answer = await ask({ stream: true })
    expect(answer.status).toBe(200)
    const events = await readEvents(answer)
    expect(events.at(-1)).toEqual({
      error: { message: 'The string broke.', type: 'server_error', param: null, code: 'answer_broke_off' },
    })
    expect(events).not.toContain('[DONE]')
  })
})

const failing = (failure: ConstructorParameters<typeof ProviderFailure>[0]) =>
  failingAfter(new ProviderFailure(failure))

describe('a call that fails before the first word', () => {
  test.each([true, false])('has the status of its failure, streamed (%s) or not', async (stream) => {
    player.script(failing({ kind: 'rate_limited', message: 'Too many encores.', retryAfterSeconds: 7 }))
    const answer = await ask({ stream })
    expect(answer.status).toBe(429)
    expect(answer.headers.get('retry-after')).toBe('7')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await answer.json()).toEqual({
      error: {
        message: 'Too many encores.',
        type: 'rate_limit_error',
        param: null,
        code: 'provider_rate_limited',
      },
    })
  })

  test('falls back to another model when the caller allows it', async () => {
    player.script(failing({ kind: 'unavailable', message: 'Away.' }))
    const answer = await ask({}, { 'x-model-fallback': 'ollama/violin' })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('x-model-provider')).toBe('ollama')
    expect(answer.headers.get('x-model-attempts')).toBe('2')
  })

  test('with an invalid fallback model reports it', async () => {
    const answer = await ask({}, { 'x-model-fallback': 'any, violin' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param: 'X-Model-Fallback' } })
  })
})

const complete = (body: object) =>
  server.post('/v1/completions', { model: 'violin', prompt: 'The sky', ...body })

describe('a completion', () => {
  test('in one piece', async () => {
    const answer = await complete({
      model: 'openai/violin',
      prompt: ['The sky'],
      max_tokens: 9,
      best_of: 1,
      echo: false,
    })
    expect(await answer.json()).toEqual({
      id: `cmpl-${answer.headers.get('x-call-id')}`,
      object: 'text_completion',
      created: expect.any(Number),
      model: 'violin',
      choices: [{ index: 0, text: 'The sky is blue.', logprobs: null, finish_reason: 'stop' }],
      usage: expect.objectContaining({ total_tokens: 16 }),
    })
    expect(player.calls.at(-1)).toMatchObject({
      kind: 'generate',
      messages: [{ role: 'user', content: 'The sky' }],
      maxTokens: 9,
    })
  })

  test('as a stream', async () => {
    const events = await readEvents(await complete({ stream: true, stream_options: { include_usage: true } }))
    expect(events[0]).toMatchObject({
      object: 'text_completion',
      choices: [{ index: 0, text: 'The', logprobs: null, finish_reason: null }],
      usage: null,
    })
    expect(events.at(-3)).toMatchObject({ choices: [{ text: '', finish_reason: 'stop' }] })
    expect(events.at(-2)).toMatchObject({ choices: [], usage: { total_tokens: 16 } })
    expect(events.at(-1)).toBe('[DONE]')
  })

  test('with a suffix requires nodes of the cluster', async () => {
    const answer = await complete({ model: 'openai/violin', suffix: ' above' })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({
      error: { code: 'unsupported', message: expect.stringContaining('suffix') },
    })
    expect((await complete({ model: 'ollama/violin', suffix: ' above' })).status).toBe(200)
  })

  test.each([
    ['prompt', { prompt: ['a', 'b'] }],
    ['prompt', { prompt: [1, 2, 3] }],
    ['prompt', { prompt: [[1, 2], [3]] }],
    ['echo', { echo: true }],
    ['best_of', { best_of: 3 }],
    ['n', { n: 3 }],
    ['logprobs', { logprobs: 2 }],
  ])('with a %s that its model does not support is refused', async (param, body) => {
    const answer = await complete(body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param, code: 'unsupported_parameter' } })
  })

  test('without a prompt in its list is refused', async () => {
    const answer = await complete({ prompt: [] })
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param: 'prompt', code: 'invalid_value' } })
  })
})

const embed = (body: object) =>
  server.post('/v1/embeddings', { model: 'openai/violin', input: ['a', 'bcd'], ...body })

describe('embeddings', () => {
  test('are numbers', async () => {
    const answer = await embed({ dimensions: 3, user: 'otto' })
    expect(await answer.json()).toEqual({
      object: 'list',
      data: [
        { object: 'embedding', index: 0, embedding: [1, 0.5, -0.25] },
        { object: 'embedding', index: 1, embedding: [3, 0.5, -0.25] },
      ],
      model: 'violin',
      usage: { prompt_tokens: 8, total_tokens: 8 },
    })
    expect(answer.headers.get('x-model-used')).toBe('violin')
    expect(player.embedCalls.at(-1)).toMatchObject({ model: 'violin', inputs: ['a', 'bcd'], dimensions: 3 })
  })

  test('are base64 on request', async () => {
    const answer = await embed({ input: 'a', encoding_format: 'base64' })
    const { data } = (await answer.json()) as { data: { embedding: string }[] }
    const bytes = Buffer.from(data[0]?.embedding ?? '', 'base64')
    expect([0, 4, 8].map((at) => bytes.readFloatLE(at))).toEqual([1, 0.5, -0.25])
  })

  test('have no usage that was not counted', async () => {
    player.scriptEmbed(async () => ({ vectors: [[1]], inputTokens: null }))
    expect(await (await embed({ input: 'a' })).json()).toMatchObject({ usage: null })
  })

  test.each([
    ['input', 'invalid_value', { input: [] }],
    ['input', 'invalid_type', { input: { text: 'a' } }],
    ['dimensions', 'invalid_value', { dimensions: 0 }],
    ['encoding_format', 'invalid_value', { encoding_format: 'hex' }],
    ['colour', 'unsupported_parameter', { colour: 'blue' }],
  ])('with invalid %s are refused as %s', async (param, code, body) => {
    const answer = await embed(body)
    expect(answer.status).toBe(400)
    expect(await answer.json()).toMatchObject({ error: { param, code } })
  })
})

describe('the models', () => {
  test('are listed once each, by their callable name', async () => {
    const answer = await server.get('/v1/models')
    expect(await answer.json()).toEqual({
      object: 'list',
      data: [
        { id: 'hf.co/team/cello:1', object: 'model', created: 1_777_916_264, owned_by: 'openai' },
        { id: 'openai/violin', object: 'model', created: 1_777_916_264, owned_by: 'openai' },
        { id: 'violin', object: 'model', created: 1_777_916_264, owned_by: 'ollama' },
      ],
    })
  })

  test.each([
    ['violin', 'ollama'],
    ['ollama/violin', 'ollama'],
    ['openai/violin', 'openai'],
    ['hf.co/team/cello:1', 'openai'],
    [encodeURIComponent('hf.co/team/cello:1'), 'openai'],
  ])('%s is found by its name', async (id, owner) => {
    const answer = await server.get(`/v1/models/${id}`)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      id: decodeURIComponent(id),
      object: 'model',
      owned_by: owner,
    })
  })

  test.each(['theremin', 'silent', 'openai/silent', 'builtin/violin', 'x'.repeat(513)])(
    '%s is not found',
    async (id) => {
      const answer = await server.get(`/v1/models/${id}`)
      expect(answer.status).toBe(404)
      expect(await answer.json()).toMatchObject({ error: { type: 'invalid_request_error' } })
    },
  )
})
