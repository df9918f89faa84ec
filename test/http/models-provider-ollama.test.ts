import { describe, expect, test } from 'vitest'
import { startServiceFor } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { startModelNode } from '../support/model-node.ts'
import { startOllamaProvider } from './models-provider-ollama-support.ts'
import { asks, collect, failing, failingToEmbed, patient, textOf } from './models-provider-support.ts'
import { startScriptedNode } from './models-scripted-node.ts'

const model = 'gemma3:4b'

describe('a response of a node', () => {
  test.each(['chat', 'generate'] as const)(
    'to %s comes through the cluster, with its usage',
    async (kind) => {
      await using node = await startModelNode()
      await using service = await startServiceFor([node])
      await using provider = await startOllamaProvider({ clusterUrl: service.url })
      const parts = await collect(provider, asks(model, { kind, maxTokens: 4 }))
      expect(textOf(parts)).toBe('The sky is blue')
      expect(parts.at(-1)).toMatchObject({
        type: 'end',
        finish: 'stop',
        usage: { inputTokens: 11, cachedInputTokens: null, outputTokens: 4 },
        runtime: { done_reason: 'stop', total_duration: 174_560_334, load_duration: 101_397_084 },
      })
      const { lastWork, cancelled } = await node.stats()
      expect(lastWork?.path).toBe(`/api/${kind}`)
      expect(lastWork?.headers).toHaveProperty('via')
      expect(cancelled).toBe(0)
    },
  )

  test('streams, reasoning included', async () => {
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({ nodeUrl: node.url })
    const { promise: seen, resolve: see } = Promise.withResolvers<void>()
    node.script({ steps: [{ thinking: 'Hm.' }, { until: seen }, 'ping', { text: 'Blue.' }] })
    const parts = []
    for await (const part of provider.stream(asks(model), new AbortController().signal)) {
      parts.push(part)
      see()
    }
    expect(parts).toMatchObject([
      { type: 'thinking', text: 'Hm.' },
      { type: 'text', text: 'Blue.' },
      { type: 'end' },
    ])
    // The response ended cleanly, so that the connection can be reused.
    expect(await node.requests[0]?.closed).toBe(false)
  })

  test('is requested in the format of Ollama', async () => {
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({ nodeUrl: node.url })
    await collect(
      provider,
      asks(model, { seed: 7, format: {}, runtime: { keep_alive: 0, options: { num_ctx: 512 } } }),
    )
    expect(node.requests[0]?.body).toEqual({
      model,
      messages: [{ role: 'user', content: 'Why is the sky blue?' }],
      stream: true,
      format: 'json',
      keep_alive: 0,
      options: { num_ctx: 512, seed: 7 },
    })
  })
})

describe('an original request', () => {
  const body = { model: 'alias', messages: [{ role: 'user', content: 'Why?' }], novelty: 7 }
  const original = { protocol: 'ollama.chat', body, nativeFields: [] } as const

  test.each([true, false])('is forwarded, and its response passed on (stream: %s)', async (stream) => {
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({ nodeUrl: node.url })
    const whole = {
      model,
      message: { role: 'assistant', content: 'Hi' },
      done: true,
      prompt_eval_count: 11,
      eval_count: 3,
    }
    node.script(stream ? { steps: [{ text: 'Hi' }, 'ping', { text: '!' }] } : { json: whole })
    const parts = await collect(provider, asks(model, { original: { ...original, stream } }))
    expect(node.requests[0]?.body).toEqual({ ...body, model, stream })
    const end = { type: 'end', usage: { inputTokens: 11, outputTokens: 3 } }
    const raw = parts.flatMap((part) => (part.type === 'raw' ? part.bytes : []))
    const lines = Buffer.concat(raw)
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject(
      stream ? [{ message: { content: 'Hi' } }, { message: { content: '!' } }, { done: true }] : [whole],
    )
    expect(parts.at(-1)).toMatchObject(end)
    // The response ended cleanly, so that the connection can be reused.
    expect(await node.requests[0]?.closed).toBe(false)
  })

  test.each([
    ['stalls', { steps: [{ text: 'Hi' }, 'hang'] }, 'timeout'],
    ['is cut off', { steps: [{ text: 'Hi' }, 'cut'] }, 'unavailable'],
    ['ends early', { steps: [{ text: 'Hi' }, 'end'] }, 'malformed'],
    ['fails', { steps: [{ text: 'Hi' }, { error: { type: 'x', message: 'Out of memory' } }] }, 'unavailable'],
    ['is refused', { status: 404, message: "model 'gemma3:4b' not found" }, 'model_not_found'],
  ] as const)('that %s fails', async (_what, reply, kind) => {
    await using node = await startScriptedNode()
    const limits = kind === 'timeout' ? { ...patient, stallMs: 2000 } : patient
    await using provider = await startOllamaProvider({ nodeUrl: node.url, limits })
    node.script(reply)
    const { failure } = await failing(provider, asks(model, { original: { ...original, stream: true } }))
    expect(failure.kind).toBe(kind)
    await node.requests[0]?.closed
  })
})

