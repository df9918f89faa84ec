import { describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import type { CloudProvider } from '../../src/models/providers/cloud-provider.ts'
import { createGeminiProvider } from '../../src/models/providers/gemini/gemini-provider.ts'
import { geminiSettings } from '../../src/models/providers/gemini/settings.ts'
import { eventually } from '../support/eventually.ts'
import { type GeminiServer, geminiChunk, startGeminiServer } from '../support/gemini-server.ts'
import { basicAuth, openPlatform } from '../support/platform.ts'
import { asks, collect, failing, patient, textOf } from './models-provider-support.ts'

const apiKey = 'AIza-test-0123456789'
const model = 'gemini-2.5-flash'
const soon = () => AbortSignal.timeout(40_000)

interface GeminiUnderTest {
  readonly key?: string | undefined
  readonly limits?: typeof patient
}

function providerFor(server: Pick<GeminiServer, 'baseUrl'>, more: GeminiUnderTest = {}): CloudProvider {
  const key = 'key' in more ? more.key : apiKey
  return createGeminiProvider({
    settings: readSettings(geminiSettings, { GEMINI_BASE_URL: server.baseUrl }),
    limits: more.limits ?? patient,
    readKey: async () => key,
  })
}

describe('a response of Gemini', () => {
  test('streams with its thoughts and its usage', async () => {
    await using server = await startGeminiServer({ apiKey })
    await using provider = providerFor(server)
    server.script({
      steps: [{ thinking: 'Optics.' }, { text: 'Light' }, { text: ' scatters.' }],
      usage: { input: 1000, cached: 400, output: 20, thoughts: 30 },
    })
    const parts = await collect(provider, asks(model, { reasoningEffort: 'low' }))
    expect(parts).toEqual([
      { type: 'thinking', text: 'Optics.' },
      { type: 'text', text: 'Light' },
      { type: 'text', text: ' scatters.' },
      {
        type: 'end',
        finish: 'stop',
        usage: { inputTokens: 1000, cachedInputTokens: 400, cacheWriteTokens: null, outputTokens: 50 },
      },
    ])
    expect(server.requests[0]?.body['generationConfig']).toMatchObject({
      thinkingConfig: { includeThoughts: true },
    })
  })

  test('is requested in the format of its API', async () => {
    await using server = await startGeminiServer({ apiKey })
    await using provider = providerFor(server)
    await collect(
      provider,
      asks(model, {
        messages: [
          { role: 'system', content: 'Be brief.' },
          {
            role: 'user',
            content: [
              { type: 'text', text: 'What is this?' },
              { type: 'image', url: 'data:image/png;base64,iVBORw0KGgo=' },
            ],
          },
          { role: 'assistant', content: 'A picture.' },
          { role: 'user', content: 'Of what?' },
        ],
        maxTokens: 50,
        temperature: 0,
        topK: 4,
        seed: 7,
        stop: ['END'],
      }),
    )
    const [request] = server.requests
    expect(request?.path).toBe(`/v1beta/models/${model}:streamGenerateContent?alt=sse`)
    expect(request?.headers['x-goog-api-key']).toBe(apiKey)
    expect(request?.body).toEqual({
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [
        {
          role: 'user',
          parts: [{ text: 'What is this?' }, { inlineData: { mimeType: 'image/png', data: 'iVBORw0KGgo=' } }],
        },
        { role: 'model', parts: [{ text: 'A picture.' }] },
        { role: 'user', parts: [{ text: 'Of what?' }] },
      ],
      generationConfig: { maxOutputTokens: 50, temperature: 0, topK: 4, seed: 7, stopSequences: ['END'] },
    })
  })

  test('calls tools, and gets their results', async () => {
    await using server = await startGeminiServer({ apiKey })
    await using provider = providerFor(server)
    const args = { city: 'Bern' }
    server.script({ steps: [{ raw: geminiChunk([{ functionCall: { name: 'weather', args } }]) }] })
    const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
    const tools = [{ name: 'weather', description: 'The weather.', parameters }]
    const parts = await collect(provider, asks(model, { tools, toolChoice: 'required' }))
    const [start, input, end] = parts
    expect(start).toEqual({ type: 'tool_call', index: 0, id: expect.any(String), name: 'weather' })
    expect(input).toEqual({ type: 'tool_arguments', index: 0, text: '{"city":"Bern"}' })
    expect(end).toMatchObject({ type: 'end', finish: 'tool_calls' })
    expect(server.requests[0]?.body).toMatchObject({
      tools: [{ functionDeclarations: [{ name: 'weather', description: 'The weather.' }] }],
      toolConfig: { functionCallingConfig: { mode: 'ANY' } },
    })

    const id = start?.type === 'tool_call' ? start.id : ''
    const answered = await collect(
      provider,
      asks(model, {
        tools,
        messages: [
          { role: 'user', content: 'What is the weather in Bern?' },
          {
            role: 'assistant',
            content: '',
            toolCalls: [{ id, name: 'weather', arguments: '{"city":"Bern"}' }],
          },
          { role: 'tool', toolCallId: id, content: 'Sunny.' },
        ],
      }),
    )
    expect(textOf(answered)).toBe('The sky is blue.')
    const { contents } = server.requests[1]?.body ?? {}
    expect(contents).toMatchObject([
      { role: 'user' },
      { role: 'model', parts: [{ functionCall: { name: 'weather', args } }] },
      { role: 'user', parts: [{ functionResponse: { name: 'weather', response: { content: 'Sunny.' } } }] },
    ])
  })

  test('satisfies a requested schema', async () => {
    await using server = await startGeminiServer()
    await using provider = providerFor(server)
    const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'] }
    server.script({ steps: [{ text: '{"a":"b"}' }] })
    expect(textOf(await collect(provider, asks(model, { format: { schema } })))).toBe('{"a":"b"}')
    expect(server.requests[0]?.body['generationConfig']).toMatchObject({
      responseMimeType: 'application/json',
    })
  })

  test.each([
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'content_filter'],
  ] as const)('with the reason %s ends with %s', async (finish, expected) => {
    await using server = await startGeminiServer()
    await using provider = providerFor(server)
    server.script({ steps: [{ text: 'Some' }], finish })
    expect((await collect(provider, asks(model))).at(-1)).toMatchObject({ type: 'end', finish: expected })
  })

  test('is cancelled with its signal', async () => {
    await using server = await startGeminiServer()
    await using provider = providerFor(server)
    server.script({ steps: [{ text: 'Light' }, 'hang'] })
    const caller = new AbortController()
    const reading = collect(provider, asks(model), caller.signal)
    const request = await server.nextRequest('alt=sse')
    caller.abort(new Error('gone'))
    await expect(reading).rejects.toThrow('gone')
    expect(await request.closed).toBe(true)
  })

  test('of embeddings has one vector for each input', async () => {
    await using server = await startGeminiServer()
    await using provider = providerFor(server)
    const embed = (inputs: string[]) => provider.embed({ model: 'gemini-embedding-001', inputs }, soon())
    expect(await embed(['a', 'b'])).toEqual({
      vectors: [
        [0, 0],
        [1, 0],
      ],
      inputTokens: null,
    })
    expect((await embed(['a'])).vectors).toEqual([[1, 0]])
  })
})

