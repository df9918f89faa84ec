import { describe, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService, waitForNodes } from '../support/cluster-service.ts'
import { type CompatibleNode, startCompatibleNode } from '../support/compatible-node.ts'
import { eventually } from '../support/eventually.ts'

const model = 'Qwen/Qwen3-0.6B'
const messages = [{ role: 'user', content: 'Why?' }]
/** So long that a node has all requests that were sent to it before the first one ends. */
const togetherMs = 1500

/** Sends requests to nodes that respond when all requests have arrived at the service. */
async function sendTogether(service: TestClusterService, count: number, nodes: readonly CompatibleNode[]) {
  for (const node of nodes) node.freeze()
  const answers = Array.from({ length: count }, () =>
    service.post('/v1/chat/completions', { model, messages }),
  )
  await eventually(() => {
    const active = service.cluster.nodes().map((record) => record.active_connections)
    const waiting = service.cluster.requests.admission.depths().values()
    return [...active, ...waiting].reduce((sum, requests) => sum + requests, 0) === count
  })
  for (const node of nodes) node.thaw()
  return await Promise.all(answers)
}

describe('the concurrency of a node', () => {
  test('is that of its slots; further requests wait', async () => {
    await using node = await startCompatibleNode({ runtime: 'llama.cpp', slots: 2, delayMs: togetherMs })
    await using service = await startServiceFor([node])
    expect(service.cluster.nodes()).toMatchObject([{ max_concurrency: 2 }])
    const answers = await sendTogether(service, 6, [node])
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    expect(answers.filter(({ headers }) => headers.has('x-queue-position'))).toHaveLength(4)
    expect((await node.stats()).maxWorking).toBe(2)
  })

  test('is at most that of the setting', async () => {
    await using node = await startCompatibleNode({ runtime: 'llama.cpp', slots: 50, delayMs: 100 })
    await using service = await startServiceFor([node], { CLUSTER_NODE_CONCURRENCY: '1' })
    await Promise.all(
      Array.from({ length: 3 }, () => service.post('/v1/chat/completions', { model, messages })),
    )
    expect((await node.stats()).maxWorking).toBe(1)
  })

  test.each(['vllm', 'sglang', 'tgi'] as const)(
    'follows the queue inside %s, and grows again',
    async (runtime) => {
      await using node = await startCompatibleNode({ runtime, running: 3, waiting: 5, delayMs: togetherMs })
      await using service = await startServiceFor([node])
      expect(service.cluster.nodes()).toMatchObject([{ max_concurrency: 3 }])
      await sendTogether(service, 5, [node])
      expect((await node.stats()).maxWorking).toBe(3)
      await node.set({ waiting: 0 })
      await waitForNodes(service.cluster, ([record]) => (record?.max_concurrency ?? 0) > 10)
    },
  )

  test('is that of the setting without a report', async () => {
    await using node = await startCompatibleNode({ runtime: 'openai', delayMs: togetherMs })
    await using service = await startServiceFor([node], { CLUSTER_NODE_CONCURRENCY: '4' })
    expect(service.cluster.nodes()).toMatchObject([{ max_concurrency: null }])
    await sendTogether(service, 8, [node])
    expect((await node.stats()).maxWorking).toBe(4)
  })
})

describe('prefix-affinity', () => {
  test('keeps requests with the same start on one node, spreads others, and survives its node', async () => {
    await using one = await startCompatibleNode({ runtime: 'vllm' })
    await using two = await startCompatibleNode({ runtime: 'vllm' })
    await using service = await startServiceFor([one, two], { CLUSTER_STRATEGY: 'prefix-affinity' })
    const nodeOf = async (system: string, path = '/api/chat') => {
      const answer = await service.post(path, {
        model,
        messages: [{ role: 'system', content: system }, ...messages],
        stream: false,
      })
      expect(answer.status).toBe(200)
      await answer.text()
      return answer.headers.get('x-cluster-node')
    }
    const homes = new Map<string, string | null>()
    for (let index = 0; index < 24; index += 1)
      homes.set(`You are poet ${index}.`, await nodeOf(`You are poet ${index}.`))
    expect(new Set(homes.values()).size).toBe(2)
    for (const [system, home] of homes) expect(await nodeOf(system, '/v1/chat/completions')).toBe(home)
    const view = await (await service.get('/api/cluster/strategy')).json()
    expect(view).toMatchObject({ strategy: 'prefix-affinity', uses_weights: true })
    const [first, second] = service.cluster.nodes()
    await one.kill()
    await eventually(async () => service.cluster.nodes()[0]?.status !== 'healthy')
    for (const [system] of homes) expect(await nodeOf(system)).toBe(second?.id)
    expect([...homes.values()]).toContain(first?.id)
  })

  test('moves on when its node has more than its share', async () => {
    await using one = await startCompatibleNode({ runtime: 'vllm', delayMs: togetherMs })
    await using two = await startCompatibleNode({ runtime: 'vllm', delayMs: togetherMs })
    await using service = await startServiceFor([one, two], { CLUSTER_STRATEGY: 'prefix-affinity' })
    const answers = await sendTogether(service, 12, [one, two])
    const counts = new Map<string | null, number>()
    for (const { headers } of answers) {
      const id = headers.get('x-cluster-node')
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    // The home gets a quarter more than the average of six.
    expect([...counts.values()].sort((left, right) => right - left)).toEqual([8, 4])
  })
})