test.each([
  [true, expect.stringMatching(/^prefix-/)],
  [false, undefined],
])('with prefix affinity %s, a conversation has the session id %s', async (prefixAffinity, session) => {
  await using cluster = await startScriptedNode()
  await using provider = await startOllamaProvider({ clusterUrl: cluster.url, prefixAffinity })
  const messages = [
    { role: 'user', content: 'Why?' },
    { role: 'assistant', content: 'So.' },
  ] as const
  await collect(provider, asks(model, { messages }))
  expect(cluster.lastCall()?.headers['x-session-id']).toEqual(session)
})

describe('a call to a node aborts its work', () => {
  test('when its caller leaves the loop, through the cluster', async () => {
    await using node = await startModelNode({ behaviour: 'work_floods' })
    await using service = await startServiceFor([node])
    await using provider = await startOllamaProvider({ clusterUrl: service.url })
    for await (const part of provider.stream(asks(model), new AbortController().signal)) {
      if (part.type === 'text') break
    }
    await eventually(async () => (await node.stats()).working === 0)
  })

  test.each([
    ['in the middle', { steps: [{ text: 'The' }, 'hang'] }],
    ['before it began', 'hang'],
  ] as const)('when its signal is aborted %s, and throws the reason', async (_when, reply) => {
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({ nodeUrl: node.url })
    node.script(reply)
    const leaving = new AbortController()
    const reason = new Error('the caller has left')
    const answer = collect(provider, asks(model), leaving.signal).catch((error: unknown) => error)
    const request = await node.nextRequest('/api/chat')
    leaving.abort(reason)
    expect(await answer).toBe(reason)
    expect(await request.closed).toBe(true)
  })
})