describe('a failure of Gemini', () => {
  test.each([
    [
      { status: 429, message: 'You exceeded your current quota' },
      'rate_limited',
      'has reached its rate limit: You',
    ],
    [{ status: 503, message: 'The model is overloaded.' }, 'unavailable', 'failed (status 503)'],
    [{ status: 400, message: 'Invalid value' }, 'refused', 'rejected the request: Invalid value'],
    [{ status: 403, message: 'No access' }, 'unauthorized', 'does not accept the API key (status 403)'],
    [{ status: 500, body: '<html>oops</html>' }, 'unavailable', 'failed (status 500)'],
  ] as const)('%j is %s', async (refusal, kind, message) => {
    await using server = await startGeminiServer({ apiKey })
    await using provider = providerFor(server)
    server.script(refusal)
    const { failure } = await failing(provider, asks(model))
    expect(failure.kind).toBe(kind)
    expect(failure.message).toContain(`Gemini ${message}`)
  })

  test('with a retry time is known by it', async () => {
    await using server = await startGeminiServer({ apiKey })
    await using provider = providerFor(server)
    server.script({ status: 429, headers: { 'retry-after': '7' } })
    expect((await failing(provider, asks(model))).failure.retryAfterSeconds).toBe(7)
  })

  test('of a wrong key, which Gemini reports as an invalid argument, is one of the key', async () => {
    await using server = await startGeminiServer({ apiKey })
    await using provider = providerFor(server, { key: 'AIza-wrong-key' })
    const { failure } = await failing(provider, asks(model))
    expect(failure.kind).toBe('unauthorized')
    expect(failure.message).not.toContain('AIza')
    expect(await provider.probe(soon())).toMatchObject({ state: 'offline', isRefused: true })
  })

  test('of an unknown model', async () => {
    await using server = await startGeminiServer({ apiKey })
    await using provider = providerFor(server)
    expect((await failing(provider, asks('gemini-9'))).failure.kind).toBe('model_not_found')
  })

  test.each([
    ['a stream that breaks', [{ text: 'Light' }, 'cut'], 'unavailable'],
    ['a stream without its end', [{ text: 'Light' }, 'end'], 'malformed'],
    [
      'an event that is not JSON',
      [{ text: 'Light' }, { raw: 'data: {"candidates": [\r\n\r\n' }],
      'malformed',
    ],
    [
      'an event of another form',
      [{ text: 'Light' }, { raw: 'data: {"candidates": 1}\r\n\r\n' }],
      'malformed',
    ],
  ] as const)('in the middle: %s', async (_name, steps, kind) => {
    await using server = await startGeminiServer()
    await using provider = providerFor(server)
    server.script({ steps: [...steps] })
    const { text, failure } = await failing(provider, asks(model))
    expect(text).toBe('Light')
    expect(failure.kind).toBe(kind)
  })

  test('before the first byte, and in time', async () => {
    await using server = await startGeminiServer()
    await using provider = providerFor(server)
    await using impatient = providerFor(server, { limits: { ...patient, firstPartMs: 200 } })
    await using busy = providerFor(server, { limits: { ...patient, stallMs: 200 } })
    server.script('cut', 'hang', { steps: [{ text: 'Light' }, 'hang'] })
    expect((await failing(provider, asks(model))).failure.kind).toBe('unavailable')
    expect((await failing(impatient, asks(model))).failure.kind).toBe('timeout')
    expect((await failing(busy, asks(model))).failure.kind).toBe('timeout')
  })
})

