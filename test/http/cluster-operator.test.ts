import { describe, expect, test } from 'vitest'
import {
  startClusterService,
  startServiceFor,
  type TestClusterService,
  waitForNodes,
  waitForStatus,
} from '../support/cluster-service.ts'
import { findFreePort } from '../support/free-port.ts'
import { startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'

const send = (service: TestClusterService, method: string, path: string, body?: unknown) =>
  fetch(`${service.url}${path}`, {
    method,
    ...(body !== undefined && {
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    }),
  })

describe('an operator', () => {
  test('adds a node, which is probed at once and gets requests', async () => {
    await using node = await startModelNode()
    await using service = await startClusterService()
    const response = await send(service, 'POST', '/api/cluster/nodes', { url: `${node.url}/`, weight: 2 })
    expect(response.status).toBe(201)
    const added = (await response.json()) as { id: string }
    expect(added).toMatchObject({ url: node.url, status: 'unknown', weight: 2, source: 'runtime' })
    expect(response.headers.get('location')).toBe(`/api/cluster/nodes/${added.id}`)
    await waitForNodes(service.cluster, ([first]) => first?.status === 'healthy')
    expect((await service.post('/api/show', { model })).status).toBe(200)
    expect(await (await service.get(`/api/cluster/nodes/${added.id}`)).json()).toMatchObject({ requests: 1 })
  })

  test('adds a watched local port, and that is probed at once, too', async () => {
    await using node = await startModelNode({ behaviour: 'refuse' })
    await using service = await startClusterService({
      environment: { DISCOVERY_PORTS: String(node.port), HEALTH_CHECK_INTERVAL: '1h' },
      timeoutMs: 20_000,
    })
    await service.cluster.firstRound
    expect(service.cluster.nodes()).toEqual([])
    await node.behave('normal')
    const added = await service.post('/api/cluster/nodes', { url: node.url, weight: 2 })
    expect(added.status).toBe(201)
    expect(await waitForStatus(service.cluster, 'healthy')).toMatchObject({ source: 'runtime', weight: 2 })
  })

  test('removes a node, and one that comes back has its old id', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    await service.post('/api/show', { model })
    const [before] = service.cluster.nodes()
    expect((await send(service, 'DELETE', `/api/cluster/nodes/${before?.id}`)).status).toBe(204)
    expect(service.cluster.nodes()).toEqual([])
    expect((await service.post('/api/show', { model })).status).toBe(503)
    const asked = (await node.stats()).requests['/api/tags']
    await send(service, 'POST', '/api/cluster/nodes', { url: node.url })
    const [back] = await waitForNodes(service.cluster, ([first]) => first?.status === 'healthy')
    expect(back).toMatchObject({ id: before?.id, requests: 1, source: 'runtime' })
    expect((await node.stats()).requests['/api/tags']).toBeGreaterThan(asked ?? 0)
  })

  test('removes a node that never responded, and subscribers hear of it', async () => {
    await using service = await startClusterService()
    const { operations } = service.cluster
    const { id } = await operations.add({ url: `http://127.0.0.1:${await findFreePort()}`, weight: 1 }, null)
    await waitForStatus(service.cluster, 'unhealthy')
    const removed: string[] = []
    service.cluster.onChange(({ kind, node }) => void (kind === 'removed' && removed.push(node.id)))
    await operations.remove(id, null)
    expect(removed).toEqual([id])
    expect(service.cluster.nodes()).toEqual([])
  })

  test('removes an active node: its running requests finish', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const response = await service.post('/api/generate', {
      model,
      options: { num_predict: 30, token_delay_ms: 10 },
    })
    await send(service, 'DELETE', `/api/cluster/nodes/${service.cluster.nodes()[0]?.id}`)
    expect((await response.text()).trimEnd().split('\n')).toHaveLength(31)
  })

  test('drains a node: it finishes its requests and gets no new ones, until it is resumed', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const path = `/api/cluster/nodes/${service.cluster.nodes()[0]?.id}`
    // Long enough that it still runs when the node is drained.
    const running = await service.post('/api/generate', {
      model,
      options: { num_predict: 30, token_delay_ms: 100 },
    })
    const drained = await send(service, 'PATCH', path, { draining: true })
    expect(await drained.json()).toMatchObject({ status: 'draining', active_connections: 1 })
    expect((await service.post('/api/show', { model })).status).toBe(503)
    expect((await running.text()).trimEnd().split('\n')).toHaveLength(31)
    expect(await (await service.get('/health')).json()).toMatchObject({ nodes: { draining: 1, healthy: 0 } })
    const back = await send(service, 'PATCH', path, { draining: false, weight: 7 })
    expect(await back.json()).toMatchObject({ status: 'healthy', weight: 7 })
    expect((await service.post('/api/show', { model })).status).toBe(200)
  })

  test('changes reach every event stream', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const seen: string[] = []
    service.cluster.onChange(({ kind, node: { status } }) => seen.push(`${kind} ${status}`))
    const path = `/api/cluster/nodes/${service.cluster.nodes()[0]?.id}`
    await send(service, 'PATCH', path, { draining: true })
    await send(service, 'DELETE', path)
    expect(seen).toEqual(['changed draining', 'removed draining'])
  })

  test('cannot add an existing node, an invalid URL or one with a password', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    const add = async (body: unknown) => {
      const response = await send(service, 'POST', '/api/cluster/nodes', body)
      return [response.status, await response.json()] as const
    }
    const id = service.cluster.nodes()[0]?.id
    expect(await add({ url: node.url })).toMatchObject([
      409,
      { error: { code: 'conflict', details: { id } } },
    ])
    expect(await add({ url: 'gpu1' })).toMatchObject([400, { error: { code: 'invalid_request' } }])
    expect(await add({ url: 'ftp://gpu1' })).toMatchObject([400, {}])
    const [status, answer] = await add({ url: 'http://ana:secret@gpu1' })
    expect(status).toBe(400)
    expect(JSON.stringify(answer)).not.toContain('secret')
    expect(await add({ url: 'http://gpu1', weight: 0 })).toMatchObject([400, {}])
    expect(await add({})).toMatchObject([400, {}])
  })

  test.each([
    ['PATCH', { draining: true }],
    ['DELETE', undefined],
    ['GET', undefined],
  ])('gets an error when %s names an unknown node', async (method, body) => {
    await using service = await startClusterService()
    const response = await send(service, method, '/api/cluster/nodes/unknown', body)
    expect(response.status).toBe(404)
    expect(await response.json()).toMatchObject({ error: { code: 'node_not_found' } })
  })

  test.each([{}, { weight: 'heavy' }, { weight: 1001 }, { colour: 'red' }])(
    'cannot change %j',
    async (change) => {
      await using node = await startModelNode()
      await using service = await startServiceFor([node])
      const path = `/api/cluster/nodes/${service.cluster.nodes()[0]?.id}`
      expect((await send(service, 'PATCH', path, change)).status).toBe(400)
    },
  )
})