describe('a node fails', () => {
  test.each([
    [
      'with 400',
      { status: 400, message: 'does not support thinking' },
      { kind: 'refused', message: 'The node rejected the request: does not support thinking' },
    ],
    ['with 401', { status: 401 }, { kind: 'unauthorized' }],
    ['with 403', { status: 403 }, { kind: 'unauthorized' }],
    ['with 404', { status: 404, message: "model 'gemma3:4b' not found" }, { kind: 'model_not_found' }],
    ['with 404 of another kind', { status: 404, body: '404 page not found' }, { kind: 'unavailable' }],
    [
      'with 429',
      { status: 429, headers: { 'retry-after': '7' } },
      { kind: 'rate_limited', retryAfterSeconds: 7 },
    ],
    ['with a budget that is used up', { status: 429, code: 'budget_used_up' }, { kind: 'unauthorized' }],
    ['with 500', { status: 500, message: 'the runner stopped' }, { kind: 'unavailable' }],
    [
      'with 503',
      { status: 503, headers: { 'retry-after': '3' } },
      { kind: 'unavailable', retryAfterSeconds: 3 },
    ],
    ['with 504', { status: 504 }, { kind: 'timeout' }],
    [
      'with a redirect',
      { status: 307, headers: { location: 'http://127.0.0.1:1/' } },
      { kind: 'unavailable' },
    ],
    ['with a page', { status: 200, body: '<h1>Hello</h1>' }, { kind: 'malformed' }],
  ])('%s', async (_how, reply, expected) => {
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({ nodeUrl: node.url })
    node.script(reply)
    const { text, failure } = await failing(provider, asks(model))
    expect(text).toBe('')
    expect(failure).toMatchObject(expected)
  })

  test.each([
    ['sends what is not JSON', { raw: '{"message":\n' }, 'malformed'],
    ['sends a line that is not part of a response', { raw: '{"status":"pulling"}\n' }, 'malformed'],
    ['sends a line without end', { raw: 'x'.repeat(17 * 1024 * 1024) }, 'malformed'],
    ['ends before its end', 'end', 'malformed'],
    ['closes the connection', 'cut', 'unavailable'],
    ['reports an error', { error: { type: '', message: 'out of memory' } }, 'unavailable'],
  ] as const)('when it %s, before and after the first piece', async (_how, step, kind) => {
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({ nodeUrl: node.url })
    node.script({ steps: [step, 'hang'] }, { steps: [{ text: 'The' }, step, 'hang'] })
    const before = await failing(provider, asks(model))
    expect([before.text, before.failure.kind]).toEqual(['', kind])
    const after = await failing(provider, asks(model))
    expect([after.text, after.failure.kind]).toEqual(['The', kind])
  })

  test.each([
    ['does not begin', 'hang', { firstPartMs: 1500, stallMs: 20_000 }, ''],
    ['begins with nothing', { steps: ['ping', 'hang'] }, { firstPartMs: 1500, stallMs: 20_000 }, ''],
    [
      'stops in the middle',
      { steps: [{ text: 'The' }, 'hang'] },
      { firstPartMs: 20_000, stallMs: 50 },
      'The',
    ],
  ] as const)('when it %s in time, and its connection is closed', async (_how, reply, limits, seen) => {
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({ nodeUrl: node.url, limits })
    node.script(reply)
    const { text, failure } = await failing(provider, asks(model))
    expect([text, failure.kind]).toEqual([seen, 'timeout'])
    expect(await (await node.nextRequest('/api/chat')).closed).toBe(true)
  })

  test('in the middle, and the cluster reports it', async () => {
    await using node = await startModelNode({ behaviour: 'work_dies' })
    await using service = await startServiceFor([node])
    await using provider = await startOllamaProvider({ clusterUrl: service.url })
    const { text, failure } = await failing(provider, asks(model))
    expect([text, failure.kind]).toEqual(['The sky', 'unavailable'])
    expect(failure.message).toMatch(/^The cluster failed in the middle of the response: /)
  })
})

describe('embeddings of a node', () => {
  const signal = new AbortController().signal

  test('come through the cluster, one for each input', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    await using provider = await startOllamaProvider({ clusterUrl: service.url })
    const { vectors, inputTokens } = await provider.embed(
      { model, inputs: ['a', 'b'], dimensions: 3 },
      signal,
    )
    expect(vectors).toEqual([1, 2].map(() => [0.010071029, -0.0017594862, 0.05007221]))
    expect(inputTokens).toBe(8)
    expect(JSON.parse((await node.stats()).lastWork?.body ?? '')).toEqual({
      model,
      input: ['a', 'b'],
      dimensions: 3,
    })
  })

  test.each([
    ['too few vectors', { json: { embeddings: [] } }, 'malformed'],
    ['something else', { json: { embeddings: ['a'] } }, 'malformed'],
    ['a page', { status: 200, body: '<h1>Hello</h1>' }, 'malformed'],
    ['a refusal', { status: 400, message: 'this model does not support embeddings' }, 'refused'],
    ['nothing', 'cut', 'unavailable'],
  ] as const)('fail when %s comes', async (_what, reply, kind) => {
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({ nodeUrl: node.url })
    node.script(reply)
    expect((await failingToEmbed(provider, { model, inputs: ['a'] })).kind).toBe(kind)
  })

  test('time out, and abort with their caller', async () => {
    await using node = await startScriptedNode()
    await using impatient = await startOllamaProvider({
      nodeUrl: node.url,
      limits: { firstPartMs: 1500, stallMs: 1500 },
    })
    node.script('hang', 'hang')
    expect((await failingToEmbed(impatient, { model, inputs: ['a'] })).kind).toBe('timeout')
    expect(await (await node.nextRequest('/api/embed')).closed).toBe(true)
    await using provider = await startOllamaProvider({ nodeUrl: node.url })
    const leaving = new AbortController()
    const asked = provider.embed({ model, inputs: ['a'] }, leaving.signal).catch((error: unknown) => error)
    const request = await node.nextRequest('/api/embed')
    leaving.abort('bye')
    expect(await asked).toBe('bye')
    expect(await request.closed).toBe(true)
  })
})
