import { describe, expect, test } from 'vitest'
import { startAnthropicServer } from '../support/anthropic-server.ts'
import { apiKey, model, providerFor } from './models-provider-anthropic-support.ts'
import { asks, collect, failing, failingToEmbed, textOf } from './models-provider-support.ts'

const soon = () => AbortSignal.timeout(40_000)
const text = (content: string) => [{ type: 'text', text: content }]

describe('a response of Anthropic', () => {
  test('streams, with its usage: all input tokens, and the cached part', async () => {
    await using server = await startAnthropicServer({ apiKey })
    await using provider = providerFor(server)
    const { promise: seen, resolve: see } = Promise.withResolvers<void>()
    const usage = { input: 100, cacheRead: 400, cacheWrite: 500, output: 20 }
    server.script({
      steps: ['ping', { text: 'Light' }, { until: seen }, 'ping', { text: ' scatters.' }],
      usage,
    })
    const parts = []
    for await (const part of provider.stream(asks(model), new AbortController().signal)) {
      parts.push(part)
      see()
    }
    expect(parts).toEqual([
      { type: 'text', text: 'Light' },
      { type: 'text', text: ' scatters.' },
      {
        type: 'end',
        finish: 'stop',
        usage: { inputTokens: 1000, cachedInputTokens: 400, cacheWriteTokens: 500, outputTokens: 20 },
      },
    ])
    expect(await server.requests[0]?.closed).toBe(false)
  })

  test('is requested in the format of its API', async () => {
    await using server = await startAnthropicServer({ apiKey })
    await using provider = providerFor(server)
    await collect(provider, {
      model,
      kind: 'generate',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Why?' },
        { role: 'assistant', content: 'Because.' },
        { role: 'user', content: 'Really?' },
      ],
      maxTokens: 50,
      temperature: 0,
      stop: ['END'],
    })
    const [request] = server.requests
    expect(request?.headers).toMatchObject({ 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' })
    expect(request?.body).toEqual({
      model,
      system: text('Be brief.'),
      messages: [
        { role: 'user', content: text('Why?') },
        { role: 'assistant', content: text('Because.') },
        { role: 'user', content: text('Really?') },
      ],
      max_tokens: 50,
      temperature: 0,
      stop_sequences: ['END'],
      stream: true,
    })
  })

  test('satisfies a requested schema', async () => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    }
    server.script({ steps: [{ text: '{"a":"b"}' }] })
    expect(textOf(await collect(provider, asks(model, { format: { schema } })))).toBe('{"a":"b"}')
    expect(server.requests[0]?.body['output_config']).toEqual({ format: { type: 'json_schema', schema } })
  })

  test.each([
    ['end_turn', 'stop'],
    ['stop_sequence', 'stop'],
    ['max_tokens', 'length'],
    ['refusal', 'content_filter'],
  ] as const)('that ended with %s ended with %s', async (said, finish) => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    server.script({ steps: [{ text: 'Blue.' }], finish: said })
    expect((await collect(provider, asks(model))).at(-1)).toMatchObject({ type: 'end', finish })
  })

  test('may start with reasoning, and may need no key at a compatible server', async () => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server, { key: undefined })
    server.script({ steps: [{ thinking: 'Hm.' }, { text: 'Blue.' }] })
    expect(await collect(provider, asks(model))).toMatchObject([
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'Blue.' },
      { type: 'end' },
    ])
    expect(server.requests[0]?.headers).not.toHaveProperty('x-api-key')
  })

  test('is told to write JSON where there is no schema', async () => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    server.script({ steps: [{ text: '{}' }] })
    expect(textOf(await collect(provider, asks(model, { format: {} })))).toBe('{}')
    expect(server.requests[0]?.body).toMatchObject({
      system: [{ type: 'text', text: expect.stringContaining('one JSON object only') }],
    })
  })

  test.each([
    ['a seed', { seed: 7 }, /does not support a seed of 7/],
    ['a penalty', { frequencyPenalty: 0.5 }, /does not support a frequency penalty/],
    ['another penalty', { presencePenalty: 0.5 }, /does not support a presence penalty/],
    ['a temperature above one', { temperature: 1.5 }, /does not support a temperature of 1.5/],
    ['two ways to choose words', { temperature: 0.5, topP: 0.5 }, /does not support a top_p/],
    [
      'what only the runtime knows',
      { runtime: { options: { mirostat: 2 } } },
      /only nodes of the cluster support `options.mirostat`/,
    ],
  ])('is not requested with %s', async (_what, more, message) => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    const { failure } = await failing(provider, asks(model, more))
    expect(failure.kind).toBe('unsupported')
    expect(failure.message).toMatch(message)
    expect(server.requests).toEqual([])
  })

  test('is requested with options that have no effect', async () => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    await collect(
      provider,
      asks(model, { temperature: 0.5, topP: 1, frequencyPenalty: 0, presencePenalty: 0 }),
    )
    expect(server.requests[0]?.body).toMatchObject({ temperature: 0.5 })
  })
})

