import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { createOpenAiProvider } from '../../src/models/providers/openai/openai-provider.ts'
import { openAiSettings } from '../../src/models/providers/openai/settings.ts'
import { startOpenAiServer } from '../support/openai-server.ts'
import { apiKey, model, providerFor } from './models-provider-openai-support.ts'
import { asks, failing, failingToEmbed, patient } from './models-provider-support.ts'

const soon = () => AbortSignal.timeout(40_000)

describe('embeddings of OpenAI', () => {
  const embedder = 'text-embedding-3-small'
  const signal = new AbortController().signal

  test('are one for each input, in their order, in any order on the wire', async () => {
    await using server = await startOpenAiServer({ apiKey })
    await using provider = providerFor(server)
    const data = [
      { index: 1, embedding: [0.2, 1] },
      { index: 0, embedding: [0.1, 0] },
    ]
    server.script({ data, usage: { input: 12, output: 0 } })
    expect(await provider.embed({ model: embedder, inputs: ['a', 'b'], dimensions: 2 }, signal)).toEqual({
      vectors: [
        [0.1, 0],
        [0.2, 1],
      ],
      inputTokens: 12,
    })
    expect(server.requests[0]?.body).toEqual({
      model: embedder,
      input: ['a', 'b'],
      dimensions: 2,
      encoding_format: 'float',
    })
    server.script({ usage: null })
    expect(await provider.embed({ model: embedder, inputs: ['abc'] }, signal)).toEqual({
      vectors: [[3, 0, 0.5]],
      inputTokens: null,
    })
  })

  test.each([
    ['too few vectors', { data: [{ index: 0, embedding: [1] }] }, 'malformed'],
    [
      'the same vector twice',
      {
        data: [
          { index: 0, embedding: [1] },
          { index: 0, embedding: [2] },
        ],
      },
      'malformed',
    ],
    ['a page', { status: 200, body: '<h1>Hello</h1>' }, 'malformed'],
    ['a refusal', { status: 429, headers: { 'retry-after': '2' } }, 'rate_limited'],
    ['nothing', 'cut', 'unavailable'],
  ] as const)('fail when %s comes', async (_what, reply, kind) => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    server.script(reply)
    expect((await failingToEmbed(provider, { model: embedder, inputs: ['a', 'b'] })).kind).toBe(kind)
  })

  test('time out, and abort with their caller', async () => {
    await using server = await startOpenAiServer()
    await using impatient = providerFor(server, { limits: { firstPartMs: 1500, stallMs: 1500 } })
    server.script('hang', 'hang')
    expect((await failingToEmbed(impatient, { model: embedder, inputs: ['a'] })).kind).toBe('timeout')
    expect(await (await server.nextRequest('/embeddings')).closed).toBe(true)
    await using provider = providerFor(server)
    const leaving = new AbortController()
    const asked = provider
      .embed({ model: embedder, inputs: ['a'] }, leaving.signal)
      .catch((error: unknown) => error)
    const request = await server.nextRequest('/embeddings')
    leaving.abort('bye')
    expect(await asked).toBe('bye')
    expect(await request.closed).toBe(true)
  })
})

describe('the models of OpenAI', () => {
  test('are those it lists, requested once', async () => {
    await using server = await startOpenAiServer({ apiKey })
    await using provider = providerFor(server)
    const [first] = await Promise.all([provider.list(), provider.list()])
    expect(first).toEqual([
      {
        id: 'gpt-4o-mini',
        ownedBy: 'system',
        created: 1_777_916_264,
        available: true,
        loaded: false,
        nodes: [],
        size: null,
        capabilities: [],
        contextLength: null,
        maxOutputTokens: null,
      },
      expect.objectContaining({ id: 'text-embedding-3-small', capabilities: ['embedding'] }),
    ])
    expect(await provider.list()).toBe(first)
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/models'])
  })

  test('are empty without a key, and OpenAI is not called', async () => {
    await using provider = providerFor({ baseUrl: 'https://api.openai.com/v1' }, { key: undefined })
    expect(await provider.list()).toEqual([])
    expect(await provider.probe(AbortSignal.timeout(40_000))).toEqual({
      state: 'unconfigured',
      problem: 'OpenAI has no key: set OPENAI_API_KEY, or store one.',
      responseMs: null,
    })
  })

  test('are the configured ones, also without a list', async () => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server, { models: 'gpt-4o-mini, of-our-own' })
    expect(await provider.list()).toMatchObject([
      { id: 'gpt-4o-mini', ownedBy: 'system', available: true },
      { id: 'of-our-own', ownedBy: 'openai', available: true },
    ])
    server.scriptModels({ status: 404 })
    await using without = providerFor(server, { models: 'of-our-own' })
    expect(await without.list()).toMatchObject([{ id: 'of-our-own', available: true }])
    expect(await without.probe(AbortSignal.timeout(40_000))).toMatchObject({ state: 'online', problem: null })
    await using nameless = providerFor(server)
    expect(await nameless.list()).toEqual([])
    expect(await nameless.probe(AbortSignal.timeout(40_000))).toMatchObject({
      state: 'degraded',
      problem: expect.stringContaining('OPENAI_MODELS'),
    })
  })

  test('are not available while it is unreachable', async () => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server, { models: 'gpt-4o-mini' })
    await server.close()
    expect(await provider.list()).toMatchObject([{ id: 'gpt-4o-mini', available: false }])
  })
})

describe('a probe of OpenAI', () => {
  test('reports it online, and spends nothing', async () => {
    await using server = await startOpenAiServer({ apiKey })
    await using provider = providerFor(server)
    expect(await provider.probe(soon())).toEqual({
      state: 'online',
      problem: null,
      responseMs: expect.any(Number),
    })
    expect(server.requests.map(({ path }) => path)).toEqual(['/v1/models'])
  })

  test.each([
    ['takes no more', { status: 429 }, 'degraded', expect.any(Number)],
    ['does not accept the key', { status: 401, message: apiKey }, 'offline', expect.any(Number)],
    ['fails', { status: 500 }, 'offline', null],
    ['lists something else', { status: 200, body: '{"data":[{"name":"x"}]}' }, 'offline', expect.any(Number)],
    ['closes the connection', 'cut', 'offline', null],
  ] as const)('reports that it %s', async (_how, reply, state, responseMs) => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    server.scriptModels(reply)
    const probe = await provider.probe(soon())
    const refused = typeof reply === 'object' && reply.status === 401 ? { isRefused: true } : {}
    expect(probe).toEqual({ state, problem: expect.any(String), responseMs, ...refused })
    expect(probe.problem).not.toContain(apiKey)
  })

  test('times out', async () => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    server.scriptModels('hang')
    expect(await provider.probe(AbortSignal.timeout(50))).toEqual({
      state: 'offline',
      problem: 'OpenAI did not list its models in time.',
      responseMs: null,
    })
  })

  test('reports a key that cannot be read', async () => {
    await using provider = createOpenAiProvider({
      settings: readSettings(openAiSettings, {}),
      limits: patient,
      readKey: () => Promise.reject(new Error('encrypted with another secret')),
    })
    expect(await provider.probe(soon())).toMatchObject({
      state: 'offline',
      problem: 'The key of OpenAI cannot be read.',
    })
    expect(await provider.list()).toEqual([])
    expect((await failing(provider, asks(model))).failure.kind).toBe('unauthorized')
  })
})
