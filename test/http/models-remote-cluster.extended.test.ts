import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { startClusterService, waitForStatus } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/free-port.ts'
import { startModelNode } from '../support/model-node.ts'
import { startModelsServer } from './models-server.ts'

/** A fake server in place of the cluster service. */
async function startStranger(
  answer: RequestListener,
): Promise<{ readonly url: string; readonly asked: readonly string[] } & AsyncDisposable> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const nothingKnown = JSON.stringify({ models: [], nodes: [] })

describe('the models of a remote cluster service', () => {
  test('are listed like local ones', async () => {
    await using node = await startModelNode({ models: ['qwen3:8b', 'gemma3:4b'], loaded: ['qwen3:8b'] })
    await using service = await startClusterService({ environment: { CLUSTER_NODES: node.url } })
    const { id } = await waitForStatus(service.cluster, 'healthy')
    await using own = await startModelsServer(service)
    await using server = await startModelsServer({ cluster: service.url })
    const list = await server.list()
    expect(list).toMatchObject([
      { id: 'gemma3:4b', loaded: false, nodes: [id] },
      { id: 'qwen3:8b', loaded: true, nodes: [id] },
    ])
    expect(list).toEqual(await own.list())
  })

  test('require the key of the service', async () => {
    await using node = await startModelNode()
    const environment = { CLUSTER_NODES: node.url, CLUSTER_API_KEY: 'correct horse battery' }
    await using service = await startClusterService({ environment })
    await waitForStatus(service.cluster, 'healthy')
    await using holder = await startModelsServer({
      cluster: service.url,
      clusterApiKey: 'correct horse battery',
    })
    expect(await holder.list()).toMatchObject([{ id: 'gemma3:4b' }])
    await using stranger = await startModelsServer({ cluster: service.url })
    expect(await stranger.list()).toEqual([])
    expect(stranger.logged).toMatchObject([expect.stringContaining('CLUSTER_API_KEY')])
  })

  test('stay listed, without nodes, while the service is unreachable', async () => {
    await using node = await startModelNode({ loaded: ['gemma3:4b'] })
    const environment = { CLUSTER_NODES: node.url, CLUSTER_PORT: String(await findFreePort()) }
    const service = await startClusterService({ environment })
    await waitForStatus(service.cluster, 'healthy')
    await using server = await startModelsServer({ cluster: service.url })
    const [before] = await server.list()
    expect(before).toMatchObject({ loaded: true, nodes: [expect.any(String)] })

    await service.close()
    const away = [{ ...before, state: 'unavailable', loaded: false, nodes: [] }]
    expect(await server.list()).toEqual(away)
    expect(await server.list()).toEqual(away)

    await using again = await startClusterService({ environment })
    await waitForStatus(again.cluster, 'healthy')
    expect(await server.list()).toEqual([before])
    expect(server.logged.map((line) => (JSON.parse(line) as { level: string; msg: string }).msg)).toEqual([
      'the cluster service did not return its models',
      'the cluster service is reachable again',
    ])
  })

  test('are requested once for concurrent callers, and again when the response is old', async () => {
    await using stranger = await startStranger((_request, response) => {
      response.end(nothingKnown)
    })
    await using server = await startModelsServer({ cluster: stranger.url, freshMs: 60_000 })
    await Promise.all(Array.from({ length: 20 }, () => server.list()))
    await server.list()
    expect(stranger.asked).toEqual(['/api/cluster/status'])

    await using impatient = await startModelsServer({ cluster: stranger.url, freshMs: 20 })
    await eventually(async () => {
      await impatient.list()
      return stranger.asked.length >= 3
    })
  })

  test('may come from a service with fewer fields', async () => {
    const models = [{ name: 'gemma3:4b', size: null, nodes: ['a', 'b'], loaded_on: ['b'] }]
    const nodes = [
      { id: 'a', status: 'healthy' },
      { id: 'b', status: 'unhealthy' },
    ]
    await using earlier = await startStranger((_request, response) => {
      response.end(JSON.stringify({ models, nodes }))
    })
    await using server = await startModelsServer({ cluster: earlier.url })
    expect(await server.list()).toEqual([
      {
        id: 'gemma3:4b',
        object: 'model',
        created: null,
        owned_by: 'library',
        provider: 'ollama',
        state: 'available',
        loaded: false,
        nodes: ['a'],
        size: null,
        capabilities: [],
        context_length: null,
        max_output_tokens: null,
        pricing: expect.objectContaining({ source: 'free', input: 0 }),
      },
    ])
  })
})

describe('a failing cluster service gives an empty list:', () => {
  test('it is unreachable', async () => {
    const port = await findFreePort()
    await using server = await startModelsServer({ cluster: `http://127.0.0.1:${port}` })
    expect(await server.list()).toEqual([])
  })

  test.each<[string, RequestListener]>([
    ['it answers an error', (_request, response) => response.writeHead(500).end(nothingKnown)],
    ['it answers a page', (_request, response) => response.end('<!doctype html><title>Router</title>')],
    [
      'it answers something else',
      (_request, response) => response.end('{"models":[{"name":"gemma3:4b"}],"nodes":[]}'),
    ],
    [
      'it sends us elsewhere',
      (request, response) =>
        request.url === '/elsewhere'
          ? response.end('{"models":[{"name":"x","size":1,"nodes":[],"loaded_on":[]}],"nodes":[]}')
          : response.writeHead(307, { location: '/elsewhere' }).end(),
    ],
    ['it closes the connection', (request) => request.socket.destroy()],
    [
      'it stops in the middle',
      (_request, response) => {
        response.writeHead(200, { 'content-length': '100' }).write('{"models":[', () => response.destroy())
      },
    ],
  ])('%s', async (_name, answer) => {
    await using stranger = await startStranger(answer)
    await using server = await startModelsServer({ cluster: stranger.url, timeoutMs: 10_000 })
    expect(await server.list()).toEqual([])
    expect(stranger.asked).toEqual(['/api/cluster/status'])
  })

  test('its response never ends', async () => {
    const filling = Buffer.alloc(1024 * 1024, ' ')
    await using stranger = await startStranger((_request, response) => {
      const more = () => {
        if (!response.destroyed) response.write(filling, more)
      }
      more()
    })
    await using server = await startModelsServer({ cluster: stranger.url, timeoutMs: 600_000 })
    expect(await server.list()).toEqual([])
  })

  test('it hangs, and only the first caller waits', async () => {
    await using stranger = await startStranger(() => undefined)
    await using server = await startModelsServer({ cluster: stranger.url, timeoutMs: 2000, freshMs: 60_000 })
    expect(await server.list()).toEqual([])
    // None if the request did not arrive before the timeout.
    const asked = stranger.asked.length
    expect(await server.list()).toEqual([])
    expect(stranger.asked).toHaveLength(asked)
  })

  test('it starts to respond and then hangs', async () => {
    await using stranger = await startStranger((_request, response) => {
      response.writeHead(200).write('{"models":[')
    })
    await using server = await startModelsServer({ cluster: stranger.url, timeoutMs: 100 })
    expect(await server.list()).toEqual([])
  })
})

test('closing does not wait for a service that hangs', async () => {
  const { promise: reached, resolve } = Promise.withResolvers<void>()
  await using stranger = await startStranger(() => resolve())
  const server = await startModelsServer({ cluster: stranger.url, timeoutMs: 600_000 })
  const asking = server.list().catch(() => undefined)
  await reached
  await server[Symbol.asyncDispose]()
  await asking
})
