import { afterAll, beforeAll, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type StatusServer, startStatusServer } from './status-server.ts'

const model = 'gemma3:4b'
const apiKey = 'correct horse'

let database: TestDatabase
let node: ModelNode
let service: TestClusterService
let here: StatusServer
let there: StatusServer

beforeAll(async () => {
  database = await createTestDatabase()
  node = await startModelNode({ models: [model] })
  service = await startServiceFor([node])
  here = await startStatusServer({ database, clusterUrl: service.url })
  there = await startStatusServer({ database, clusterUrl: service.url, role: 'api' })
})

afterAll(async () => {
  await here[Symbol.asyncDispose]()
  await there[Symbol.asyncDispose]()
  await service.close()
  await node[Symbol.asyncDispose]()
  await database.close()
})

/** The part of the cluster in the metrics, without the platform's own requests. */
async function clusterTotals() {
  const day = 86_400_000
  const reading = await here.metricsHistory.read({
    from: new Date(Date.now() - day),
    to: new Date(),
    grain: 'minute',
  })
  return {
    requests: reading.total('cluster.requests'),
    prompt: reading.total('cluster.prompt_tokens'),
    completion: reading.total('cluster.completion_tokens'),
  }
}

async function liveTokens(): Promise<number> {
  return (await here.call('/admin/llm/metrics/live')).body.totalTokens
}

async function send(path: string, body: object, headers: Record<string, string> = {}): Promise<void> {
  const answer = await service.post(path, { model, ...body }, { headers })
  expect(answer.status).toBe(200)
  await answer.text()
}

test('requests and tokens of a remote cluster service are in the live metrics, each once', async () => {
  await here.probe()
  const before = await clusterTotals()
  const tokensBefore = await liveTokens()
  await send('/api/generate', { prompt: 'Why?' })
  await send('/api/chat', { messages: [], stream: false })
  await send('/api/embed', { input: 'one' })
  await send('/v1/chat/completions', { messages: [], stream: true, stream_options: { include_usage: true } })
  await send('/v1/messages', { messages: [], stream: true })
  await send('/v1/responses', { input: 'Why?', stream: true })
  await send('/api/cluster/execute', { operation: 'generate', request: { model, prompt: 'Why?' } })
  // A gateway counts its own requests.
  await send('/api/generate', { prompt: 'Why?' }, { 'x-tutti-gateway': 'ours' })
  const [prompt, completion] = [6 * 11 + 8, 6 * 10]
  // A round of another replica adds nothing twice.
  for (const server of [there, here]) {
    await server.probe()
    expect(await clusterTotals()).toEqual({
      requests: before.requests + 7,
      prompt: before.prompt + prompt,
      completion: before.completion + completion,
    })
  }
  expect(await liveTokens()).toBe(tokensBefore + prompt + completion)
  const { body } = await here.call('/admin/llm/metrics/series?range=1h')
  const points = body.points as { calls: number; input_tokens: number; output_tokens: number }[]
  const sum = (field: 'calls' | 'input_tokens' | 'output_tokens') =>
    points.reduce((total, point) => total + point[field], 0)
  expect([sum('calls'), sum('input_tokens'), sum('output_tokens')]).toEqual([
    before.requests + 7,
    before.prompt + prompt,
    before.completion + completion,
  ])
})

test('counting starts at values that an earlier version stored', async () => {
  await database.query(`update status_services set metadata = metadata - 'cluster_traffic'`)
  const before = await clusterTotals()
  await here.probe()
  await send('/api/generate', { prompt: 'Why?' })
  await here.probe()
  expect((await clusterTotals()).requests).toBe(before.requests + 1)
})

test('the counters of a service are visible with access to its nodes, without gateway requests', async () => {
  await using closed = await startServiceFor([node], { CLUSTER_API_KEY: apiKey })
  const authorization = `Bearer ${apiKey}`
  expect((await closed.get('/api/cluster/traffic')).status).toBe(401)
  const read = async () =>
    (await (await closed.get('/api/cluster/traffic', { authorization })).json()) as Record<string, unknown>
  expect(await read()).toEqual({
    instance: expect.any(String),
    recorded: false,
    requests: 0,
    prompt_tokens: 0,
    completion_tokens: 0,
  })
  const sent = [{}, { 'x-tutti-gateway': 'ours' }]
  for (const headers of sent) {
    await (await closed.post('/api/generate', { model }, { headers: { authorization, ...headers } })).text()
  }
  expect(await read()).toMatchObject({ requests: 1, prompt_tokens: 11, completion_tokens: 10 })
  // The header of a gateway is not forwarded.
  expect((await node.stats()).lastWork?.headers).not.toHaveProperty('x-tutti-gateway')
})
