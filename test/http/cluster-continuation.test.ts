import { once } from 'node:events'
import { type IncomingMessage, request as sendRequest } from 'node:http'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { type CompatibleNode, startCompatibleNode } from '../support/compatible-node.ts'
import { type Behaviour, startModelNode, startMortalModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'
const calm = { HEALTH_CHECK_INTERVAL: '1h' }
const on = { ...calm, CLUSTER_CONTINUE_STREAMS: 'true' }
const chat = { model, messages: [{ role: 'user', content: 'Why?' }] }
const sentence = 'The sky is blue because of how light scatters.'

interface Line {
  readonly response?: string
  readonly message?: { readonly content: string }
  readonly error?: string
  readonly done?: boolean
}

interface Streamed {
  readonly headers: IncomingMessage['headers']
  readonly trailers: IncomingMessage['trailers']
  readonly lines: readonly Line[]
  readonly text: string
}

/** Reads a stream with its trailers, which `fetch` does not return. `onLine` runs after the first line. */
async function stream(
  service: TestClusterService,
  path: string,
  body: object,
  {
    headers = {},
    onLine = async () => {},
  }: { headers?: Record<string, string>; onLine?: () => Promise<void> } = {},
): Promise<Streamed> {
  const sent = sendRequest(`${service.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
  })
  sent.end(JSON.stringify(body))
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  let received = ''
  let isFirst = true
  for await (const chunk of response) {
    received += String(chunk)
    if (isFirst) await onLine()
    isFirst = false
  }
  const lines = received
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line)
  const text = lines.map(({ response: said, message }) => said ?? message?.content ?? '').join('')
  return { headers: response.headers, trailers: response.trailers, lines, text }
}

describe('a stream whose node fails', () => {
  test.each<[string, object, Behaviour]>([
    ['/api/chat', chat, 'work_dies'],
    ['/api/chat', chat, 'work_stalls'],
    ['/api/chat', chat, 'work_ends_early'],
    ['/api/generate', { model, prompt: 'Why?', system: 'Be brief.' }, 'work_dies'],
    ['/api/generate', { model, prompt: 'Question: Why? Answer: ', raw: true }, 'work_dies'],
    ['/api/chat', { ...chat, options: { num_predict: 10 } }, 'work_dies'],
  ])('%s %j (%s) is continued by another node', async (path, body, behaviour) => {
    await using bad = await startModelNode({ behaviour })
    await using good = await startModelNode()
    await using service = await startServiceFor([bad, good], { ...on, CLUSTER_STALL_TIMEOUT: '2s' })
    const [badId, goodId] = service.cluster.nodes().map(({ id }) => id)
    const { headers, trailers, lines, text } = await stream(service, path, body)
    expect(text).toBe(sentence)
    expect(lines).toHaveLength(11)
    const field = path === '/api/chat' ? 'message' : 'response'
    for (const line of lines) expect(Object.keys(line)).toContain(field)
    for (const line of lines)
      expect(Object.keys(line)).not.toContain(field === 'message' ? 'response' : 'message')
    // The second node read two tokens of the answer as prompt and wrote eight.
    expect(lines.at(-1)).toMatchObject({ done: true, prompt_eval_count: 9, eval_count: 10 })
    expect(headers).toMatchObject({ 'x-cluster-node': badId, trailer: 'X-Cluster-Continued' })
    expect(trailers).toEqual({ 'x-cluster-continued': goodId })
    const metrics = await service.metrics.render()
    expect(metrics).toContain(`tutti_cluster_continuations_total{node="${goodId}"} 1`)
    expect(metrics).toContain(
      `tutti_cluster_tokens_total{node="${goodId}",model="${model}",kind="completion"} 10`,
    )
    expect((await good.stats()).lastWork?.headers).not.toHaveProperty('x-cluster-continue')
    expect(service.cluster.nodes()).toMatchObject([
      { failures: 1, active_connections: 0 },
      { failures: 0, active_connections: 0 },
    ])
  })

  test('is continued after kill -9', async () => {
    // It does not finish before it is killed.
    await using dying = await startMortalModelNode({ behaviour: 'work_stalls' })
    await using good = await startModelNode()
    await using service = await startServiceFor([dying, good], calm)
    const { trailers, text } = await stream(service, '/api/chat', chat, {
      headers: { 'x-cluster-continue': 'true' },
      onLine: () => dying.kill(),
    })
    expect(text).toBe(sentence)
    expect(trailers).toEqual({ 'x-cluster-continued': service.cluster.nodes()[1]?.id })
  })

  test.each<[string, object, Record<string, string>, Record<string, string>]>([
    ['by default', chat, calm, {}],
    ['when the request does not want it', chat, on, { 'x-cluster-continue': 'false' }],
    ['with a format', { ...chat, format: 'json' }, on, {}],
    ['with thinking', { ...chat, think: true }, on, {}],
    ['when no token is left', { ...chat, options: { num_predict: 2, token_delay_ms: 1 } }, on, {}],
  ])('is not continued %s: it ends with an error line', async (_what, body, environment, headers) => {
    await using bad = await startModelNode({ behaviour: 'work_dies_late' })
    await using good = await startModelNode()
    await using service = await startServiceFor([bad, good], environment)
    const { lines, trailers } = await stream(service, '/api/chat', body, { headers })
    expect(lines.map(({ error, message }) => error ?? message?.content)).toEqual([
      'The',
      ' sky',
      expect.stringContaining('the connection was closed'),
    ])
    expect(trailers).toEqual({})
    expect((await good.stats()).requests['/api/chat']).toBeUndefined()
  })

  test('ends with the error of its node when the other does not take the beginning of an answer', async () => {
    await using bad = await startModelNode({ behaviour: 'work_dies' })
    await using other = await startModelNode({ behaviour: 'work_refuses_prefix' })
    await using service = await startServiceFor([bad, other], on)
    const { lines } = await stream(service, '/api/chat', chat)
    expect(lines).toMatchObject([
      { message: { content: 'The' } },
      { message: { content: ' sky' } },
      { error: expect.stringContaining('the connection was closed') },
    ])
    expect(service.cluster.nodes()[1]).toMatchObject({
      failures: 0,
      status: 'healthy',
      active_connections: 0,
    })
  })

  test('passes unchanged while no node fails', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], calm)
    const send = (value: string) =>
      service.post('/api/generate', { model, prompt: 'Why?' }, { headers: { 'x-cluster-continue': value } })
    expect(await (await send('true')).text()).toBe(await (await send('false')).text())
    const wrong = await send('perhaps')
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toEqual({ error: 'X-Cluster-Continue must be one of true, false' })
  })
})

describe('a stream of /v1 whose node fails', () => {
  const qwen = 'Qwen/Qwen3-0.6B'
  const question = [{ role: 'user', content: 'Why?' }]
  const usage = { stream: true, stream_options: { include_usage: true } }
  const closing = new AsyncDisposableStack()
  /** Dies after two words. */
  let bad: CompatibleNode
  let good: CompatibleNode

  beforeAll(async () => {
    bad = closing.use(await startCompatibleNode({ runtime: 'vllm', diesAfter: 2 }))
    good = closing.use(await startCompatibleNode({ runtime: 'vllm' }))
  })
  afterAll(() => closing.disposeAsync())
  beforeEach(() => good.set({ runtime: 'vllm' }))

  /** The events of a stream, without the last one. */
  async function events(service: TestClusterService, path: string, body: object, headers = {}) {
    const sent = sendRequest(`${service.url}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
    })
    sent.end(JSON.stringify({ model: qwen, ...usage, ...body }))
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    let received = ''
    for await (const chunk of response) received += String(chunk)
    const data = received.split('\n\n').flatMap((event) => /^data: ?(\{.*)$/.exec(event)?.[1] ?? [])
    const all = data.map(
      (text) =>
        JSON.parse(text) as {
          id: string
          error?: { message: string }
          choices?: { text?: string; delta?: { role?: string; content?: string } }[]
          usage?: object
        },
    )
    const text = all.map(({ choices: [first] = [] }) => first?.delta?.content ?? first?.text ?? '').join('')
    return { all, text, isDone: received.endsWith('data: [DONE]\n\n'), trailers: response.trailers }
  }

  test.each<[string, object]>([
    ['/v1/chat/completions', { messages: question }],
    ['/v1/chat/completions', { messages: question, max_tokens: 10 }],
    ['/v1/completions', { prompt: 'Question: Why? Answer: ' }],
  ])('%s %j is continued by another node', async (path, body) => {
    await using service = await startServiceFor([bad, good], on)
    const goodId = service.cluster.nodes()[1]?.id
    const { all, text, isDone, trailers } = await events(service, path, body)
    expect(text).toBe(sentence)
    expect(isDone).toBe(true)
    expect(trailers).toEqual({ 'x-cluster-continued': goodId })
    expect(new Set(all.map(({ id }) => id)).size).toBe(1)
    expect(all.filter(({ choices }) => choices?.[0]?.delta?.role !== undefined)).toHaveLength(
      path === '/v1/completions' ? 0 : 1,
    )
    // The second node read two tokens of the answer as prompt and wrote eight.
    expect(all.at(-1)?.usage).toMatchObject({ prompt_tokens: 9, completion_tokens: 10 })
    const { last } = await good.stats()
    if (path === '/v1/completions')
      expect(last?.body).toMatchObject({ prompt: 'Question: Why? Answer: The sky' })
    else {
      expect(last?.body).toMatchObject({
        add_generation_prompt: false,
        continue_final_message: true,
        messages: [...question, { role: 'assistant', content: 'The sky' }],
      })
    }
    expect(await service.metrics.render()).toContain(`cluster_continuations_total{node="${goodId}"} 1`)
  })

  test('is continued after kill -9, also by the native API', async () => {
    for (const path of ['/v1/chat/completions', '/api/chat']) {
      await using dying = await startCompatibleNode({ runtime: 'vllm', tokenDelayMs: 100 })
      await good.set({ runtime: 'sglang' })
      await using service = await startServiceFor([dying, good], on)
      const body = { model: qwen, messages: question, stream: true }
      const answer = await service.post(path, body)
      const reader = (answer.body ?? new ReadableStream<Uint8Array>()).getReader()
      const decoder = new TextDecoder()
      let received = ''
      while (!received.includes('sky'))
        received += decoder.decode((await reader.read()).value, { stream: true })
      await dying.kill()
      for (let part = await reader.read(); !part.done; part = await reader.read()) {
        received += decoder.decode(part.value, { stream: true })
      }
      const said = [...received.matchAll(/"content":"([^"]*)"/g)].map(([, text]) => text).join('')
      expect(said).toBe(sentence)
    }
  })

  test.each<[string, object, 'vllm' | 'tgi', Record<string, string>]>([
    ['a runtime without an option for it', {}, 'tgi', {}],
    ['a response format', { response_format: { type: 'json_object' } }, 'vllm', {}],
    ['several choices', { n: 2 }, 'vllm', {}],
    ['the header', {}, 'vllm', { 'x-cluster-continue': 'false' }],
    ['a used up limit', { max_completion_tokens: 2 }, 'vllm', {}],
  ])('ends with an error event with %s', async (_why, body, runtime, headers) => {
    await good.set({ runtime })
    const before = await good.stats()
    await using service = await startServiceFor([bad, good], on)
    const { all } = await events(service, '/v1/chat/completions', { messages: question, ...body }, headers)
    expect(all.at(-1)?.error?.message).toContain('the connection was closed')
    expect((await good.stats()).counts['/v1/chat/completions']).toBe(before.counts['/v1/chat/completions'])
  })

  test('is off by default', async () => {
    await using service = await startServiceFor([bad, good], calm)
    const { all, text } = await events(service, '/v1/chat/completions', { messages: question })
    expect(text).toBe('The sky')
    expect(all.at(-1)?.error).toBeDefined()
  })
})
