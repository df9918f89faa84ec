import { describe, expect, test } from 'vitest'
import { startClusterService, startServiceFor, waitForNodes } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type Behaviour, startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'
const whole = { model, stream: false }

/** All failing behaviours of a node. */
const misdeeds: readonly Behaviour[] = [
  'refuse',
  'work_hang',
  'work_error',
  'work_reset',
  'work_head_only',
  'work_lacks',
  'work_dies',
]

describe('one healthy node among failing ones', () => {
  test('serves every request, and the others take their share when they recover', async () => {
    await using closing = new AsyncDisposableStack()
    const bad = await Promise.all(misdeeds.map(() => startModelNode()))
    for (const node of bad) closing.use(node)
    await using good = await startModelNode()
    await using service = await startServiceFor([...bad, good], {
      CLUSTER_MAX_RETRIES: '7',
      CLUSTER_FIRST_BYTE_TIMEOUT: '2s',
      HEALTH_CHECK_INTERVAL: '100ms',
    })
    const goodId = service.cluster.nodes().at(-1)?.id
    await Promise.all(bad.map((node, index) => node.behave(misdeeds[index] ?? 'normal')))
    for (let count = 0; count < 6; count += 1) {
      const answer = await service.post('/api/generate', whole)
      expect(answer.status).toBe(200)
      expect(answer.headers.get('x-cluster-node')).toBe(goodId)
      expect(await answer.json()).toMatchObject({ done: true, eval_count: 10 })
    }
    expect(service.cluster.nodes().every(({ active_connections: active }) => active === 0)).toBe(true)

    await Promise.all(bad.map((node) => node.behave('normal')))
    await waitForNodes(service.cluster, (nodes) => nodes.every(({ status }) => status === 'healthy'))
    const asked = new Set<string | null>()
    await eventually(async () => {
      asked.add((await service.post('/api/generate', whole)).headers.get('x-cluster-node'))
      return asked.size === misdeeds.length + 1
    })
  })

  test('is preferred to one that reports a model in memory which it does not list', async () => {
    await using liar = await startModelNode({ models: ['qwen3:8b'], loaded: [model] })
    await using good = await startModelNode()
    await using service = await startServiceFor([liar, good])
    const goodId = service.cluster.nodes().at(-1)?.id
    for (let count = 0; count < 3; count += 1) {
      const answer = await service.post('/api/generate', whole)
      expect(answer.headers.get('x-cluster-node')).toBe(goodId)
      expect(answer.headers.get('x-cluster-attempts')).toBeNull()
    }
  })

  test('keeps the model that another has lost', async () => {
    await using fickle = await startModelNode({ loaded: [model] })
    await using good = await startModelNode()
    await using service = await startServiceFor([fickle, good], { HEALTH_CHECK_INTERVAL: '1h' })
    await fickle.have([])
    const first = await service.post('/api/generate', whole)
    expect([first.status, first.headers.get('x-cluster-attempts')]).toEqual([200, '2'])
    const second = await service.post('/api/generate', whole)
    expect([second.status, second.headers.get('x-cluster-attempts')]).toEqual([200, null])
  })

  test.each(['hang', 'error', 'rubbish', 'wrong_shape', 'cut_off'] as const)(
    'that fails its probes (%s) gets requests again after good probes',
    async (behaviour) => {
      await using node = await startModelNode()
      await using service = await startClusterService({
        environment: { CLUSTER_NODES: node.url },
        timeoutMs: 1000,
      })
      await waitForNodes(service.cluster, ([first]) => first?.status === 'healthy')
      await node.behave(behaviour)
      await waitForNodes(service.cluster, ([first]) => first?.status === 'unhealthy')
      const refused = await service.post('/api/generate', whole)
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toMatch(/^\d+$/)
      await node.behave('normal')
      await waitForNodes(service.cluster, ([first]) => first?.status === 'healthy')
      expect((await service.post('/api/generate', whole)).status).toBe(200)
    },
  )
})
