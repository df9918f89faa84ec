import { describe, expect, test } from 'vitest'
import {
  startClusterService,
  type TestClusterService,
  waitForNodes,
  waitForStatus,
} from '../support/cluster-service.ts'
import { findFreePort } from '../support/free-port.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'

interface ServerSentEvent {
  readonly event: string
  readonly data: {
    readonly nodes?: unknown[]
    readonly node?: Record<string, unknown>
    readonly total?: number
  }
}

/** Reads the messages of a stream; comments and the reconnect hint are left out. */
async function* readEvents(response: Response): AsyncGenerator<ServerSentEvent, void> {
  if (response.body === null) throw new Error('there is no stream')
  let text = ''
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    text += chunk
    const blocks = text.split('\n\n')
    text = blocks.pop() ?? ''
    for (const block of blocks) {
      const fields = new Map(block.split('\n').map((line) => line.split(/: (.*)/s, 2) as [string, string]))
      const event = fields.get('event')
      if (event !== undefined)
        yield { event, data: JSON.parse(fields.get('data') ?? 'null') as ServerSentEvent['data'] }
    }
  }
}

/** Reads to the first matching message. */
async function findEvent(
  events: AsyncGenerator<ServerSentEvent, void>,
  isTheOne: (event: ServerSentEvent) => boolean,
) {
  for (;;) {
    const { value } = await events.next()
    if (!value) throw new Error('the stream ended')
    if (isTheOne(value)) return value
  }
}

function startServiceFor(...nodes: ModelNode[]): Promise<TestClusterService> {
  return startClusterService({ environment: { CLUSTER_NODES: nodes.map(({ url }) => url).join(',') } })
}

describe('the health of the service', () => {
  test('is found by Ollama clients at its root', async () => {
    await using service = await startClusterService()
    const response = await service.get('/')
    expect(response.status).toBe(200)
    expect(await response.text()).toBe('Ollama is running')
    expect((await fetch(`${service.url}/`, { method: 'HEAD' })).status).toBe(200)
  })

  test('is healthy when every node is', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor(node)
    await waitForStatus(service.cluster, 'healthy')
    const response = await service.get('/health')
    expect(response.status).toBe(200)
    expect(response.headers.get('x-request-id')).toBeTruthy()
    expect(await response.json()).toEqual({
      status: 'healthy',
      message: 'The only node is healthy.',
      nodes: { total: 1, healthy: 1, probing: 0, unhealthy: 0, unknown: 0, draining: 0 },
      version: '1.2.3',
      uptime_seconds: expect.any(Number),
    })
  })

  test('is degraded when some nodes are not, and critical when none is', async () => {
    await using one = await startModelNode()
    await using two = await startModelNode()
    await using service = await startServiceFor(one, two)
    await waitForNodes(service.cluster, (nodes) => nodes.every(({ status }) => status === 'healthy'))
    await one.behave('refuse')
    await waitForStatus(service.cluster, 'unhealthy')
    expect(await (await service.get('/health')).json()).toMatchObject({
      status: 'degraded',
      message: '1 of 2 nodes is healthy.',
      nodes: { total: 2, healthy: 1 },
    })
    await two.behave('refuse')
    await waitForNodes(service.cluster, (nodes) => !nodes.some(({ status }) => status === 'healthy'))
    const response = await service.get('/health')
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({
      status: 'critical',
      message: 'None of 2 nodes is healthy.',
    })
  })

  test('is critical without a node, with a remedy', async () => {
    await using service = await startClusterService()
    expect(await (await service.get('/health')).json()).toMatchObject({
      status: 'critical',
      message: expect.stringContaining('CLUSTER_NODES'),
    })
  })

  test('is live at once, and ready when every node has been probed', async () => {
    await using node = await startModelNode({ behaviour: 'hang' })
    const environment = { CLUSTER_NODES: node.url }
    await using service = await startClusterService({ environment, timeoutMs: 20_000 })
    expect(await (await service.get('/healthz')).json()).toEqual({ status: 'alive' })
    const early = await service.get('/readyz')
    expect(early.status).toBe(503)
    expect(await early.json()).toEqual({
      status: 'not_ready',
      checks: { nodes: 'not every node has been asked yet' },
    })
    expect(await (await service.get('/health')).json()).toMatchObject({ status: 'degraded' })
    await node.behave('refuse')
    await service.cluster.firstRound
    const later = await service.get('/readyz')
    expect(later.status).toBe(200)
    expect(await later.json()).toEqual({ status: 'ready', checks: { nodes: 'ok' } })
  })
})

