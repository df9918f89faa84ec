import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startClusterService, waitForStatus } from '../support/cluster-service.ts'
import { startModelNode } from '../support/model-node.ts'
import { startOpenAiServer } from '../support/openai-server.ts'
import { type StatusServerOptions, startStatusServer } from './status-server.ts'

let opened: AsyncDisposableStack

beforeEach(() => {
  opened = new AsyncDisposableStack()
})

afterEach(() => opened.disposeAsync())

const start = async (options: StatusServerOptions = {}) => opened.use(await startStatusServer(options))

const openAiOf = (baseUrl: string) => ({ OPENAI_BASE_URL: baseUrl, OPENAI_API_KEY: 'sk-test' })

type Server = Awaited<ReturnType<typeof start>>

const changesOf = async ({ events }: Server, service: string) =>
  (
    await events.read({ after: 0, limit: 100, types: ['status.service_changed'], subject: service })
  ).events.map(({ data }) => `${String(data['previous_status'])} → ${String(data['status'])}`)

describe('an installation without external services', () => {
  test('has its own services online, the others unconfigured, and is healthy', async () => {
    const server = await start()
    const report = await server.probe()
    const states = Object.fromEntries(
      report.services.map(({ name, status }: { name: string; status: string }) => [name, status]),
    )
    expect(states).toMatchObject({
      database: 'online',
      queue: 'online',
      disk: 'online',
      openai: 'unconfigured',
      anthropic: 'unconfigured',
      vector_db: 'unconfigured',
      mcp: 'unconfigured',
    })
    expect(await server.service('openai')).toMatchObject({
      status: 'unconfigured',
      responseTime: 0,
      statusText: expect.stringContaining('OPENAI_API_KEY'),
      metadata: { version: 'unknown', models_loaded: 0, memory_usage: 'unknown' },
    })
  })
})

describe('openai', () => {
  test('that responds is online, with its models and its latency', async () => {
    await using openai = await startOpenAiServer({ models: ['gpt-4o', 'gpt-4o-mini'] })
    const server = await start({ environment: openAiOf(openai.baseUrl) })
    await server.probe()
    const told = await server.service('openai')
    expect(told).toMatchObject({ status: 'online', metadata: { models_loaded: 2 } })
    expect(told.responseTime).toBeGreaterThan(0)
    expect(told.statusText).toMatch(/^Responded in /)
  })

  test('that is unreachable is offline after two rounds and not after one, and recovers after two', async () => {
    await using openai = await startOpenAiServer()
    const server = await start({ environment: openAiOf(openai.baseUrl) })
    await server.probe()
    await openai.close()
    await server.probe()
    expect(await server.service('openai')).toMatchObject({
      status: 'online',
      statusText: expect.stringContaining('not yet confirmed'),
    })
    const gone = await server.probe()
    expect(gone.services.find(({ name }: { name: string }) => name === 'openai')).toMatchObject({
      status: 'offline',
      responseTime: 0,
    })
    expect(gone.systemStatus).toMatchObject({ level: 'degraded' })
    expect(gone.systemStatus.message).toContain('openai')
    await openai.open()
    await server.probe()
    expect(await server.service('openai')).toMatchObject({ status: 'offline' })
    expect((await server.probe(1)).overallScore).toBeGreaterThan(gone.overallScore)
    expect(await changesOf(server, 'openai')).toEqual(['online → offline', 'offline → online'])
  })

  test('whose key is refused, that fails, or never responds is offline, with the reason', async () => {
    await using stranger = await startOpenAiServer({ apiKey: 'sk-another' })
    const refused = await start({ environment: openAiOf(stranger.baseUrl) })
    await refused.probe()
    expect(await refused.service('openai')).toMatchObject({
      status: 'offline',
      statusText: expect.stringMatching(/does not accept the API key/),
    })
    await using openai = await startOpenAiServer()
    const server = await start({ environment: openAiOf(openai.baseUrl) })
    await server.configure({ timeout_seconds: 1 })
    openai.scriptModels({ status: 500 })
    await server.probe()
    expect(await server.service('openai')).toMatchObject({ status: 'offline' })
    openai.scriptModels('hang')
    await server.probe()
    expect((await server.service('openai')).statusText).toMatch(/in time|within/)
  })

  test('that is slower than the threshold is degraded', async () => {
    let delayMs = 0
    const slow = createServer((_request, response) => {
      setTimeout(() => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(
          JSON.stringify({ object: 'list', data: [{ id: 'gpt-4o', object: 'model', created: 1 }] }),
        )
      }, delayMs)
    })
    slow.listen(0, '127.0.0.1')
    await once(slow, 'listening')
    opened.defer(() => void slow.close())
    const { port } = slow.address() as AddressInfo
    const server = await start({ environment: openAiOf(`http://127.0.0.1:${port}/v1`) })
    await server.probe()
    expect(await server.service('openai')).toMatchObject({ status: 'online' })
    await server.configure({ slow_ms: { openai: 300 } })
    delayMs = 600
    await server.probe(2)
    const told = await server.service('openai')
    expect(told).toMatchObject({ status: 'degraded', statusText: expect.stringContaining('ms to respond') })
    expect(told.responseTime).toBeGreaterThan(300)
  })

  test('that flaps stays degraded until it is stable', async () => {
    await using openai = await startOpenAiServer()
    const server = await start({ environment: openAiOf(openai.baseUrl) })
    await server.probe()
    for (const state of ['gone', 'back', 'gone', 'back']) {
      await (state === 'gone' ? openai.close() : openai.open())
      await server.probe(2)
    }
    expect(await server.service('openai')).toMatchObject({
      status: 'degraded',
      statusText: expect.stringContaining('Flapping'),
    })
    const report = (await server.call('/api/llm/health')).body
    expect(report.services.find(({ name }: { name: string }) => name === 'openai')).toMatchObject({
      flapping: true,
    })
    await server.probe(3)
    expect(await server.service('openai')).toMatchObject({ status: 'degraded' })
    // Ten quiet minutes.
    await server.database.query(`
      update status_services
      set turns = array(select at - interval '10 minutes' from unnest(turns) as at),
        changes = array(select at - interval '10 minutes' from unnest(changes) as at)
    `)
    await server.probe()
    expect(await server.service('openai')).toMatchObject({ status: 'online' })
    expect(await changesOf(server, 'openai')).toEqual([
      'online → offline',
      'offline → online',
      'online → offline',
      'offline → degraded',
      'degraded → online',
    ])
  })
})

