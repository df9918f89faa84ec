import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../support/eventually.ts'
import { type OpenAiServer, startOpenAiServer } from '../support/openai-server.ts'
import { basicAuth, openPlatform, type PlatformInProcess } from '../support/platform.ts'
import type { ScriptedServer } from '../support/scripted-server.ts'
import { type ReceivedSpan, readAttributes, startCollector } from '../support/trace-collector.ts'
import { type NodeReply, startScriptedNode } from './models-scripted-node.ts'

const closing = new AsyncDisposableStack()
const key = 'sk-test-0123456789abcdef'
const model = 'gemma3:4b'
const messages = [{ role: 'user', content: 'Why is the sky blue?' }]
let collector: Awaited<ReturnType<typeof startCollector>>
let node: ScriptedServer<NodeReply>
let openai: OpenAiServer
let environment: Record<string, string>
let platform: PlatformInProcess

beforeAll(async () => {
  collector = closing.use(await startCollector())
  node = closing.use(await startScriptedNode({ models: [model] }))
  openai = closing.use(await startOpenAiServer({ apiKey: key }))
  environment = { CLUSTER_NODES: node.url, OPENAI_BASE_URL: openai.baseUrl, OPENAI_API_KEY: key }
  platform = closing.use(
    await openPlatform({
      ...environment,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_METRIC_EXPORT_INTERVAL: '500',
    }),
  )
  await eventually(async () => (await chat(platform, { model })).status === 200)
})
afterAll(() => closing.disposeAsync())

const parentId = '00f067aa0ba902b7'

function chat(
  { url, admin }: Pick<PlatformInProcess, 'url' | 'admin'>,
  body: object,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { ...basicAuth({ admin }), 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ messages, ...body }),
  })
}

/** Sends a request in a new trace and returns the spans of the trace, once there are this many. */
async function spansOf(
  count: number,
  send: (headers: Record<string, string>) => Promise<unknown>,
): Promise<readonly ReceivedSpan[]> {
  const traceId = randomBytes(16).toString('hex')
  await send({ traceparent: `00-${traceId}-${parentId}-01`, tracestate: 'vendor=abc' })
  const found = () => collector.spans().filter((span) => span.traceId === traceId)
  await eventually(() => found().length >= count)
  return found()
}

const attributesOf = (span: ReceivedSpan | undefined) => readAttributes(span?.attributes)
const childrenOf = (spans: readonly ReceivedSpan[], parent: ReceivedSpan | undefined) =>
  spans.filter(({ parentSpanId }) => parentSpanId === parent?.spanId)

