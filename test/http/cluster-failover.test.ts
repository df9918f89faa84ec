import { describe, expect, test } from 'vitest'
import type { NodeRecord } from '#cluster'
import {
  startServiceFor,
  type TestClusterService,
  waitForNodes,
  waitForStatus,
} from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type Behaviour, startModelNode, startMortalModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'
const whole = { model, prompt: 'Why?', stream: false }
const calm = { HEALTH_CHECK_INTERVAL: '1h' }

/** Long enough for a healthy node on a busy machine, and short for one that never responds. */
const impatient = { ...calm, CLUSTER_FIRST_BYTE_TIMEOUT: '3s', CLUSTER_STALL_TIMEOUT: '3s' }

async function metricOf(service: TestClusterService, name: string): Promise<string> {
  const lines = (await service.metrics.render()).split('\n')
  return lines.filter((line) => line.startsWith(`tutti_${name}{`)).join('\n')
}

describe('a node that fails before its first byte', () => {
  test.each<[Behaviour, string]>([
    ['refuse', 'refused'],
    ['work_reset', 'closed'],
    ['work_head_only', 'closed'],
    ['work_ends_at_once', 'closed'],
    ['work_error', 'status'],
    ['work_lacks', 'lacks'],
    ['work_hang', 'late'],
  ])('(%s) is hidden from the caller: another node responds', async (behaviour, reason) => {
    await using bad = await startModelNode()
    await using good = await startModelNode()
    await using service = await startServiceFor([bad, good], impatient)
    const [badId, goodId] = service.cluster.nodes().map(({ id }) => id)
    await bad.behave(behaviour)
    const response = await service.post('/api/generate', whole)
    expect(response.status).toBe(200)
    expect(await response.json()).toMatchObject({ done: true, eval_count: 10 })
    expect(response.headers.get('x-cluster-node')).toBe(goodId)
    expect(response.headers.get('x-cluster-attempts')).toBe('2')
    expect(await metricOf(service, 'cluster_failovers_total')).toBe(
      `tutti_cluster_failovers_total{node="${badId}",reason="${reason}"} 1`,
    )
    expect(service.cluster.nodes()).toMatchObject([
      { id: badId, requests: 1, active_connections: 0 },
      { id: goodId, requests: 1, failures: 0, active_connections: 0 },
    ])
  })

  test.each([10, 1000])(
    'is hidden, too, when it dies in the middle of a non-streamed response (%i tokens)',
    async (count) => {
      await using bad = await startModelNode()
      await using good = await startModelNode()
      await using service = await startServiceFor([bad, good], calm)
      await bad.behave('work_dies')
      const response = await service.post('/api/generate', { ...whole, options: { num_predict: count } })
      expect(await response.json()).toMatchObject({ done: true })
      expect(response.headers.get('x-cluster-attempts')).toBe('2')
    },
  )

  test('that reports a missing model gets no request for it until the next probe', async () => {
    await using bad = await startModelNode({ behaviour: 'work_lacks' })
    await using good = await startModelNode()
    await using service = await startServiceFor([bad, good], calm)
    for (let round = 0; round < 4; round++) await (await service.post('/api/generate', whole)).text()
    expect((await bad.stats()).requests['/api/generate']).toBe(1)
    expect(service.cluster.nodes()).toMatchObject([{ status: 'healthy' }, { status: 'healthy' }])
  })

  test('cannot be marked as missing a model by a request that names two', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], calm)
    const response = await service.post('/api/generate', { ...whole, Model: 'nothing:1b' })
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ error: "model 'nothing:1b' not found" })
    expect((await service.post('/api/generate', whole)).status).toBe(200)
  })

  test('uses up the retry budget: retries end', async () => {
    const nodes = await Promise.all(['', '', '', ''].map(() => startModelNode({ behaviour: 'work_error' })))
    await using closing = new AsyncDisposableStack()
    for (const node of nodes) closing.use(node)
    await using service = await startServiceFor(nodes, { ...calm, CLUSTER_MAX_RETRIES: '2' })
    const response = await service.post('/api/generate', whole)
    expect(response.status).toBe(502)
    expect(await response.json()).toEqual({
      error: expect.stringMatching(
        /^after 3 attempts, the last: node .* 500: model runner has unexpectedly stopped$/,
      ),
    })
    const asked = await Promise.all(
      nodes.map(async (node) => (await node.stats()).requests['/api/generate'] ?? 0),
    )
    expect(asked.toSorted((left, right) => left - right)).toEqual([0, 1, 1, 1])
  })
})

describe('when no node can respond, the caller gets', () => {
  test.each<[Behaviour, number, RegExp]>([
    ['refuse', 502, /refused the connection$/],
    ['work_reset', 502, /the connection was closed before the response was complete$/],
    ['work_error', 502, /answered with status 500: model runner has unexpectedly stopped$/],
    ['work_hang', 504, /did not begin its answer within 0.5 s$/],
    ['work_lacks', 404, /^model 'gemma3:4b' not found$/],
  ])('(%s) status %i and the reason', async (behaviour, status, message) => {
    await using node = await startModelNode()
    const limits = behaviour === 'work_hang' ? { CLUSTER_FIRST_BYTE_TIMEOUT: '500ms' } : {}
    await using service = await startServiceFor([node], { ...calm, ...limits })
    await node.behave(behaviour)
    const response = await service.post('/api/generate', whole)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error: expect.stringMatching(message) })
    expect(service.cluster.nodes()).toMatchObject([{ active_connections: 0 }])
  })
})

