import { describe, expect, test } from 'vitest'
import { type Cluster, type NodeRecord, probeNode } from '#cluster'
import { startCluster, waitForNodes, waitForStatus } from '../support/cluster-service.ts'
import { findFreePort } from '../support/free-port.ts'
import { type Behaviour, startModelNode, startMortalModelNode } from '../support/model-node.ts'

/** Every status change of the first node from now on. */
function recordStatuses(cluster: Cluster): string[] {
  const seen: string[] = []
  cluster.onChange((change) => {
    if (change.kind === 'changed' && change.node.status !== change.before?.status)
      seen.push(change.node.status)
  })
  return seen
}

const onlyStatus = (status: NodeRecord['status']) => (nodes: readonly NodeRecord[]) =>
  nodes.length > 0 && nodes.every((node) => node.status === status)

describe('a configured node', () => {
  test('is healthy after its first good probe, with its models and those in memory', async () => {
    await using node = await startModelNode({ models: ['qwen3:8b', 'gemma3:4b'], loaded: ['gemma3:4b'] })
    await using service = startCluster({ environment: { CLUSTER_NODES: `${node.url}=3` } })
    expect(await waitForStatus(service.cluster, 'healthy')).toEqual({
      id: expect.stringMatching(new RegExp(`^localhost-${node.port}-[0-9a-f]{6}$`)),
      url: node.url,
      status: 'healthy',
      models: ['gemma3:4b', 'qwen3:8b'],
      loaded_models: ['gemma3:4b'],
      weight: 3,
      active_connections: 0,
      requests: 0,
      failures: 0,
      latency: { p50: expect.any(Number), p95: expect.any(Number), ewma: expect.any(Number) },
      last_check: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      last_error: null,
      runtime: 'ollama',
      version: '0.13.5',
      max_concurrency: null,
      source: 'config',
      changed_by: null,
      changed_at: null,
    })
  })

  test('is listed before its first probe', async () => {
    await using node = await startModelNode({ behaviour: 'hang' })
    await using service = startCluster({ environment: { CLUSTER_NODES: node.url } })
    expect(service.cluster.nodes()).toMatchObject([
      {
        url: node.url,
        status: 'unknown',
        models: [],
        last_check: null,
        latency: { p50: null, p95: null, ewma: null },
      },
    ])
  })

  test('is unhealthy at once when its connections are refused, and stays listed', async () => {
    const port = await findFreePort()
    const environment = { CLUSTER_NODES: `http://localhost:${port}` }
    await using service = startCluster({ environment, timeoutMs: 20_000 })
    await service.cluster.firstRound
    expect(service.cluster.nodes()).toMatchObject([{ status: 'unhealthy', last_error: 'connection refused' }])
  })

  test('is never probed again while a probe is pending', async () => {
    await using node = await startModelNode({ behaviour: 'hang' })
    const environment = { CLUSTER_NODES: node.url, HEALTH_CHECK_INTERVAL: '100' }
    await using service = startCluster({ environment, timeoutMs: 1000 })
    const { last_error } = await waitForStatus(service.cluster, 'unhealthy')
    expect(last_error).toBe('no response within 1 s')
    const { maxConcurrent, requests } = await node.stats()
    expect(maxConcurrent).toBe(1)
    expect(requests['/api/tags']).toBeGreaterThanOrEqual(3)
  })

  test.each<[Behaviour, string]>([
    ['error', '/api/tags answered with status 500'],
    ['rubbish', '/api/tags did not return JSON'],
    ['wrong_shape', '/api/tags did not return a list of models'],
    ['control_characters', '/api/tags did not return a list of models'],
    ['cut_off', 'the connection was closed before the response was complete'],
    ['huge', '/api/tags returned more than 2 MiB'],
  ])(
    'that starts to fail (%s) is unhealthy after three probes, and healthy after two good ones',
    async (as, error) => {
      await using node = await startModelNode({ models: ['gemma3:4b'] })
      // A late response of a busy machine must not count as none.
      await using service = startCluster({ environment: { CLUSTER_NODES: node.url }, timeoutMs: 30_000 })
      await waitForStatus(service.cluster, 'healthy')
      const statuses = recordStatuses(service.cluster)
      const asked = (await node.stats()).requests['/api/tags'] ?? 0

      await node.behave(as)
      const unhealthy = await waitForStatus(service.cluster, 'unhealthy')
      expect(unhealthy).toMatchObject({ last_error: error, models: ['gemma3:4b'], loaded_models: [] })
      const { requests, bytesSent } = await node.stats()
      expect((requests['/api/tags'] ?? 0) - asked).toBeGreaterThanOrEqual(3)
      expect(bytesSent).toBeLessThan(64 * 1024 * 1024)

      await node.behave('normal')
      expect(await waitForStatus(service.cluster, 'healthy')).toMatchObject({
        last_error: null,
        models: ['gemma3:4b'],
      })
      expect(statuses[0]).toBe('unhealthy')
      expect(statuses.slice(-2)).toEqual(['probing', 'healthy'])
    },
  )

  test('that dies and comes back is the same node, with its statistics', async () => {
    const first = await startMortalModelNode({
      port: await findFreePort(),
      models: ['gemma3:4b'],
      loaded: ['gemma3:4b'],
      behaviour: 'slow',
    })
    await using service = startCluster({ environment: { CLUSTER_NODES: first.url } })
    const alive = await waitForStatus(service.cluster, 'healthy')
    expect(alive.latency.p95).toBeGreaterThanOrEqual(55)

    await first.kill()
    const dead = await waitForStatus(service.cluster, 'unhealthy')
    expect(dead).toMatchObject({ id: alive.id, models: ['gemma3:4b'], loaded_models: [] })
    expect(dead.last_error).toMatch(/connection refused|the connection was closed/)

    await using second = await startModelNode({ port: first.port, models: ['gemma3:4b', 'qwen3:8b'] })
    const back = await waitForStatus(service.cluster, 'healthy')
    expect(back).toMatchObject({
      id: alive.id,
      url: second.url,
      models: ['gemma3:4b', 'qwen3:8b'],
      last_error: null,
    })
    // The slow responses from before the restart are still included.
    expect(back.latency.p95).toBeGreaterThanOrEqual(55)
  })

  test('updates its models as they are added, loaded and removed', async () => {
    await using node = await startModelNode({ models: ['gemma3:4b'] })
    await using service = startCluster({ environment: { CLUSTER_NODES: node.url } })
    await waitForStatus(service.cluster, 'healthy')
    await node.have(['gemma3:4b', 'qwen3:8b'], ['qwen3:8b'])
    await waitForNodes(service.cluster, ([first]) => first?.models.includes('qwen3:8b') === true)
    expect(service.cluster.nodes()).toMatchObject([{ loaded_models: ['qwen3:8b'] }])
    await node.have([])
    await waitForNodes(service.cluster, ([first]) => first?.models.length === 0)
    expect(service.cluster.nodes()).toMatchObject([{ status: 'healthy', loaded_models: [] }])
  })

  test('may be an older runtime that does not report models in memory', async () => {
    await using node = await startModelNode({ behaviour: 'no_ps', loaded: ['gemma3:4b'] })
    await using service = startCluster({ environment: { CLUSTER_NODES: node.url } })
    expect(await waitForStatus(service.cluster, 'healthy')).toMatchObject({
      models: ['gemma3:4b'],
      loaded_models: [],
    })
  })

  test('is not delayed by others that hang', async () => {
    await using hanging = await startModelNode({ behaviour: 'hang' })
    await using good = await startModelNode()
    const nodes = `${hanging.url},${good.url}`
    await using service = startCluster({ environment: { CLUSTER_NODES: nodes }, timeoutMs: 20_000 })
    await waitForNodes(service.cluster, ([, second]) => second?.status === 'healthy')
    expect(service.cluster.nodes().map(({ status }) => status)).toEqual(['unknown', 'healthy'])
  })
})

