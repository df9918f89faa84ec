import { describe, expect, test } from 'vitest'
import { runFlappingNode } from '../chaos/flapping-node.ts'
import { startServiceFor, type TestClusterService, waitForNodes } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type Behaviour, startModelNode, startMortalModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'
const whole = { model, prompt: 'Why?', stream: false }
const calm = { HEALTH_CHECK_INTERVAL: '1h' }

async function metricOf(service: TestClusterService, name: string): Promise<string> {
  const lines = (await service.metrics.render()).split('\n')
  return lines.filter((line) => line.startsWith(`tutti_${name}{`)).join('\n')
}

/** Sends requests that take long enough to be running at once, and waits until all of them are on the first node. */
async function sendToFirst(service: TestClusterService, count: number, body: unknown) {
  const responses = Array.from({ length: count }, () => service.post('/api/generate', body))
  await eventually(async () => service.cluster.nodes()[0]?.active_connections === count)
  return responses
}

describe('a node that is killed', () => {
  test.each(['whole', 'streamed'])(
    'with 40 %s requests on it loses none: each is answered by the other node',
    async (kind) => {
      await using dying = await startMortalModelNode({ loaded: [model] })
      await using other = await startModelNode()
      await using service = await startServiceFor([dying, other], { ...calm, CLUSTER_LOADED_LIMIT: '40' })
      const [, second] = service.cluster.nodes()
      await dying.behave('work_hang')
      const running = await sendToFirst(service, 40, { ...whole, stream: kind === 'streamed' })
      await dying.kill()
      const responses = await Promise.all(running)
      expect(responses.map(({ status }) => status)).toEqual(Array.from({ length: 40 }, () => 200))
      for (const response of responses) {
        expect(response.headers.get('x-cluster-node')).toBe(second?.id)
        expect(response.headers.get('x-cluster-attempts')).toBe('2')
        expect(await response.text()).toContain('"done":true')
      }
      expect(service.cluster.nodes()).toMatchObject([
        { status: 'unhealthy', failures: 40, active_connections: 0 },
        { status: 'healthy', failures: 0, requests: 40, active_connections: 0 },
      ])
    },
  )

  test('again and again under load loses no request before its first byte', async () => {
    const report = await runFlappingNode({ callers: 10, requests: 200, minDeaths: 2 })
    expect(report.lost).toEqual([])
    expect(report.requests).toBeGreaterThanOrEqual(200)
    expect(report.deaths).toBeGreaterThanOrEqual(2)
  })

  test('does not let a request that crashes its node crash all of them', async () => {
    const nodes = await Promise.all(['', '', ''].map(() => startModelNode({ behaviour: 'work_reset' })))
    await using closing = new AsyncDisposableStack()
    for (const node of nodes) closing.use(node)
    await using service = await startServiceFor(nodes, { ...calm, CLUSTER_MAX_RETRIES: '1' })
    expect((await service.post('/api/generate', whole)).status).toBe(502)
    const asked = await Promise.all(
      nodes.map(async (node) => (await node.stats()).requests['/api/generate'] ?? 0),
    )
    expect(asked.toSorted((left, right) => left - right)).toEqual([0, 1, 1])
  })
})

describe('nodes that refuse connections', () => {
  test('do not count as retries: the request reaches the last node', async () => {
    const nodes = await Promise.all(['', '', '', ''].map(() => startModelNode()))
    await using closing = new AsyncDisposableStack()
    for (const node of nodes) closing.use(node)
    await using service = await startServiceFor(nodes, { ...calm, CLUSTER_MAX_RETRIES: '0' })
    await Promise.all(nodes.slice(0, 3).map((node) => node.behave('refuse')))
    const response = await service.post('/api/generate', whole)
    expect(response.status).toBe(200)
    expect(response.headers.get('x-cluster-attempts')).toBe('4')
  })
})

describe('slow failures and errors', () => {
  test('use up the retry budget: of four requests that get status 500 at once, three are tried on another node', async () => {
    await using bad = await startModelNode({ loaded: [model], behaviour: 'work_slow_error' })
    // It keeps each retry, so that none ends before the others begin.
    await using other = await startModelNode({ behaviour: 'work_hang' })
    await using service = await startServiceFor([bad, other], calm)
    const leaving = new AbortController()
    const asked = Array.from({ length: 4 }, () =>
      service.post('/api/generate', whole, { signal: leaving.signal }),
    )
    const refused = await Promise.race(asked)
    expect(refused.status).toBe(502)
    await eventually(async () => (await other.stats()).working === 3)
    leaving.abort()
    await Promise.allSettled(asked)
  })
})