describe('ollama', () => {
  test('is checked through the cluster: version, models in memory, and a request to a node', async () => {
    await using node = await startModelNode({ models: ['gemma3:4b', 'qwen3:8b'], loaded: ['gemma3:4b'] })
    await using cluster = await startClusterService({ environment: { CLUSTER_NODES: node.url } })
    await waitForStatus(cluster.cluster, 'healthy')
    const server = await start({ clusterUrl: cluster.url })
    await server.probe()
    expect(await server.service('ollama')).toMatchObject({
      status: 'online',
      responseTime: expect.any(Number),
      metadata: { version: '0.13.5', models_loaded: 1, memory_usage: expect.stringMatching(/ [KMG]?B$/) },
    })
    expect((await node.stats()).requests['/api/show']).toBeGreaterThan(0)
  })

  test('whose node is slow is degraded, though the cluster responds at once', async () => {
    await using node = await startModelNode()
    await using cluster = await startClusterService({ environment: { CLUSTER_NODES: node.url } })
    await waitForStatus(cluster.cluster, 'healthy')
    const server = await start({ clusterUrl: cluster.url })
    await node.behave('slow')
    await server.configure({ slow_ms: { ollama: 50 } })
    await server.probe(2)
    expect(await server.service('ollama')).toMatchObject({ status: 'degraded' })
  })

  test('whose node accepts requests and never responds is offline', async () => {
    await using node = await startModelNode()
    await using cluster = await startClusterService({ environment: { CLUSTER_NODES: node.url } })
    await waitForStatus(cluster.cluster, 'healthy')
    const server = await start({ clusterUrl: cluster.url })
    await server.probe()
    await server.configure({ timeout_seconds: 3, damping: { worse: 1 } })
    await node.behave('work_hang')
    await server.probe()
    expect(await server.service('ollama')).toMatchObject({
      status: 'offline',
      statusText: expect.stringContaining('no node responded'),
    })
  })

  test('without a node is unconfigured; with one that left it is offline', async () => {
    await using none = await startClusterService()
    const alone = await start({ clusterUrl: none.url })
    await alone.probe()
    expect(await alone.service('ollama')).toMatchObject({ status: 'unconfigured', responseTime: 0 })

    await using node = await startModelNode()
    await using cluster = await startClusterService({ environment: { CLUSTER_NODES: node.url } })
    await waitForStatus(cluster.cluster, 'healthy')
    const server = await start({ clusterUrl: cluster.url })
    await server.probe()
    await node.behave('refuse')
    await waitForStatus(cluster.cluster, 'unhealthy')
    await server.probe(2)
    expect(await server.service('ollama')).toMatchObject({ status: 'offline' })
  })
})
