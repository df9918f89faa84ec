import { describe, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'
const oneAtATime = { HEALTH_CHECK_INTERVAL: '1h', CLUSTER_NODE_CONCURRENCY: '1' }
const quick = { model, stream: false }
const endless = { model, options: { num_predict: 100_000, token_delay_ms: 10 } }

async function untilWaiting(service: TestClusterService, count: number): Promise<void> {
  await eventually(() => (service.cluster.requests.admission.depths().get(model) ?? 0) === count)
}

/** Keeps the only node busy until it is released. */
async function occupy(service: TestClusterService) {
  const leaving = new AbortController()
  const response = await service.post('/api/generate', endless, { signal: leaving.signal })
  return async () => {
    leaving.abort()
    await response.text().catch(() => undefined)
  }
}

describe('queued requests', () => {
  test('are served in fair order, the urgent first, and get their position', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], oneAtATime)
    const letGo = await occupy(service)
    const order: string[] = []
    const positions: Record<string, string | null> = {}
    const asked = ['ana1', 'ana2', 'ana3', 'bob1', 'cyd1!'].map(async (name, index) => {
      await untilWaiting(service, index)
      const headers = {
        'x-cluster-caller': name.slice(0, 3),
        ...(name.endsWith('!') && { 'x-priority': 'urgent' }),
      }
      const response = await service.post('/api/generate', quick, { headers })
      positions[name] = response.headers.get('x-queue-position')
      order.push(name)
      await response.text()
    })
    await untilWaiting(service, 5)
    expect(await service.metrics.render()).toContain(`tutti_cluster_queue_depth{model="${model}"} 5`)
    expect(await (await service.get('/api/cluster/status')).json()).toMatchObject({
      queues: [{ model, waiting: 5 }],
    })
    await letGo()
    await Promise.all(asked)
    expect(order).toEqual(['cyd1!', 'ana1', 'bob1', 'ana2', 'ana3'])
    expect(positions).toEqual({ ana1: '1', ana2: '2', ana3: '3', bob1: '2', 'cyd1!': '1' })
    expect((await node.stats()).maxConcurrent).toBeLessThanOrEqual(2)
    expect(await service.metrics.render()).toContain('tutti_cluster_queue_seconds_count 5')
  })

  test('are refused above the limit, with Retry-After', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], { ...oneAtATime, CLUSTER_QUEUE_LIMIT: '1' })
    const letGo = await occupy(service)
    const waiting = service.post('/api/generate', quick)
    await untilWaiting(service, 1)
    const refused = await service.post('/api/generate', quick)
    expect(refused.status).toBe(503)
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThanOrEqual(1)
    expect(await refused.json()).toEqual({ error: 'Too many requests wait for this model.' })
    await letGo()
    expect((await waiting).status).toBe(200)
  })

  test('are refused after the maximum wait', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], { ...oneAtATime, CLUSTER_QUEUE_TIMEOUT: '50' })
    const letGo = await occupy(service)
    const late = await service.post('/api/generate', quick)
    expect(late.status).toBe(503)
    expect(await late.json()).toEqual({ error: 'No node became free in time.' })
    await letGo()
  })

  test('leave the queue with their caller', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], oneAtATime)
    const letGo = await occupy(service)
    const leaving = new AbortController()
    const gone = service
      .post('/api/generate', quick, { signal: leaving.signal })
      .catch((error: unknown) => error)
    await untilWaiting(service, 1)
    leaving.abort()
    await gone
    await untilWaiting(service, 0)
    await letGo()
    expect((await service.post('/api/generate', quick)).status).toBe(200)
    expect((await node.stats()).requests['/api/generate']).toBe(2)
  })

  test('get an error when their last node is gone', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], oneAtATime)
    const letGo = await occupy(service)
    const waiting = service.post('/api/generate', quick)
    await untilWaiting(service, 1)
    await service.cluster.operations.remove(service.cluster.nodes()[0]?.id ?? '', null)
    expect((await waiting).status).toBe(503)
    await letGo()
  })

  test('go to a node that is added meanwhile', async () => {
    await using node = await startModelNode()
    await using other = await startModelNode()
    await using service = await startServiceFor([node], oneAtATime)
    const letGo = await occupy(service)
    const waiting = service.post('/api/generate', quick)
    await untilWaiting(service, 1)
    const { id } = await service.cluster.operations.add({ url: other.url, weight: 1 }, null)
    expect((await waiting).headers.get('x-cluster-node')).toBe(id)
    await letGo()
  })
})