describe('the trace of a call', () => {
  test('leads from the gateway over the cluster to the node', async () => {
    let id: string | null = null
    const spans = await spansOf(4, async (headers) => {
      const response = await chat(
        platform,
        { model, temperature: 0.5, max_tokens: 30, stream: true },
        headers,
      )
      await response.text()
      id = response.headers.get('x-call-id')
    })
    const server = spans.find(({ parentSpanId }) => parentSpanId === parentId)
    expect(server?.name).toBe('POST /v1/chat/completions')
    const [call] = childrenOf(spans, server)
    expect(call).toMatchObject({ name: `chat ${model}`, kind: 1 })
    expect(attributesOf(call)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.provider.name': 'ollama',
      'gen_ai.request.model': model,
      'gen_ai.request.temperature': 0.5,
      'gen_ai.request.max_tokens': 30,
      'gen_ai.response.model': model,
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
      'gen_ai.response.finish_reasons': { values: [{ stringValue: 'stop' }] },
      'tutti.call.id': id,
    })
    const [attempt] = childrenOf(spans, call)
    expect(attempt).toMatchObject({ name: `chat ${model}`, kind: 3 })
    expect(attributesOf(attempt)).toMatchObject({
      'gen_ai.provider.name': 'ollama',
      'server.address': '127.0.0.1',
      'server.port': Number(new URL(platform.clusterUrl).port),
    })
    const toNode = spans.find((span) => attributesOf(span)['server.port'] === Number(new URL(node.url).port))
    expect(toNode).toMatchObject({ name: `chat ${model}`, kind: 3 })
    // The gateway has counted the tokens of the call.
    expect(attributesOf(toNode)).not.toHaveProperty('gen_ai.usage.input_tokens')
    const received = node.requests.findLast(({ path }) => path === '/api/chat')
    expect(received?.headers).toMatchObject({
      traceparent: `00-${server?.traceId}-${toNode?.spanId}-01`,
      tracestate: 'vendor=abc',
    })
    const path = `/api/v1/usage/calls/${id}`
    const details = async () =>
      (await fetch(`${platform.url}${path}`, { headers: basicAuth(platform) })).json()
    await expect.poll(details).toMatchObject({ trace_id: server?.traceId })
  })

  test.each([
    ['passed on unchanged', {}],
    [
      'translated',
      {
        response_format: {
          type: 'json_schema',
          json_schema: { name: 'a', strict: true, schema: anObject() },
        },
      },
    ],
  ])('reaches a cloud provider with a request that is %s', async (_how, fields) => {
    openai.script({ steps: [{ text: '{"a":1}' }] })
    const spans = await spansOf(3, async (headers) => {
      await (await chat(platform, { model: 'gpt-4o-mini', ...fields }, headers)).text()
    })
    const attempt = spans.find((span) => span.kind === 3)
    expect(attributesOf(attempt)).toMatchObject({
      'gen_ai.provider.name': 'openai',
      'server.port': Number(new URL(openai.baseUrl).port),
    })
    const received = openai.requests.findLast(({ path }) => path.endsWith('/chat/completions'))
    expect(received?.headers).toMatchObject({
      traceparent: `00-${attempt?.traceId}-${attempt?.spanId}-01`,
      tracestate: 'vendor=abc',
    })
  })

  test('has a span for each attempt, and those that failed say why', async () => {
    openai.script({ status: 503 })
    const spans = await spansOf(5, async (headers) => {
      const response = await chat(
        platform,
        { model: 'gpt-4o-mini' },
        { ...headers, 'x-model-fallback': model },
      )
      await response.text()
    })
    const call = spans.find((span) => span.name === 'chat gpt-4o-mini' && span.kind === 1)
    const attempts = childrenOf(spans, call)
    expect(attempts.map(({ name, status }) => [name, status.code ?? 0])).toEqual([
      ['chat gpt-4o-mini', 2],
      [`chat ${model}`, 0],
    ])
    expect(attributesOf(attempts[0])).toMatchObject({ 'error.type': 'unavailable' })
    expect(attributesOf(call)).toMatchObject({ 'gen_ai.response.model': model, 'tutti.call.attempts': 2 })
    expect(call?.status.code ?? 0).toBe(0)
  })

  test('of a refused call has its error', async () => {
    const spans = await spansOf(2, async (headers) => {
      expect((await chat(platform, { model: 'nothing' }, headers)).status).toBe(404)
    })
    const call = spans.find(({ name }) => name === 'chat nothing')
    expect(call?.status.code).toBe(2)
    expect(attributesOf(call)).toMatchObject({ 'error.type': 'model_not_found' })
  })

  test('of the cluster port has the tokens of the node', async () => {
    const spans = await spansOf(1, async (headers) => {
      const response = await fetch(`${platform.clusterUrl}/api/chat`, {
        method: 'POST',
        headers,
        body: JSON.stringify({ model, messages }),
      })
      await response.text()
    })
    const toNode = spans.find(({ kind }) => kind === 3)
    expect(attributesOf(toNode)).toMatchObject({
      'gen_ai.operation.name': 'chat',
      'gen_ai.usage.input_tokens': expect.any(Number),
      'gen_ai.usage.output_tokens': expect.any(Number),
    })
  })

  test('of embeddings', async () => {
    const spans = await spansOf(3, (headers) =>
      fetch(`${platform.url}/v1/embeddings`, {
        method: 'POST',
        headers: { ...basicAuth(platform), 'content-type': 'application/json', ...headers },
        body: JSON.stringify({ model: 'text-embedding-3-small', input: 'one' }),
      }),
    )
    const call = spans.find((span) => span.name === 'embeddings text-embedding-3-small' && span.kind === 1)
    expect(attributesOf(call)).toMatchObject({ 'gen_ai.operation.name': 'embeddings' })
    const [attempt] = childrenOf(spans, call)
    const received = openai.requests.findLast(({ path }) => path.endsWith('/embeddings'))
    expect(received?.headers['traceparent']).toBe(`00-${attempt?.traceId}-${attempt?.spanId}-01`)
  })
})

