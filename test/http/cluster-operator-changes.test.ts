import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { createDatabaseStore, createFileStore, type OperatorStore } from '#cluster'
import { startClusterService, waitForNodes } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { startModelNode } from '../support/model-node.ts'
import { createTestDatabase } from '../support/test-database.ts'

interface OpenStore extends AsyncDisposable {
  /** As a process that starts later has it. */
  open(): Promise<OperatorStore>
}

const stores: readonly [string, () => Promise<OpenStore>][] = [
  [
    'database',
    async () => {
      const database = await createTestDatabase()
      return {
        open: async () => createDatabaseStore(database),
        [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
      }
    },
  ],
  [
    'file',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'cluster-'))
      return {
        open: () => createFileStore(join(folder, 'cluster.json')),
        [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
      }
    },
  ],
]

describe.each(stores)('the changes of operators in a %s', (_kind, openStore) => {
  test('survive a restart of the service, with their operator and time', async () => {
    await using store = await openStore()
    await using one = await startModelNode()
    await using two = await startModelNode()
    await using three = await startModelNode()
    const environment = { CLUSTER_NODES: `${one.url}=3,${two.url}`, HEALTH_CHECK_INTERVAL: '1h' }
    {
      await using service = await startClusterService({ environment, store: await store.open() })
      const { operations } = service.cluster
      const [first, second] = service.cluster.nodes()
      await operations.change(first?.id ?? '', { weight: 9 }, 'ann')
      await operations.change(first?.id ?? '', { draining: true }, 'bob')
      await operations.remove(second?.id ?? '', 'ann')
      await operations.add({ url: three.url, weight: 5 }, 'ann')
      await operations.setStrategy('weighted', null)
    }
    await using service = await startClusterService({ environment, store: await store.open() })
    const at = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)
    expect(service.cluster.nodes()).toMatchObject([
      { url: one.url, weight: 9, status: 'draining', changed_by: 'bob', changed_at: at },
      { url: three.url, weight: 5, source: 'runtime', changed_by: 'ann', changed_at: at },
    ])
    expect(service.cluster.nodes()).toHaveLength(2)
    expect(service.cluster.requests.balancer.strategy).toBe('weighted')
    expect(service.cluster.operations.strategySetting()).toMatchObject({ changedBy: null })
  })

  test('can be undone: a removed node is added again, an added one removed', async () => {
    await using store = await openStore()
    await using one = await startModelNode()
    await using two = await startModelNode()
    const environment = { CLUSTER_NODES: one.url, HEALTH_CHECK_INTERVAL: '1h' }
    {
      await using service = await startClusterService({ environment, store: await store.open() })
      const { operations } = service.cluster
      const [first] = service.cluster.nodes()
      await operations.remove(first?.id ?? '', 'ann')
      expect(service.cluster.nodes()).toEqual([])
      expect(await operations.add({ url: one.url, weight: 2 }, 'ann')).toMatchObject({ weight: 2 })
      const { id } = await operations.add({ url: two.url, weight: 1 }, 'ann')
      await expect(operations.add({ url: two.url, weight: 1 }, 'ann')).rejects.toMatchObject({ status: 409 })
      await operations.remove(id, 'ann')
      await expect(operations.remove(id, 'ann')).rejects.toMatchObject({ code: 'node_not_found' })
    }
    await using service = await startClusterService({ environment, store: await store.open() })
    expect(service.cluster.nodes()).toMatchObject([{ url: one.url, weight: 2 }])
    expect(service.cluster.nodes()).toHaveLength(1)
  })

  test('by two operators at once are all kept', async () => {
    await using store = await openStore()
    await using node = await startModelNode()
    const environment = { CLUSTER_NODES: node.url, HEALTH_CHECK_INTERVAL: '1h' }
    await using service = await startClusterService({ environment, store: await store.open() })
    const { operations } = service.cluster
    const id = service.cluster.nodes()[0]?.id ?? ''
    await Promise.all([
      operations.change(id, { weight: 4 }, 'ann'),
      operations.change(id, { draining: true }, 'bob'),
      operations.setStrategy('weighted', 'ann'),
    ])
    expect(service.cluster.nodes()).toMatchObject([{ weight: 4, status: 'draining' }])
  })
})

describe('services with one database', () => {
  test('follow the changes of each other', async () => {
    await using database = await createTestDatabase()
    await using node = await startModelNode()
    const environment = { HEALTH_CHECK_INTERVAL: '200' }
    const store = () => createDatabaseStore(database)
    await using first = await startClusterService({ environment, store: store() })
    await using second = await startClusterService({ environment, store: store() })
    const { id } = await first.cluster.operations.add({ url: node.url, weight: 2 }, 'ann')
    await waitForNodes(second.cluster, ([found]) => found?.status === 'healthy')
    expect((await second.post('/api/show', { model: 'gemma3:4b' })).status).toBe(200)
    await second.cluster.operations.change(id, { draining: true }, 'bob')
    await waitForNodes(first.cluster, ([found]) => found?.status === 'draining')
    await first.cluster.operations.setStrategy('least-latency', 'ann')
    await eventually(() => second.cluster.requests.balancer.strategy === 'least-latency')
    await first.cluster.operations.remove(id, 'ann')
    await waitForNodes(second.cluster, (nodes) => nodes.length === 0)
  })
})

describe('a file that cannot be written', () => {
  test('refuses the change with the reason, and nothing changes', async () => {
    await using closing = new AsyncDisposableStack()
    const folder = await mkdtemp(join(tmpdir(), 'cluster-'))
    closing.defer(() => rm(folder, { recursive: true }))
    const file = join(folder, 'cluster.json')
    const store = await createFileStore(file)
    await using node = await startModelNode()
    const environment = { CLUSTER_NODES: node.url, HEALTH_CHECK_INTERVAL: '1h' }
    await using service = await startClusterService({ environment, store })
    // A folder of this name cannot be replaced by a file, even by the superuser.
    await mkdir(join(file, 'inside'), { recursive: true })
    const response = await service.post('/api/cluster/strategy', { strategy: 'weighted' }, { method: 'PUT' })
    expect(response.status).toBe(503)
    expect(await response.json()).toMatchObject({
      error: { code: 'change_not_stored', message: expect.stringContaining(file) },
    })
    expect(service.cluster.requests.balancer.strategy).toBe('round-robin')
  })
})

test('processes with the same file follow the changes of each other', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'cluster-'))
  const open = () => createFileStore(join(folder, 'cluster.json'))
  {
    await using node = await startModelNode()
    const environment = { CLUSTER_NODES: node.url, HEALTH_CHECK_INTERVAL: '1h' }
    await using one = await startClusterService({ environment, store: await open() })
    await using two = await startClusterService({ environment, store: await open() })
    const id = one.cluster.nodes()[0]?.id ?? ''
    await one.cluster.operations.change(id, { weight: 9 }, 'ann')
    // The second change is based on the first, which its process may not have followed yet.
    await two.cluster.operations.setStrategy('prefix-affinity', 'bob')
    expect(two.cluster.nodes()).toMatchObject([{ weight: 9, changed_by: 'ann' }])
    await eventually(async () => one.cluster.overview().strategy === 'prefix-affinity')
    expect(one.cluster.nodes()).toMatchObject([{ weight: 9 }])
  }
  await rm(folder, { recursive: true })
})