describe('the overview', () => {
  test('has every node, and every model with the nodes that have it', async () => {
    await using one = await startModelNode({ models: ['gemma3:4b', 'qwen3:8b'], loaded: ['gemma3:4b'] })
    await using two = await startModelNode({ models: ['gemma3:4b'] })
    await using service = await startServiceFor(one, two)
    await waitForNodes(service.cluster, (nodes) => nodes.every(({ status }) => status === 'healthy'))
    const [first, second] = service.cluster.nodes()
    const response = await service.get('/api/cluster/status')
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toMatchObject({
      status: 'healthy',
      message: 'All 2 nodes are healthy.',
      counts: { total: 2, healthy: 2 },
      strategy: 'round-robin',
      queues: [],
      models: [
        {
          name: 'gemma3:4b',
          size: expect.any(Number),
          parameter_size: '4.3B',
          quantization: 'Q4_K_M',
          nodes: [first?.id, second?.id],
          loaded_on: [first?.id],
          available: true,
        },
        { name: 'qwen3:8b', nodes: [first?.id], loaded_on: [], available: true },
      ],
      nodes: [{ id: first?.id, status: 'healthy' }, { id: second?.id }],
    })

    await one.behave('refuse')
    await waitForStatus(service.cluster, 'unhealthy')
    expect(await (await service.get('/api/cluster/status')).json()).toMatchObject({
      status: 'degraded',
      models: [
        { name: 'gemma3:4b', loaded_on: [], available: true },
        { name: 'qwen3:8b', available: false },
      ],
    })
  })

  test('lists the nodes page by page', async () => {
    const port = await findFreePort()
    const nodes = [1, 2, 3].map((number) => `http://localhost:${port}/${number}`)
    await using service = await startClusterService({ environment: { CLUSTER_NODES: nodes.join(',') } })
    const urlsAt = async (query: string) => {
      const body = (await (await service.get(`/api/cluster/nodes${query}`)).json()) as {
        nodes: { url: string }[]
        total: number
      }
      return [body.nodes.map(({ url }) => url), body.total]
    }
    expect(await urlsAt('')).toEqual([nodes, 3])
    expect(await urlsAt('?limit=2')).toEqual([nodes.slice(0, 2), 3])
    expect(await urlsAt('?limit=2&page=2')).toEqual([nodes.slice(2), 3])
    expect(await urlsAt('?page=9')).toEqual([[], 3])
  })
})

describe('an invalid request', () => {
  test.each([
    ['GET', '/api/cluster/nodes?limit=0', 400, 'invalid_request'],
    ['GET', '/api/cluster/nodes?limit=many', 400, 'invalid_request'],
    ['GET', '/api/cluster/nothing', 404, 'not_found'],
    ['GET', '/health/nothing', 404, 'not_found'],
    ['GET', '/elsewhere', 404, 'not_found'],
    ['PUT', '/api/cluster/nodes', 405, 'method_not_allowed'],
    ['POST', '/health', 405, 'method_not_allowed'],
    ['GET', '/api/cluster/%ff', 400, 'invalid_request'],
  ])('%s %s gets %i and the code %s', async (method, path, status, code) => {
    await using service = await startClusterService()
    const response = await fetch(`${service.url}${path}`, { method })
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({
      error: { code, message: expect.any(String), details: expect.any(Object) },
    })
  })
})

