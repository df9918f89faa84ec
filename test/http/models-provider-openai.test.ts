import { getEventListeners } from 'node:events'
import { describe, expect, test } from 'vitest'
import { startOpenAiServer } from '../support/openai-server.ts'
import { apiKey, model, providerFor } from './models-provider-openai-support.ts'
import { asks, collect, failing, textOf } from './models-provider-support.ts'

describe('a response of OpenAI', () => {
  test('streams, with its usage', async () => {
    await using server = await startOpenAiServer({ apiKey })
    await using provider = providerFor(server)
    const { promise: seen, resolve: see } = Promise.withResolvers<void>()
    const usage = { input: 1000, cached: 400, output: 20 }
    server.script({ steps: [{ text: 'Light' }, { until: seen }, { text: ' scatters.' }], usage })
    const parts = []
    for await (const part of provider.stream(asks(model), new AbortController().signal)) {
      parts.push(part)
      // The rest is only sent once the first piece has arrived.
      see()
    }
    expect(parts).toEqual([
      { type: 'text', text: 'Light' },
      { type: 'text', text: ' scatters.' },
      {
        type: 'end',
        finish: 'stop',
        usage: { inputTokens: 1000, cachedInputTokens: 400, cacheWriteTokens: null, outputTokens: 20 },
      },
    ])
    expect(await server.requests[0]?.closed).toBe(false)
  })

  test('is requested in the format of its API', async () => {
    await using server = await startOpenAiServer({ apiKey })
    await using provider = providerFor(server)
    const messages = [
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: 'Why?' },
      { role: 'assistant', content: 'Because.' },
      { role: 'user', content: 'Really?' },
    ] as const
    const schema = {
      type: 'object',
      properties: { a: { type: 'string' } },
      required: ['a'],
      additionalProperties: false,
    }
    await collect(provider, {
      model,
      kind: 'generate',
      messages,
      maxTokens: 50,
      temperature: 0,
      topP: 0.5,
      seed: 7,
      stop: ['END'],
      frequencyPenalty: 0.1,
      presencePenalty: -0.1,
      format: { schema },
    })
    const [request] = server.requests
    expect(request?.headers.authorization).toBe(`Bearer ${apiKey}`)
    expect(request?.body).toEqual({
      model,
      messages,
      max_tokens: 50,
      temperature: 0,
      top_p: 0.5,
      seed: 7,
      stop: ['END'],
      frequency_penalty: 0.1,
      presence_penalty: -0.1,
      response_format: { type: 'json_schema', json_schema: { name: 'response', schema, strict: true } },
      stream: true,
      stream_options: { include_usage: true },
    })
  })

  test('is JSON of any schema, or of one that strict mode does not support, on request', async () => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    await collect(provider, asks(model, { format: {} }))
    await collect(provider, asks(model, { format: { schema: { type: 'object' } } }))
    expect(server.requests.map(({ body }) => body['response_format'])).toEqual([
      { type: 'json_object' },
      { type: 'json_schema', json_schema: { name: 'response', schema: { type: 'object' }, strict: false } },
    ])
  })

  test('has its finish reason', async () => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    const short = await collect(provider, asks(model, { maxTokens: 2 }))
    expect(textOf(short)).toBe('The sky')
    expect(short.at(-1)).toMatchObject({ type: 'end', finish: 'length' })
    server.script({ steps: [], finish: 'content_filter' })
    expect(await collect(provider, asks(model))).toMatchObject([{ type: 'end', finish: 'content_filter' }])
  })

  test('may have no token counts, and have reasoning, from a compatible server', async () => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server, { key: undefined })
    server.script({ steps: [{ thinking: 'Hm.' }, { text: 'Blue.' }], usage: null })
    expect(await collect(provider, asks(model))).toEqual([
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'Blue.' },
      {
        type: 'end',
        finish: 'stop',
        usage: { inputTokens: null, cachedInputTokens: null, cacheWriteTokens: null, outputTokens: null },
      },
    ])
    expect(server.requests[0]?.headers).not.toHaveProperty('authorization')
  })

  test('is not requested when the model does not support an option', async () => {
    await using server = await startOpenAiServer({ models: ['o3-mini'] })
    await using provider = providerFor(server)
    const { failure } = await failing(provider, asks('o3-mini', { temperature: 0.2 }))
    expect(failure).toMatchObject({
      kind: 'unsupported',
      message: 'OpenAI does not support this request: o3-mini does not support a temperature of 0.2.',
    })
    const { failure: ofRuntime } = await failing(
      provider,
      asks('o3-mini', { runtime: { keep_alive: '5m', think: true } }),
    )
    expect(ofRuntime).toMatchObject({ kind: 'unsupported', message: expect.stringContaining('`think`') })
    expect(server.requests).toEqual([])
    // Options without effect are not refused.
    await collect(
      provider,
      asks('o3-mini', { temperature: 1, topP: 1, frequencyPenalty: 0, runtime: { keep_alive: '5m' } }),
    )
    expect(server.requests).toHaveLength(1)
  })
})

describe('a call to OpenAI aborts the provider', () => {
  test('when its caller leaves the loop', async () => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    server.script({ steps: [{ text: 'The' }, 'hang'] })
    for await (const part of provider.stream(asks(model), new AbortController().signal)) {
      expect(part).toEqual({ type: 'text', text: 'The' })
      break
    }
    expect(await (await server.nextRequest('/chat/completions')).closed).toBe(true)
  })

  test.each([
    ['in the middle', { steps: [{ text: 'The' }, 'hang'] }],
    ['before it began', 'hang'],
  ] as const)('when its signal is aborted %s, and throws the reason', async (_when, reply) => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    server.script(reply)
    const leaving = new AbortController()
    const reason = new Error('the caller has left')
    const answer = collect(provider, asks(model), leaving.signal).catch((error: unknown) => error)
    const request = await server.nextRequest('/chat/completions')
    leaving.abort(reason)
    expect(await answer).toBe(reason)
    expect(await request.closed).toBe(true)
    expect(getEventListeners(leaving.signal, 'abort')).toHaveLength(0)
  })

  test('and is not made when it was aborted before', async () => {
    await using server = await startOpenAiServer()
    await using provider = providerFor(server)
    const answer = collect(provider, asks(model), AbortSignal.abort('too late'))
    await expect(answer).rejects.toBe('too late')
    expect(server.requests).toEqual([])
  })
})
