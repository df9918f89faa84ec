import { describe, expect, test } from 'vitest'
import { startCluster, waitForNodes } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { startModelNode } from '../support/model-node.ts'
import { startKubernetesApi } from './cluster-kubernetes-api.ts'

const urlOf = (port: number) => `http://127.0.0.1:${port}`

describe('pods behind a headless service', () => {
  test('are nodes while they are ready, each by its own address', async () => {
    await using one = await startModelNode({ models: ['gemma3:4b'] })
    await using two = await startModelNode({ models: ['qwen3:8b'] })
    await using api = await startKubernetesApi()
    api.put('pods-1', [{ port: one.port }])
    await using service = startCluster({ environment: api.environment, timeoutMs: 20_000 })
    const { cluster } = service
    await waitForNodes(cluster, ([first]) => first?.status === 'healthy')
    expect(cluster.nodes()).toMatchObject([
      { url: urlOf(one.port), source: 'kubernetes', models: ['gemma3:4b'] },
    ])

    await eventually(() => api.watchers === 1)
    api.put('pods-2', [{ port: two.port, ready: false }])
    api.put('pods-2', [{ port: two.port }])
    await waitForNodes(cluster, ([, second]) => second?.status === 'healthy')
    api.put('pods-1', [{ port: one.port, terminating: true }])
    await waitForNodes(cluster, (nodes) => nodes.length === 1)
    expect(cluster.nodes()).toMatchObject([{ url: urlOf(two.port), models: ['qwen3:8b'] }])
    api.drop('pods-2')
    await waitForNodes(cluster, (nodes) => nodes.length === 0)
    expect(api.requests).toEqual(['list null', 'watch 101'])
  })

  test('keep their id and their statistics when they come back', async () => {
    await using node = await startModelNode({ behaviour: 'slow' })
    await using api = await startKubernetesApi()
    api.put('pods-1', [{ port: node.port }])
    await using service = startCluster({ environment: api.environment, timeoutMs: 20_000 })
    const [before] = await waitForNodes(service.cluster, ([first]) => first?.status === 'healthy')
    await eventually(() => api.watchers === 1)
    api.drop('pods-1')
    await waitForNodes(service.cluster, (nodes) => nodes.length === 0)
    await node.behave('normal')
    api.put('pods-1', [{ port: node.port }])
    const [back] = await waitForNodes(service.cluster, ([first]) => first?.status === 'healthy')
    expect(back?.id).toBe(before?.id)
    expect(back?.latency.p95).toBeGreaterThanOrEqual(55)
  })

  test('are watched from the last version when a watch ends, and listed again when that is too old', async () => {
    await using api = await startKubernetesApi()
    await using service = startCluster({ environment: api.environment })
    const { cluster } = service
    await eventually(() => api.watchers === 1)
    api.put('pods-1', [{ port: 9 }])
    await waitForNodes(cluster, (nodes) => nodes.length === 1)
    api.bookmark()
    api.endWatches()
    await eventually(() => api.requests.length === 3 && api.watchers === 1)
    expect(api.requests).toEqual(['list null', 'watch 100', 'watch 102'])

    api.endWatches()
    await eventually(() => api.watchers === 0)
    api.drop('pods-1')
    api.put('pods-2', [{ port: 19 }])
    api.expire()
    await waitForNodes(cluster, ([first]) => first?.url === urlOf(19))
    expect(cluster.nodes()).toHaveLength(1)
    await eventually(() => api.watchers === 1)
    expect(api.requests.slice(3)).toEqual(['watch 102', 'list null', 'watch 105'])

    api.put('pods-3', [{ port: 29 }])
    await waitForNodes(cluster, (nodes) => nodes.length === 2)
    api.expire()
    await eventually(() => api.requests.length === 8 && api.watchers === 1)
    expect(api.requests.slice(6)).toEqual(['list null', 'watch 107'])
    expect(cluster.nodes()).toHaveLength(2)
  })

  test('stay nodes while Kubernetes does not respond, and a renewed token is used', async () => {
    await using node = await startModelNode()
    await using api = await startKubernetesApi()
    api.put('pods-1', [{ port: node.port }])
    await using service = startCluster({ environment: api.environment, timeoutMs: 20_000 })
    const { cluster } = service
    await waitForNodes(cluster, ([first]) => first?.status === 'healthy')
    await eventually(() => api.watchers === 1)
    api.fail(500)
    const asked = api.requests.length
    await eventually(() => api.requests.length > asked)
    expect(cluster.nodes()).toMatchObject([{ status: 'healthy' }])
    await api.renewToken('second')
    api.fail(undefined)
    await eventually(() => api.watchers === 1)
    api.put('pods-2', [{ port: 9 }])
    await waitForNodes(cluster, (nodes) => nodes.length === 2)
  })

  test('that are configured as well are one node, which stays when the pod is gone', async () => {
    await using node = await startModelNode()
    await using api = await startKubernetesApi()
    api.put('pods-1', [{ port: node.port }])
    const environment = { ...api.environment, CLUSTER_NODES: `${node.url}=2` }
    await using service = startCluster({ environment, timeoutMs: 20_000 })
    await eventually(() => api.watchers === 1)
    expect(service.cluster.nodes()).toMatchObject([{ source: 'config', weight: 2 }])
    api.drop('pods-1')
    api.put('pods-2', [{ port: 9 }])
    await waitForNodes(service.cluster, (nodes) => nodes.length === 2)
    expect(service.cluster.nodes()).toMatchObject([{ source: 'config' }, { source: 'kubernetes' }])
  })

  test('that an operator removed stay removed until added again', async () => {
    await using api = await startKubernetesApi()
    api.put('pods-1', [{ port: 9 }])
    await using service = startCluster({ environment: api.environment })
    const { cluster } = service
    await waitForNodes(cluster, (nodes) => nodes.length === 1)
    await eventually(() => api.watchers === 1)
    const { id, url } = cluster.nodes()[0] ?? { id: '', url: '' }
    await cluster.operations.remove(id, null)
    api.expire()
    await eventually(() => api.requests.filter((request) => request === 'list null').length === 2)
    api.put('pods-2', [{ port: 19 }])
    await waitForNodes(cluster, (nodes) => nodes.length > 0)
    expect(cluster.nodes()).toMatchObject([{ url: urlOf(19) }])
    expect(await cluster.operations.add({ url, weight: 1 }, null)).toMatchObject({ id, source: 'runtime' })
  })
})