describe('a call to Anthropic aborts the provider', () => {
  test('when its caller leaves the loop', async () => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    server.script({ steps: [{ text: 'The' }, 'hang'] })
    for await (const part of provider.stream(asks(model), new AbortController().signal)) {
      expect(part).toEqual({ type: 'text', text: 'The' })
      break
    }
    expect(await (await server.nextRequest('/messages')).closed).toBe(true)
  })

  test.each([
    ['in the middle', { steps: [{ text: 'The' }, 'hang'] }],
    ['before it began', 'hang'],
  ] as const)('when its signal is aborted %s, and throws the reason', async (_when, reply) => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    server.script(reply)
    const leaving = new AbortController()
    const reason = new Error('the caller has left')
    const answer = collect(provider, asks(model), leaving.signal).catch((error: unknown) => error)
    const request = await server.nextRequest('/messages')
    leaving.abort(reason)
    expect(await answer).toBe(reason)
    expect(await request.closed).toBe(true)
  })
})

describe('the models of Anthropic', () => {
  test('are those it lists, over all pages', async () => {
    const models = ['claude-a', 'claude-b', 'claude-c', 'claude-d', 'claude-e']
    await using server = await startAnthropicServer({ apiKey, models, pageSize: 2 })
    await using provider = providerFor(server)
    const listed = await provider.list()
    expect(listed.map(({ id }) => id)).toEqual(models)
    expect(listed[0]).toEqual({
      id: 'claude-a',
      ownedBy: 'anthropic',
      created: 1_771_459_200,
      available: true,
      loaded: false,
      nodes: [],
      size: null,
      capabilities: ['completion', 'tools', 'thinking', 'vision'],
      contextLength: 200_000,
      maxOutputTokens: 64_000,
    })
    expect(await provider.list()).toBe(listed)
    expect(server.requests.map(({ path }) => path)).toEqual([
      '/v1/models?limit=1000',
      '/v1/models?limit=1000&after_id=claude-b',
      '/v1/models?limit=1000&after_id=claude-d',
    ])
  })

  test('are empty without a key, and Anthropic is not called', async () => {
    await using provider = providerFor({ baseUrl: 'https://api.anthropic.com/v1' }, { key: undefined })
    expect(await provider.list()).toEqual([])
    expect(await provider.probe(soon())).toEqual({
      state: 'unconfigured',
      problem: 'Anthropic has no key: set ANTHROPIC_API_KEY, or store one.',
      responseMs: null,
    })
    expect((await failing(provider, asks(model))).failure.kind).toBe('unauthorized')
  })

  test('have no embeddings', async () => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    expect((await failingToEmbed(provider, { model, inputs: ['a'] })).kind).toBe('unsupported')
    expect(server.requests).toEqual([])
  })

  test.each([
    ['is online', 'usual', 'online', null, expect.any(Number)],
    ['takes no more', { status: 429 }, 'degraded', expect.any(String), expect.any(Number)],
    ['does not accept the key', { status: 401 }, 'offline', expect.any(String), expect.any(Number)],
    ['fails', { status: 500 }, 'offline', expect.any(String), null],
    [
      'lists something else',
      { status: 200, body: '{"data":7}' },
      'offline',
      expect.any(String),
      expect.any(Number),
    ],
  ] as const)('are probed: it %s', async (_how, reply, state, problem, responseMs) => {
    await using server = await startAnthropicServer()
    await using provider = providerFor(server)
    server.scriptModels(reply)
    const refused = typeof reply === 'object' && reply.status === 401 ? { isRefused: true } : {}
    expect(await provider.probe(soon())).toEqual({ state, problem, responseMs, ...refused })
  })
})
