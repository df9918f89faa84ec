import { describe, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'
const calm = { HEALTH_CHECK_INTERVAL: '1h' }

/** The responding node: `a` for the first, `b` for the second. */
async function askOften(service: TestClusterService, times: number, headers: Record<string, string> = {}) {
  const ids = service.cluster.nodes().map(({ id }) => id)
  let answered = ''
  for (let round = 0; round < times; round++) {
    const response = await service.post('/api/show', { model }, { headers })
    await response.text()
    answered += 'abc'.charAt(ids.indexOf(response.headers.get('x-cluster-node') ?? ''))
  }
  return answered
}

const put = (service: TestClusterService, path: string, body: unknown, method = 'PUT') =>
  service.post(path, body, { method })

describe('requests', () => {
  test('are balanced by the active strategy, which can be changed at run time', async () => {
    await using one = await startModelNode()
    await using two = await startModelNode()
    await using service = await startServiceFor([{ url: `${one.url}=3` }, two], calm)
    expect(await (await service.get('/api/cluster/strategy')).json()).toEqual({
      strategy: 'round-robin',
      available: ['round-robin', 'least-connections', 'least-latency', 'weighted', 'prefix-affinity'],
      uses_weights: false,
      changed_by: null,
      changed_at: null,
    })
    expect(await askOften(service, 4)).toBe('abab')
    expect(await askOften(service, 8, { 'x-cluster-strategy': 'weighted' })).toBe('aabaaaba')
    const changed = await put(service, '/api/cluster/strategy', { strategy: 'weighted' })
    expect(await changed.json()).toEqual({ strategy: 'weighted' })
    expect(await (await service.get('/api/cluster/strategy')).json()).toMatchObject({
      strategy: 'weighted',
      uses_weights: true,
      changed_at: expect.any(String),
    })
    expect(await askOften(service, 4)).toBe('aaba')
    const wrong = await put(service, '/api/cluster/strategy', { strategy: 'best' })
    expect(wrong.status).toBe(400)
    expect(await wrong.json()).toMatchObject({ error: { code: 'invalid_request' } })
    const metrics = await service.metrics.render()
    const [first] = service.cluster.nodes()
    expect(metrics).toContain(
      `tutti_cluster_requests_total{node="${first?.id}",strategy="weighted",outcome="answered"} 9`,
    )
  })

  test('prefer the node with the model in memory, and another one when it is busy', async () => {
    await using one = await startModelNode()
    await using two = await startModelNode({ loaded: [model] })
    await using service = await startServiceFor([one, two], { ...calm, CLUSTER_NODE_CONCURRENCY: '1' })
    expect(await askOften(service, 3)).toBe('bbb')
    const leaving = new AbortController()
    const body = { model, options: { num_predict: 10_000, token_delay_ms: 10 } }
    const busy = await service.post('/api/generate', body, { signal: leaving.signal })
    expect(await askOften(service, 2)).toBe('aa')
    leaving.abort()
    await busy.text().catch(() => undefined)
  })

  test('spill over to a node without the model in memory when the other has too many', async () => {
    await using one = await startModelNode()
    await using two = await startModelNode({ loaded: [model] })
    await using service = await startServiceFor([one, two], { ...calm, CLUSTER_LOADED_LIMIT: '2' })
    const leaving = new AbortController()
    const body = { model, options: { num_predict: 10_000, token_delay_ms: 10 } }
    const nodes: (string | null)[] = []
    for (let round = 0; round < 4; round++) {
      const response = await service.post('/api/generate', body, { signal: leaving.signal })
      nodes.push(response.headers.get('x-cluster-node'))
    }
    const [first, second] = service.cluster.nodes().map(({ id }) => id)
    expect(nodes).toEqual([second, second, first, first])
    leaving.abort()
    await eventually(async () => (await one.stats()).working + (await two.stats()).working === 0)
  })

  test('go to the least loaded node', async () => {
    await using one = await startModelNode()
    await using two = await startModelNode()
    await using service = await startServiceFor([one, two], {
      ...calm,
      CLUSTER_STRATEGY: 'least-connections',
    })
    const leaving = new AbortController()
    const body = { model, options: { num_predict: 10_000, token_delay_ms: 10 } }
    const busy = await service.post('/api/generate', body, { signal: leaving.signal })
    const [first] = service.cluster.nodes()
    expect(busy.headers.get('x-cluster-node')).toBe(first?.id)
    expect(await askOften(service, 3)).toBe('bbb')
    leaving.abort()
    await busy.text().catch(() => undefined)
  })

  test('of one session stay on one node', async () => {
    await using one = await startModelNode()
    await using two = await startModelNode()
    await using service = await startServiceFor([one, two], calm)
    const nodes: string[] = []
    // Many, and sequential: ids differ between runs, and a busy node would send a session elsewhere.
    for (let session = 0; session < 24; session++) {
      nodes.push(await askOften(service, 2, { 'x-session-id': `session ${session}` }))
    }
    for (const answered of nodes) expect(['aa', 'bb']).toContain(answered)
    expect(new Set(nodes).size).toBe(2)
  })
})

describe('the optimal node', () => {
  test('is the choice of the strategy', async () => {
    await using one = await startModelNode()
    await using two = await startModelNode()
    await using service = await startServiceFor([one, two], calm)
    const [first, second] = service.cluster.nodes()
    const optimal = async (body: unknown) => (await service.post('/api/cluster/optimal', body)).json()
    expect(await optimal({ model })).toMatchObject({ id: first?.id, url: one.url, status: 'healthy' })
    expect(await optimal({ model })).toMatchObject({ id: second?.id })
    expect(await optimal({ model, strategy: 'least-connections' })).toMatchObject({ id: first?.id })
  })

  test.each([
    [{ model: 'nothing:1b' }, 404, 'model_not_found'],
    [{}, 400, 'invalid_request'],
    [{ model, strategy: 'best' }, 400, 'invalid_request'],
  ])('for %j does not exist: %i', async (body, status, code) => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], calm)
    const response = await service.post('/api/cluster/optimal', body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code, message: expect.any(String), details: {} } })
  })

  test('does not exist when no node is healthy', async () => {
    await using service = await startServiceFor([], calm)
    const response = await service.post('/api/cluster/optimal', { model })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({ error: { code: 'no_healthy_node' } })
  })
})