test('the models are listed over several pages, without those that the gateway cannot call', async () => {
  await using server = await startGeminiServer({ apiKey, pageSize: 2 })
  await using provider = providerFor(server)
  const listed = await provider.list()
  expect(listed.map(({ id, capabilities }) => [id, capabilities])).toEqual([
    ['gemini-2.0-flash', ['completion', 'tools', 'vision']],
    ['gemini-2.5-flash', ['completion', 'tools', 'vision', 'thinking']],
    ['gemini-embedding-001', ['embedding']],
  ])
  expect(listed[0]).toMatchObject({ contextLength: 1_048_576, maxOutputTokens: 65_536 })
})

test('a platform answers OpenAI and Anthropic clients with Gemini, at the prices of its list', async () => {
  await using server = await startGeminiServer({ apiKey })
  await using platform = await openPlatform(
    { GEMINI_BASE_URL: server.baseUrl, GEMINI_API_KEY: apiKey, GEMINI_PRICE_LIST: 'google' },
    { role: 'api' },
  )
  const post = (path: string, body: object) =>
    fetch(`${platform.url}${path}`, {
      method: 'POST',
      headers: { ...basicAuth(platform), 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'Why?' }], max_tokens: 50, ...body }),
    })
  const chat = await post('/v1/chat/completions', {})
  expect(chat.headers.get('x-model-provider')).toBe('gemini')
  expect(await chat.json()).toMatchObject({ choices: [{ message: { content: 'The sky is blue.' } }] })
  expect(await (await post('/v1/messages', {})).json()).toMatchObject({
    type: 'message',
    content: [{ type: 'text', text: 'The sky is blue.' }],
  })
  let calls: readonly unknown[] = []
  await eventually(async () => {
    calls = await platform.database.query(
      'select provider, price_source, micro_dollars > 0 as has_cost from model_calls',
    )
    return calls.length === 2
  })
  const priced = { provider: 'gemini', price_source: 'table', has_cost: true }
  expect(calls).toEqual([priced, priced])
})
