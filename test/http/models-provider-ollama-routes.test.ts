import { describe, expect, test } from 'vitest'
import { startClusterService, startServiceFor } from '../support/cluster-service.ts'
import { startModelNode } from '../support/model-node.ts'
import { startOllamaProvider } from './models-provider-ollama-support.ts'
import { asks, collect, failing, patient, textOf } from './models-provider-support.ts'
import { startScriptedNode } from './models-scripted-node.ts'

const model = 'gemma3:4b'
const gatewayApiKey = 'tk_of_the_other'
const gatewayList = {
  object: 'list',
  data: [
    {
      id: 'qwen3:8b',
      provider: 'ollama',
      created: 1_777_916_264,
      size: 5,
      capabilities: ['completion'],
      context_length: 40_960,
      loaded: true,
      nodes: ['a'],
    },
    {
      id: 'gone:1b',
      provider: 'ollama',
      created: null,
      size: null,
      capabilities: [],
      loaded: false,
      nodes: [],
    },
    { id: 'gpt-4o-mini', provider: 'openai' },
  ],
}

const startGateway = () =>
  startScriptedNode({
    prefix: '/api/v1',
    apiKey: gatewayApiKey,
    listPath: '/api/v1/models',
    list: gatewayList,
  })

const soon = () => AbortSignal.timeout(40_000)

describe('the route to a model', () => {
  test('is the cluster, then another gateway, then a node: the first that is available', async () => {
    await using node = await startModelNode()
    await using inCluster = await startModelNode()
    const service = await startServiceFor([inCluster])
    await using gateway = await startGateway()
    await using provider = await startOllamaProvider({
      clusterUrl: service.url,
      gatewayUrl: gateway.url,
      gatewayApiKey,
      nodeUrl: node.url,
    })
    const session = { header: 'x-session-id', value: 'chat 7' }
    const ask = async () => textOf(await collect(provider, asks(model, { maxTokens: 2, session })))

    expect(await ask()).toBe('The sky')
    expect(await inCluster.stats()).toMatchObject({
      requests: { '/api/chat': 1 },
      lastWork: { headers: { 'x-session-id': 'chat 7' } },
    })
    expect(await provider.probe(soon())).toEqual({
      state: 'online',
      problem: null,
      responseMs: expect.any(Number),
    })

    await service.close()
    expect(await ask()).toBe('Hello')
    const asked = gateway.requests.filter(({ path }) => path === '/api/v1/chat')
    expect(asked).toHaveLength(1)
    expect(asked[0]?.headers).toMatchObject({
      authorization: `Bearer ${gatewayApiKey}`,
      'x-tutti-gateway': 'ours',
      'x-session-id': 'chat 7',
    })
    expect((await node.stats()).requests['/api/chat']).toBeUndefined()

    await gateway.close()
    expect(await ask()).toBe('The sky')
    const direct = await node.stats()
    expect(direct.requests['/api/chat']).toBe(1)
    // A single node does not use it.
    expect(direct.lastWork?.headers).not.toHaveProperty('x-session-id')
    expect(await provider.probe(soon())).toEqual({
      state: 'degraded',
      problem: expect.stringContaining(`Requests go to the node at ${node.url}.`),
      responseMs: expect.any(Number),
    })

    await node.behave('refuse')
    const { failure } = await failing(provider, asks(model))
    expect(failure).toMatchObject({
      kind: 'unavailable',
      message:
        'No route to the models of the cluster is available: cluster: connection refused; gateway: connection refused; node: connection refused.',
    })
    expect(await provider.probe(soon())).toMatchObject({ state: 'offline', responseMs: null })
  })

  test('is the next one when the cluster has no healthy node, or does not start in time', async () => {
    await using empty = await startClusterService()
    await using hanging = await startModelNode({ behaviour: 'hang' })
    await using node = await startScriptedNode()
    for (const clusterUrl of [empty.url, hanging.url]) {
      await using provider = await startOllamaProvider({
        clusterUrl,
        nodeUrl: node.url,
        limits: { ...patient, firstPartMs: 3000 },
      })
      expect(textOf(await collect(provider, asks(model)))).toBe('Hello')
    }
  })

  test('does not change after an error response', async () => {
    await using other = await startModelNode({ models: ['other:1b'] })
    await using service = await startServiceFor([other])
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({ clusterUrl: service.url, nodeUrl: node.url })
    const { failure } = await failing(provider, asks(model))
    expect(failure.kind).toBe('model_not_found')
    expect(node.requests).toEqual([])
  })

  test('times out when every route does', async () => {
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({
      nodeUrl: node.url,
      limits: { ...patient, firstPartMs: 100 },
    })
    node.script('hang')
    expect((await failing(provider, asks(model))).failure).toMatchObject({
      kind: 'timeout',
      message: expect.stringContaining('node: it did not begin within 0.1 s'),
    })
  })

  test('skips the gateway when a gateway called', async () => {
    await using gateway = await startGateway()
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({
      gatewayUrl: gateway.url,
      gatewayApiKey,
      nodeUrl: node.url,
    })
    await collect(provider, asks(model, { askedByGateway: true }))
    await provider.embed({ model, inputs: ['a'], askedByGateway: true }, soon())
    expect(gateway.requests).toEqual([])
    expect(node.requests.map(({ path }) => path)).toEqual(['/api/chat', '/api/embed'])
  })

  test('ends where a gateway detects a loop', async () => {
    await using gateway = await startGateway()
    await using provider = await startOllamaProvider({ gatewayUrl: gateway.url, gatewayApiKey })
    gateway.script({ status: 508, message: `With ${gatewayApiKey}, RUNTIME_GATEWAY_URL leads back here.` })
    expect((await failing(provider, asks(model))).failure).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining(
        'gateway: it answered with status 508: With [key], RUNTIME_GATEWAY_URL leads back here',
      ),
    })
  })
})