describe('a node that fails in the middle of a stream', () => {
  test.each<[Behaviour, RegExp]>([
    ['work_dies', /the connection was closed/],
    ['work_ends_early', /ended its stream before the last event/],
    ['work_stalls', /made no progress within 1 s/],
  ])('(%s) ends it with one error line', async (behaviour, reason) => {
    await using node = await startModelNode({ behaviour })
    const limits = behaviour === 'work_stalls' ? { CLUSTER_STALL_TIMEOUT: '1s' } : {}
    await using service = await startServiceFor([node], { ...calm, ...limits })
    const response = await service.post('/api/generate', { model, prompt: 'Why?' })
    expect(response.status).toBe(200)
    const lines = (await response.text()).trimEnd().split('\n')
    // A token that was cut in two does not reach the caller: it would be unreadable.
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({ response: 'The' }),
      expect.objectContaining({ response: ' sky' }),
      { error: expect.stringMatching(reason) },
    ])
    expect(service.cluster.nodes()).toMatchObject([{ failures: 1, active_connections: 0 }])
    if (behaviour === 'work_stalls') await eventually(async () => (await node.stats()).working === 0)
  })

  test('ends it with one event where the stream consists of events', async () => {
    await using node = await startModelNode({ behaviour: 'work_dies' })
    await using service = await startServiceFor([node], calm)
    const response = await service.post('/v1/chat/completions', { model, messages: [], stream: true })
    const events = (await response.text()).trimEnd().split('\n\n')
    expect(events).toHaveLength(3)
    expect(events.at(-1)).toMatch(/^data: /)
    expect(JSON.parse(events.at(-1)?.slice(6) ?? '')).toEqual({
      error: { message: expect.stringContaining('closed'), type: 'api_error', param: null, code: null },
    })
    expect(events.join()).not.toContain('[DONE]')
  })
})

describe('a node whose requests fail', () => {
  test('is ejected after five in a row, although its probes are good, and comes back', async () => {
    await using bad = await startModelNode({ behaviour: 'work_error' })
    await using good = await startModelNode()
    await using service = await startServiceFor([bad, good], { HEALTH_CHECK_INTERVAL: '2s' })
    const statuses: string[] = []
    const [badId] = service.cluster.nodes().map(({ id }) => id)
    // The next good probe clears the reason.
    const ejected: NodeRecord[] = []
    service.cluster.onChange(({ kind, node }) => {
      if (kind !== 'changed' || node.id !== badId || statuses.at(-1) === node.status) return
      statuses.push(node.status)
      if (node.status === 'unhealthy') ejected.push(node)
    })
    while (ejected.length === 0) {
      expect((await service.post('/api/generate', whole)).status).toBe(200)
    }
    expect((await bad.stats()).requests['/api/generate']).toBe(5)
    expect(ejected[0]).toMatchObject({ last_error: expect.stringContaining('status 500'), failures: 5 })
    await bad.behave('normal')
    await waitForStatus(service.cluster, 'healthy')
    expect(statuses.filter((status, index) => status !== statuses[index - 1])).toEqual(
      ['healthy', 'unhealthy', 'probing', 'healthy'].slice(statuses[0] === 'healthy' ? 0 : 1),
    )
    for (let round = 0; round < 2; round++) await (await service.post('/api/generate', whole)).text()
    expect((await bad.stats()).requests['/api/generate']).toBe(6)
  })

  test('is ejected at once when it refuses connections', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], calm)
    await node.behave('refuse')
    expect((await service.post('/api/generate', whole)).status).toBe(502)
    expect(service.cluster.nodes()).toMatchObject([{ status: 'unhealthy' }])
    expect((await service.post('/api/generate', whole)).status).toBe(503)
  })

  test('is not ejected for a request that fails on every node', async () => {
    await using one = await startModelNode({ behaviour: 'work_error' })
    await using two = await startModelNode({ behaviour: 'work_error' })
    await using service = await startServiceFor([one, two], calm)
    for (let round = 0; round < 6; round++) {
      expect((await service.post('/api/generate', whole)).status).toBe(502)
    }
    expect(service.cluster.nodes()).toMatchObject([{ status: 'healthy' }, { status: 'healthy' }])
  })

  test('that is killed under load fails no request', async () => {
    await using one = await startMortalModelNode()
    await using two = await startModelNode()
    await using service = await startServiceFor([one, two], { HEALTH_CHECK_INTERVAL: '200' })
    const body = { ...whole, options: { num_predict: 10, token_delay_ms: 2 } }
    const ask = async () => {
      const statuses: number[] = []
      for (let round = 0; round < 12; round++) {
        const response = await service.post('/api/generate', body)
        await response.text()
        statuses.push(response.status)
      }
      return statuses
    }
    const asking = Array.from({ length: 3 }, ask)
    await new Promise((resolve) => setTimeout(resolve, 60))
    await one.kill()
    const statuses = (await Promise.all(asking)).flat()
    expect(statuses.filter((status) => status !== 200)).toEqual([])
    await waitForNodes(service.cluster, ([first]) => first?.status === 'unhealthy')
  })
})