describe('a local port', () => {
  test('becomes a node when a runtime responds, is removed when it does not, and returns with its id', async () => {
    const first = await startMortalModelNode({ port: await findFreePort(), behaviour: 'refuse' })
    const environment = { DISCOVERY_PORTS: String(first.port) }
    await using service = startCluster({ environment })
    const { cluster } = service
    await cluster.firstRound
    expect(cluster.nodes()).toEqual([])

    await first.behave('slow')
    const [appeared] = await waitForNodes(cluster, onlyStatus('healthy'))
    expect(appeared).toMatchObject({ url: first.url, source: 'discovery', weight: 1, models: ['gemma3:4b'] })

    const statuses = recordStatuses(cluster)
    await first.kill()
    await waitForNodes(cluster, (nodes) => nodes.length === 0)
    expect(statuses[0]).toBe('unhealthy')

    await using second = await startModelNode({ port: first.port })
    const [returned] = await waitForNodes(cluster, onlyStatus('healthy'))
    expect(returned).toMatchObject({ id: appeared?.id, url: second.url })
    expect(returned?.latency.p95).toBeGreaterThanOrEqual(55)
  })

  test.each<Behaviour>(['rubbish', 'error', 'hang', 'wrong_shape'])(
    'is no node when another program responds (%s)',
    async (behaviour) => {
      await using other = await startModelNode({ behaviour })
      await using service = startCluster({
        environment: { DISCOVERY_PORTS: String(other.port) },
        timeoutMs: 100,
      })
      await service.cluster.firstRound
      expect(service.cluster.nodes()).toEqual([])
      expect(service.cluster.overview()).toMatchObject({ status: 'critical', counts: { total: 0 } })
    },
  )

  test('stays a node while a connection succeeds, even if it hangs', async () => {
    await using node = await startModelNode()
    const environment = { DISCOVERY_PORTS: String(node.port) }
    await using service = startCluster({ environment, timeoutMs: 500 })
    await waitForNodes(service.cluster, onlyStatus('healthy'))
    const statuses = recordStatuses(service.cluster)
    await node.behave('hang')
    await waitForNodes(service.cluster, () => statuses.filter((status) => status === 'unhealthy').length >= 3)
    expect(service.cluster.nodes()).toMatchObject([{ last_error: 'no response within 0.5 s' }])
  })

  test('that is configured as well is one node', async () => {
    await using node = await startModelNode()
    const environment = {
      CLUSTER_NODES: `http://127.0.0.1:${node.port}=2`,
      DISCOVERY_PORTS: String(node.port),
    }
    await using service = startCluster({ environment, timeoutMs: 20_000 })
    await service.cluster.firstRound
    expect(service.cluster.nodes()).toMatchObject([{ source: 'config', weight: 2, status: 'healthy' }])
  })
})

describe('one probe of a node', () => {
  test('returns its models and its duration', async () => {
    await using node = await startModelNode({ models: ['qwen3:8b', 'gemma3:4b'] })
    expect(await probeNode(`${node.url}/`)).toEqual({
      ok: true,
      models: ['gemma3:4b', 'qwen3:8b'],
      latencyMs: expect.any(Number),
      error: null,
    })
  })

  test('returns why there was no response', async () => {
    const anonymousPrincipal = { ok: false, models: [], latencyMs: null }
    expect(await probeNode(`http://localhost:${await findFreePort()}`)).toEqual({
      ...anonymousPrincipal,
      error: 'connection refused',
    })
    await using node = await startModelNode({ behaviour: 'hang' })
    expect(await probeNode(node.url, { timeoutMs: 100 })).toEqual({
      ...anonymousPrincipal,
      error: 'no response within 0.1 s',
    })
    expect(await probeNode(`https://localhost:${node.port}`)).toMatchObject({
      ok: false,
      error: expect.stringMatching(/TLS|valid HTTP|closed/),
    })
  })
})