describe('the models', () => {
  const description = {
    capabilities: ['completion', 'vision'],
    model_info: { 'general.architecture': 'gemma3', 'gemma3.context_length': 131_072 },
  }

  test('are those of the cluster, with the details of its nodes', async () => {
    await using node = await startModelNode({ models: ['qwen3:8b', 'nadia/tuned:1'], loaded: ['qwen3:8b'] })
    await using service = await startServiceFor([node])
    const [record] = service.cluster.nodes()
    await using provider = await startOllamaProvider({ clusterUrl: service.url })
    expect(await provider.list()).toEqual([
      {
        id: 'nadia/tuned:1',
        ownedBy: 'nadia',
        created: 1_777_941_464,
        available: true,
        loaded: false,
        nodes: [record?.id],
        size: expect.any(Number),
        capabilities: ['completion'],
        contextLength: null,
        maxOutputTokens: null,
      },
      expect.objectContaining({ id: 'qwen3:8b', ownedBy: 'library', available: true, loaded: true }),
    ])
    await provider.list()
    expect((await node.stats()).requests['/api/show']).toBe(2)
  })

  test('have their context length', async () => {
    await using node = await startScriptedNode({ description })
    await using service = await startServiceFor([node])
    await using provider = await startOllamaProvider({ clusterUrl: service.url })
    expect(await provider.list()).toMatchObject([
      { id: model, capabilities: ['completion', 'vision'], contextLength: 131_072 },
    ])
  })

  test('are those of the node while the cluster is unreachable, besides the known ones', async () => {
    await using inCluster = await startModelNode({ models: ['qwen3:8b'] })
    const service = await startServiceFor([inCluster])
    await using node = await startScriptedNode({ description })
    await using provider = await startOllamaProvider({ clusterUrl: service.url, nodeUrl: node.url })
    expect(await provider.list()).toMatchObject([{ id: 'qwen3:8b', available: true }])
    await service.close()
    expect(await provider.list()).toMatchObject([
      { id: model, available: true, nodes: [], size: 1000, contextLength: 131_072 },
      { id: 'qwen3:8b', available: false, nodes: [], capabilities: ['completion'] },
    ])
    await node.close()
    expect(await provider.list()).toMatchObject([{ id: 'qwen3:8b', available: false }])
  })

  test('are those of the other gateway, of its cluster alone, when that is the next route', async () => {
    await using gateway = await startGateway()
    await using node = await startScriptedNode()
    await using provider = await startOllamaProvider({
      gatewayUrl: gateway.url,
      gatewayApiKey,
      nodeUrl: node.url,
    })
    expect(await provider.list()).toEqual([
      {
        id: 'qwen3:8b',
        ownedBy: 'library',
        created: 1_777_916_264,
        available: true,
        loaded: true,
        nodes: [],
        size: 5,
        capabilities: ['completion'],
        contextLength: 40_960,
        maxOutputTokens: null,
      },
    ])
    await using stranger = await startOllamaProvider({
      gatewayUrl: gateway.url,
      gatewayApiKey: 'wrong',
      nodeUrl: node.url,
    })
    expect(await stranger.list()).toMatchObject([{ id: model }])
  })

  test('are empty without any route', async () => {
    await using provider = await startOllamaProvider({})
    expect(await provider.list()).toEqual([])
  })
})

describe('a probe', () => {
  test('reports a cluster without nodes as unconfigured, unless there is another route', async () => {
    await using service = await startClusterService()
    await using provider = await startOllamaProvider({ clusterUrl: service.url })
    expect(await provider.probe(soon())).toEqual({
      state: 'unconfigured',
      problem: expect.stringContaining('There is no model node.'),
      responseMs: expect.any(Number),
    })
    await using node = await startScriptedNode()
    await using withNode = await startOllamaProvider({ clusterUrl: service.url, nodeUrl: node.url })
    expect(await withNode.probe(soon())).toMatchObject({ state: 'degraded' })
  })

  test('reports a cluster as degraded when not all of its nodes are healthy', async () => {
    await using node = await startModelNode()
    await using other = await startModelNode()
    await using service = await startServiceFor([node, other])
    await other.behave('refuse')
    await using provider = await startOllamaProvider({ clusterUrl: service.url })
    await expect
      .poll(() => provider.probe(soon()))
      .toEqual({ state: 'degraded', problem: '1 of 2 nodes is healthy.', responseMs: expect.any(Number) })
  })

  test('reports a gateway that refuses the key', async () => {
    await using gateway = await startGateway()
    await using provider = await startOllamaProvider({ gatewayUrl: gateway.url, gatewayApiKey: 'wrong' })
    expect(await provider.probe(soon())).toMatchObject({ state: 'offline', responseMs: null })
  })

  test('times out', async () => {
    await using hanging = await startModelNode({ behaviour: 'hang' })
    await using provider = await startOllamaProvider({ clusterUrl: hanging.url })
    expect(await provider.probe(AbortSignal.timeout(50))).toMatchObject({
      state: 'offline',
      responseMs: null,
    })
  })
})