describe('a frozen node', () => {
  test('loses its requests without a first byte to another node as soon as it is unhealthy', async () => {
    await using frozen = await startMortalModelNode({ loaded: [model] })
    await using other = await startModelNode()
    await using service = await startServiceFor(
      [frozen, other],
      { HEALTH_CHECK_INTERVAL: '200', CLUSTER_LOADED_LIMIT: '40' },
      { timeoutMs: 1500 },
    )
    const [first, second] = service.cluster.nodes()
    frozen.freeze()
    const running = await sendToFirst(service, 20, { ...whole, stream: true })
    await waitForNodes(service.cluster, ([node]) => node?.status === 'unhealthy')
    const responses = await Promise.all(running)
    for (const response of responses) {
      expect(response.status).toBe(200)
      expect(response.headers.get('x-cluster-node')).toBe(second?.id)
      expect(await response.text()).toContain('"done":true')
    }
    expect(await metricOf(service, 'cluster_failovers_total')).toBe(
      `tutti_cluster_failovers_total{node="${first?.id}",reason="unhealthy"} 20`,
    )
    expect(service.cluster.nodes()).toMatchObject([{ active_connections: 0 }, { active_connections: 0 }])
  })

  test('keeps its requests while there is no other node, and loses them to one that becomes healthy', async () => {
    await using frozen = await startMortalModelNode()
    await using late = await startModelNode({ behaviour: 'refuse' })
    await using service = await startServiceFor(
      [frozen],
      { HEALTH_CHECK_INTERVAL: '200' },
      { timeoutMs: 1500 },
    )
    frozen.freeze()
    const running = await sendToFirst(service, 1, whole)
    await waitForNodes(service.cluster, ([node]) => node?.status === 'unhealthy')
    expect(service.cluster.nodes()).toMatchObject([{ active_connections: 1 }])
    await late.behave('normal')
    const added = await service.post('/api/cluster/nodes', { url: late.url })
    expect(added.status).toBe(201)
    const [response] = await Promise.all(running)
    expect(response?.status).toBe(200)
    expect(response?.headers.get('x-cluster-attempts')).toBe('2')
  })

  test('that continues in time has lost nothing', async () => {
    await using node = await startMortalModelNode()
    await using service = await startServiceFor([node], calm)
    node.freeze()
    const running = await sendToFirst(service, 3, whole)
    node.thaw()
    const responses = await Promise.all(running)
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200])
  })
})

describe('a node that lies', () => {
  test.each<[Behaviour]>([['work_page'], ['work_hidden_page']])(
    '(%s) and answers with a page of HTML has failed: another node responds',
    async (behaviour) => {
      await using bad = await startModelNode({ behaviour })
      await using good = await startModelNode()
      await using service = await startServiceFor([bad, good], calm)
      const [badId, goodId] = service.cluster.nodes().map(({ id }) => id)
      const response = await service.post('/api/generate', whole)
      expect(await response.json()).toMatchObject({ done: true })
      expect(response.headers.get('x-cluster-node')).toBe(goodId)
      expect(await metricOf(service, 'cluster_failovers_total')).toBe(
        `tutti_cluster_failovers_total{node="${badId}",reason="invalid"} 1`,
      )
      expect(service.cluster.nodes()[0]).toMatchObject({
        failures: 1,
        last_error: 'a request answered with a page of HTML',
      })
    },
  )

  test('and is the only one gives the caller an error, not the page', async () => {
    await using node = await startModelNode({ behaviour: 'work_page' })
    await using service = await startServiceFor([node], calm)
    const response = await service.post('/api/generate', whole)
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({
      error: expect.stringMatching(/^node .* answered with a page of HTML$/),
    })
  })

  test('and sends one byte every 300 ms has stalled: single bytes are no progress', async () => {
    await using node = await startModelNode({ behaviour: 'work_drips' })
    await using service = await startServiceFor([node], { ...calm, CLUSTER_STALL_TIMEOUT: '2s' })
    const response = await service.post('/api/generate', { model, prompt: 'Why?' })
    const lines = (await response.text()).trimEnd().split('\n')
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ response: 'The' }),
      expect.objectContaining({ response: ' sky' }),
      { error: expect.stringMatching(/made no progress within 2 s/) },
    ])
    await eventually(async () => (await node.stats()).working === 0)
  })
})
