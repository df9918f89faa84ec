import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startCluster, waitForNodes, waitForStatus } from '../support/cluster-service.ts'
import { startModelNode } from '../support/model-node.ts'
import { startModelsServer } from './models-server.ts'

function startClusterOf(...nodes: readonly { readonly url: string }[]) {
  const environment = { CLUSTER_NODES: nodes.map(({ url }) => url).join(',') }
  return startCluster({ environment, timeoutMs: 20_000 })
}

/** A runtime with scripted models and timing. */
async function startRuntime(
  models: readonly object[],
  answersAfter: Promise<void> = Promise.resolve(),
): Promise<{ url: string } & AsyncDisposable> {
  const server = createServer((request, response) => {
    const body = JSON.stringify({ models: request.url === '/api/tags' ? models : [] })
    void answersAfter.then(() => response.end(body))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

describe('the list of models', () => {
  test('has each model once, by id, with its nodes', async () => {
    await using one = await startModelNode({ models: ['qwen3:8b', 'gemma3:4b'], loaded: ['gemma3:4b'] })
    await using two = await startModelNode({ models: ['nadia/tuned:latest', 'gemma3:4b'] })
    await using service = startClusterOf(one, two)
    await waitForNodes(service.cluster, (nodes) => nodes.every(({ status }) => status === 'healthy'))
    await using server = await startModelsServer(service)
    const [first = '', second = ''] = service.cluster.nodes().map(({ id }) => id)

    const answer = await fetch(`${server.url}/api/v1/models`, server)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const known = {
      object: 'model',
      created: Date.parse('2026-05-04T17:37:44-07:00') / 1000,
      provider: 'ollama',
      state: 'available',
      size: expect.any(Number),
      capabilities: [],
      context_length: null,
      max_output_tokens: null,
      pricing: {
        source: 'free',
        input: 0,
        cached_input: 0,
        output: 0,
        tiers: [],
        version: expect.any(String),
      },
    }
    expect(await answer.json()).toEqual({
      object: 'list',
      data: [
        expect.objectContaining({
          id: 'builtin:text',
          provider: 'builtin',
          state: 'available',
          pricing: expect.objectContaining({ source: 'free', input: 0, output: 0 }),
        }),
        { ...known, id: 'gemma3:4b', owned_by: 'library', loaded: true, nodes: [first, second].sort() },
        { ...known, id: 'nadia/tuned:latest', owned_by: 'nadia', loaded: false, nodes: [second] },
        { ...known, id: 'qwen3:8b', owned_by: 'library', loaded: false, nodes: [first] },
      ],
    })
  })

  test('follows the models in memory', async () => {
    await using node = await startModelNode({ models: ['gemma3:4b'] })
    await using service = startClusterOf(node)
    await using server = await startModelsServer(service)
    expect(await server.list()).toMatchObject([{ loaded: false }])
    await node.have(['gemma3:4b'], ['gemma3:4b'])
    await waitForNodes(service.cluster, ([first]) => first?.loaded_models.length === 1)
    expect(await server.list()).toMatchObject([{ loaded: true }])
  })

  test('keeps a model whose node is offline, without nodes', async () => {
    await using node = await startModelNode({ models: ['gemma3:4b'], loaded: ['gemma3:4b'] })
    await using service = startClusterOf(node)
    const { id } = await waitForStatus(service.cluster, 'healthy')
    await using server = await startModelsServer(service)
    expect(await server.list()).toMatchObject([{ id: 'gemma3:4b', loaded: true, nodes: [id] }])
    await node.behave('refuse')
    await waitForStatus(service.cluster, 'unhealthy')
    expect(await server.list()).toMatchObject([
      { id: 'gemma3:4b', state: 'unavailable', loaded: false, nodes: [] },
    ])
  })

  test('drops a model that its node no longer has', async () => {
    await using node = await startModelNode({ models: ['gemma3:4b', 'qwen3:8b'] })
    await using service = startClusterOf(node)
    await using server = await startModelsServer(service)
    expect((await server.list()).map(({ id }) => id)).toEqual(['gemma3:4b', 'qwen3:8b'])
    await node.have(['qwen3:8b'])
    await waitForNodes(service.cluster, ([first]) => first?.models.length === 1)
    expect((await server.list()).map(({ id }) => id)).toEqual(['qwen3:8b'])
  })

  test('is empty where there is no node', async () => {
    await using service = startClusterOf()
    await using server = await startModelsServer(service)
    expect(await server.list()).toEqual([])
  })
})

describe('the details of a model', () => {
  test('combine those of its nodes', async () => {
    const details = { family: 'gemma3' }
    await using older = await startRuntime([
      { name: 'gemma3:4b', modified_at: '2026-02-02T00:00:00Z', details },
    ])
    await using newer = await startRuntime([
      {
        name: 'gemma3:4b',
        size: 3_338_801_804,
        modified_at: '2026-03-03T00:00:00.5+01:00',
        capabilities: ['vision', 'completion'],
        details,
      },
    ])
    await using service = startClusterOf(older, newer)
    await using server = await startModelsServer(service)
    expect(await server.list()).toMatchObject([
      {
        created: Date.parse('2026-02-02T00:00:00Z') / 1000,
        size: 3_338_801_804,
        capabilities: ['completion', 'vision'],
      },
    ])
  })

  test('are only its name where a node returns no more', async () => {
    await using runtime = await startRuntime([
      { name: 'mystery', size: -1, modified_at: '0001-01-01T00:00:00Z' },
    ])
    await using service = startClusterOf(runtime)
    await using server = await startModelsServer(service)
    expect(await server.list()).toMatchObject([
      { id: 'mystery', created: null, size: null, capabilities: [], loaded: false },
    ])
  })
})

describe('right after the start', () => {
  test('the list waits until every node has been probed', async () => {
    const { promise: signal, resolve: letItAnswer } = Promise.withResolvers<void>()
    await using runtime = await startRuntime([{ name: 'gemma3:4b' }], signal)
    await using service = startCluster({ environment: { CLUSTER_NODES: runtime.url }, timeoutMs: 60_000 })
    await using server = await startModelsServer({ ...service, timeoutMs: 20_000 })
    const list = server.list()
    // Responds after the list was requested: without waiting, the list would be empty.
    await fetch(`${server.url}/nothing`)
    letItAnswer()
    expect(await list).toMatchObject([{ id: 'gemma3:4b' }])
  })

  test('the list does not wait for a node that hangs', async () => {
    await using node = await startModelNode({ behaviour: 'hang' })
    await using service = startCluster({ environment: { CLUSTER_NODES: node.url }, timeoutMs: 60_000 })
    await using server = await startModelsServer({ ...service, timeoutMs: 50 })
    expect(await server.list()).toEqual([])
    expect(service.cluster.firstRoundIsDone()).toBe(false)
  })
})