describe('an execution', () => {
  test.each([
    ['generate', { model, prompt: 'Why?' }, { response: expect.stringContaining('sky'), done: true }],
    [
      'chat',
      { model, messages: [] },
      { message: expect.objectContaining({ role: 'assistant' }), done: true },
    ],
    ['embed', { model, input: 'one' }, { embeddings: [expect.any(Array)] }],
  ])('of %s returns its result and its routing', async (operation, request, result) => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], calm)
    const response = await service.post('/api/cluster/execute', { operation, request })
    expect(response.status).toBe(200)
    expect(await response.json()).toEqual({
      success: true,
      node: service.cluster.nodes()[0]?.id,
      attempts: 1,
      duration_ms: expect.any(Number),
      result: expect.objectContaining(result),
    })
  })

  test('uses the node it names, the retries it sets, and does not wait in the queue', async () => {
    await using bad = await startModelNode({ behaviour: 'work_error' })
    await using good = await startModelNode()
    await using service = await startServiceFor([bad, good], calm)
    const [badId, goodId] = service.cluster.nodes().map(({ id }) => id)
    const execute = async (more: object) => {
      const response = await service.post('/api/cluster/execute', {
        operation: 'generate',
        request: { model },
        ...more,
      })
      return [response.status, await response.json()] as const
    }
    expect(await execute({ node: goodId })).toMatchObject([200, { node: goodId, attempts: 1 }])
    expect(await execute({ node: badId })).toMatchObject([
      502,
      { error: { code: 'attempts_failed', details: { node: badId, attempts: 1 } } },
    ])
    expect(await execute({ strategy: 'least-connections' })).toMatchObject([
      200,
      { node: goodId, attempts: 2 },
    ])
    const tries = [await execute({ max_retries: 0 }), await execute({ max_retries: 0 })]
    expect(new Set(tries.map(([status]) => status))).toEqual(new Set([200, 502]))
    await good.behave('work_hang')
    expect(await execute({ node: goodId, timeout: 100 })).toMatchObject([
      504,
      { error: { code: 'node_timeout' } },
    ])
    await eventually(async () => (await good.stats()).working === 0)
  })

  test.each([
    [{}, 400, 'invalid_request'],
    [{ operation: 'dream', request: { model } }, 400, 'invalid_request'],
    [{ operation: 'generate', request: {} }, 400, 'invalid_request'],
    [{ operation: 'generate', request: { model, stream: true } }, 400, 'invalid_request'],
    [{ operation: 'generate', request: { model }, timeout: 0 }, 400, 'invalid_request'],
    [{ operation: 'generate', request: { model: 'nothing:1b' } }, 404, 'model_not_found'],
    [{ operation: 'generate', request: { model }, node: 'unknown' }, 404, 'node_not_found'],
  ])('of %j is refused with %i', async (body, status, code) => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], calm)
    const response = await service.post('/api/cluster/execute', body)
    expect(response.status).toBe(status)
    expect(await response.json()).toMatchObject({ error: { code } })
  })
})