describe('a service with a key', () => {
  const environment = { CLUSTER_API_KEY: 'correct horse battery' }
  const paths = ['/api/cluster/status', '/api/cluster/nodes', '/api/cluster/events']

  test.each(paths)('requires it for %s', async (path) => {
    await using service = await startClusterService({ environment })
    const statusWith = async (headers: Record<string, string>) => {
      const response = await service.get(path, headers)
      await response.body?.cancel()
      return response.status
    }
    expect(await statusWith({})).toBe(401)
    expect(await statusWith({ authorization: 'Bearer wrong' })).toBe(401)
    expect(await statusWith({ 'x-api-key': 'correct horse' })).toBe(401)
    expect(await statusWith({ authorization: 'Basic correct horse battery' })).toBe(401)
    expect(await statusWith({ authorization: 'Bearer correct horse battery' })).toBe(200)
    expect(await statusWith({ authorization: 'bearer correct horse battery' })).toBe(200)
    expect(await statusWith({ 'x-api-key': 'correct horse battery' })).toBe(200)
  })

  test('sends WWW-Authenticate, in its own format', async () => {
    await using service = await startClusterService({ environment })
    const response = await service.get('/api/cluster/status')
    expect(response.headers.get('www-authenticate')).toContain('Bearer')
    expect(await response.json()).toMatchObject({ error: { code: 'authentication_required' } })
  })

  test.each(['/health', '/healthz', '/readyz'])('serves %s without a key', async (path) => {
    await using service = await startClusterService({ environment })
    await service.cluster.firstRound
    expect((await service.get(path)).status).toBe(200)
  })
})

describe('the stream of events', () => {
  test('starts with all nodes, then sends changes', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor(node)
    const { id } = await waitForStatus(service.cluster, 'healthy')
    const response = await service.get('/api/cluster/events')
    expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
    const events = readEvents(response)
    expect((await events.next()).value).toMatchObject({
      event: 'nodes',
      data: { nodes: [{ id, status: 'healthy' }], total: 1 },
    })
    await node.have(['qwen3:8b'])
    expect(
      await findEvent(events, ({ data }) => JSON.stringify(data.node?.['models']) === '["qwen3:8b"]'),
    ).toMatchObject({
      event: 'node_changed',
      data: { node: { id, status: 'healthy' } },
    })
    await node.behave('refuse')
    await findEvent(events, ({ data }) => data.node?.['status'] === 'unhealthy')
    await node.behave('normal')
    await findEvent(events, ({ data }) => data.node?.['status'] === 'probing')
    await findEvent(events, ({ data }) => data.node?.['status'] === 'healthy')
    await events.return()
  })

  test('sends when a discovered node appears and disappears', async () => {
    await using node = await startModelNode({ behaviour: 'refuse' })
    await using service = await startClusterService({ environment: { DISCOVERY_PORTS: String(node.port) } })
    const events = readEvents(await service.get('/api/cluster/events'))
    expect((await events.next()).value).toEqual({ event: 'nodes', data: { nodes: [], total: 0 } })
    await node.behave('normal')
    const came = await findEvent(events, ({ event }) => event === 'node_changed')
    await node.behave('refuse')
    const went = await findEvent(events, ({ event }) => event === 'node_removed')
    expect(went.data).toEqual({ node: { id: came.data.node?.['id'], url: node.url } })
    await events.return()
  })

  test('ends when the service closes', async () => {
    const service = await startClusterService()
    const events = readEvents(await service.get('/api/cluster/events'))
    await events.next()
    await service.close()
    expect(await events.next()).toEqual({ done: true, value: undefined })
  })
})

describe('the metrics', () => {
  test('show the health of each node, its probes and its changes', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor(node)
    const { id } = await waitForStatus(service.cluster, 'healthy')
    const healthy = await service.metrics.render()
    expect(healthy).toContain(`tutti_cluster_node_healthy{node="${id}"} 1`)
    expect(healthy).toMatch(new RegExp(`tutti_cluster_probe_seconds_count\\{node="${id}"\\} [1-9]`))
    expect(healthy).toContain(`tutti_cluster_node_state_changes_total{node="${id}",to="healthy"} 1`)
    await node.behave('refuse')
    await waitForStatus(service.cluster, 'unhealthy')
    const unhealthy = await service.metrics.render()
    expect(unhealthy).toContain(`tutti_cluster_node_healthy{node="${id}"} 0`)
    expect(unhealthy).toMatch(new RegExp(`node_state_changes_total\\{node="${id}",to="unhealthy"\\} [1-9]`))
  })
})