function anObject() {
  return {
    type: 'object',
    properties: { a: { type: 'integer' } },
    required: ['a'],
    additionalProperties: false,
  }
}

test('an agent has a span, with its analysers and its model calls as children', async () => {
  // The node does not write JSON, so that the agent measures the text after its model calls.
  const response = await fetch(`${platform.url}/ai-orchestra/api/execute-workflow`, {
    method: 'POST',
    headers: { ...basicAuth(platform), 'content-type': 'application/json' },
    body: JSON.stringify({ workflow_id: 'publish_ready', context: { content: 'The sea is calm tonight.' } }),
  })
  await response.text()
  const findAgent = () =>
    collector.spans().find(({ name }) => name === 'invoke_agent Content quality reviewer')
  await eventually(() => findAgent() !== undefined)
  const agent = findAgent()
  expect(agent?.status.code).not.toBe(2)
  expect(attributesOf(agent)).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.agent.id': 'content_quality_reviewer',
    'tutti.execution.id': expect.any(String),
    'tutti.step.id': 'review',
  })
  const children = childrenOf(collector.spans(), agent).map((span) => span.name)
  expect(children).toEqual(expect.arrayContaining(['execute_tool readability', 'chat auto']))
})

test('calls are in the metrics of the conventions', async () => {
  await (await chat(platform, { model })).text()
  const metrics = await (await fetch(`${platform.metricsUrl}/metrics`)).text()
  const names = `gen_ai_operation_name="chat",gen_ai_provider_name="ollama",gen_ai_request_model="${model}"`
  for (const line of [
    `gen_ai_client_operation_duration_seconds_count{${names},error_type=""}`,
    `gen_ai_client_token_usage_sum{${names},gen_ai_token_type="input"}`,
    `gen_ai_client_token_usage_bucket{le="4",${names},gen_ai_token_type="output"}`,
  ]) {
    expect(metrics).toContain(line)
  }
  expect(metrics).toMatch(/gen_ai_client_operation_time_to_first_chunk_seconds_count\{.*\} [1-9]/)
})

test('the collector gets the metrics of calls with the names and units of the conventions', async () => {
  await (await chat(platform, { model, stream: true })).text()
  const exported = collector.metricExports.length
  // The first export may have begun before the call ended, the second has not.
  await eventually(() => collector.metricExports.length >= exported + 2)
  const call = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'ollama',
    'gen_ai.request.model': model,
  }
  const expected = [
    ['gen_ai.client.operation.duration', 's', call],
    ['gen_ai.client.operation.time_to_first_chunk', 's', call],
    ['gen_ai.client.token.usage', '{token}', { ...call, 'gen_ai.token.type': 'input' }],
    ['gen_ai.client.token.usage', '{token}', { ...call, 'gen_ai.token.type': 'output' }],
  ] as const
  for (const [name, unit, attributes] of expected) {
    const metric = collector.metric(name)
    expect(metric?.unit).toBe(unit)
    const points = metric?.histogram?.dataPoints.map((point) => readAttributes(point.attributes))
    expect(points).toContainEqual(attributes)
  }
  expect(collector.metric('tutti_models_calls_total')?.sum?.dataPoints[0]?.asDouble).toBeGreaterThan(0)
})

test('without a collector, the trace of the caller reaches providers and nodes unchanged', async () => {
  await using quiet = await openPlatform(environment)
  await eventually(async () => (await chat(quiet, { model })).status === 200)
  const trace = {
    traceparent: `00-${randomBytes(16).toString('hex')}-${parentId}-01`,
    tracestate: 'vendor=abc',
  }
  await (await chat(quiet, { model }, trace)).text()
  await (await chat(quiet, { model: 'gpt-4o-mini' }, trace)).text()
  expect(node.requests.findLast(({ path }) => path === '/api/chat')?.headers).toMatchObject(trace)
  expect(openai.requests.findLast(({ path }) => path.endsWith('/completions'))?.headers).toMatchObject(trace)
  await (await chat(quiet, { model }, { traceparent: 'nonsense' })).text()
  expect(node.requests.findLast(({ path }) => path === '/api/chat')?.headers).not.toHaveProperty(
    'traceparent',
  )
})
