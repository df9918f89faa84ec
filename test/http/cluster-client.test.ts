import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import { createModelClient, type ModelClient, type ModelRoute, NoRouteLeft } from '#cluster'
import { startClusterService, startServiceFor, waitForStatus } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { findFreePort } from '../support/free-port.ts'
import { startModelNode } from '../support/model-node.ts'

const model = 'gemma3:4b'

async function ask(client: ModelClient): Promise<[string, number, string]> {
  const { route, status, body } = await client.send('generate', { model, stream: false })
  let text = ''
  for await (const chunk of body) text += String(chunk)
  return [route.kind, status, text]
}

const clientFor = (routes: readonly ModelRoute[], firstByteMs = 10_000) =>
  createModelClient({ routes, firstByteMs })

/** A fake server at the end of a route. */
async function startStranger(answer: RequestListener): Promise<{ readonly url: string } & AsyncDisposable> {
  const server = createServer(answer).listen(0, '127.0.0.1')
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

describe('the cluster client of the platform', () => {
  test('calls the cluster, with its key', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], { CLUSTER_API_KEY: 'correct horse battery' })
    await using client = clientFor([
      { kind: 'cluster', url: service.url, apiKey: 'correct horse battery' },
      { kind: 'node', url: node.url },
    ])
    expect(await ask(client)).toEqual(['cluster', 200, expect.stringContaining('sky')])
    expect((await node.stats()).lastWork?.headers).toHaveProperty('via')
  })

  test('calls a node directly when the cluster is unreachable, has no healthy node or does not start in time', async () => {
    await using node = await startModelNode()
    await using empty = await startClusterService()
    await using hanging = await startModelNode({ behaviour: 'hang' })
    const anonymousPrincipal = `http://localhost:${await findFreePort()}`
    for (const url of [anonymousPrincipal, empty.url, hanging.url]) {
      await using client = clientFor(
        [
          { kind: 'cluster', url },
          { kind: 'node', url: node.url },
        ],
        2000,
      )
      expect(await ask(client)).toEqual(['node', 200, expect.stringContaining('sky')])
    }
  })

  test('calls the gateway by its own path', async () => {
    await using gateway = await startModelNode()
    await using client = clientFor([{ kind: 'gateway', url: gateway.url }])
    // A node in place of the gateway: its 404 is a response.
    expect(await ask(client)).toEqual(['gateway', 404, '404 page not found'])
    expect((await gateway.stats()).requests['/api/v1/generate']).toBe(1)
  })

  test('requests embeddings and model details, which a gateway does not support', async () => {
    await using node = await startModelNode()
    await using gateway = await startModelNode()
    await using client = clientFor([
      { kind: 'gateway', url: gateway.url },
      { kind: 'node', url: node.url },
    ])
    const { route, body } = await client.send('show', { model })
    expect(route.kind).toBe('node')
    expect(await body.json()).toMatchObject({ capabilities: ['completion'] })
    const embedded = await client.send('embed', { model, input: 'a' }, { passOver: ['gateway'] })
    expect(await embedded.body.json()).toMatchObject({
      embeddings: [[expect.any(Number), -0.0017594862, 0.05007221]],
    })
    expect((await gateway.stats()).requests).toEqual({})
  })

  test('sends the headers a route requires', async () => {
    await using node = await startModelNode()
    await using client = clientFor([{ kind: 'node', url: node.url, headers: { 'x-from': 'here' } }])
    await ask(client)
    expect((await node.stats()).lastWork?.headers).toMatchObject({ 'x-from': 'here' })
  })

  test('returns a request error as the response', async () => {
    await using node = await startModelNode({ models: ['other:1b'] })
    await using service = await startServiceFor([node])
    await using client = clientFor([
      { kind: 'cluster', url: service.url },
      { kind: 'node', url: node.url },
    ])
    expect(await ask(client)).toEqual(['cluster', 404, expect.stringContaining('not found')])
    expect((await node.stats()).lastWork).toBeUndefined()
  })

  test('reports for every route why it failed', async () => {
    await using empty = await startClusterService()
    const anonymousPrincipal = `http://localhost:${await findFreePort()}`
    await using client = clientFor([
      { kind: 'cluster', url: empty.url },
      { kind: 'node', url: anonymousPrincipal },
    ])
    const failure = await ask(client).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(NoRouteLeft)
    expect(String(failure)).toContain(
      `cluster ${empty.url}: it answered with status 503: There is no healthy node; node ${anonymousPrincipal}: connection refused`,
    )
    expect((failure as NoRouteLeft).failures).toMatchObject([
      { kind: 'cluster', reason: 'unavailable' },
      { kind: 'node', reason: 'unreachable' },
    ])
    await using nowhere = clientFor([])
    await expect(ask(nowhere)).rejects.toThrow('there is no route to a model')
  })

  test('reports a timeout and a Retry-After of a route', async () => {
    await using hanging = await startModelNode({ behaviour: 'hang' })
    await using busy = await startStranger((_request, response) =>
      response.writeHead(503, { 'retry-after': '7' }).end(),
    )
    await using slow = await startStranger((_request, response) => response.writeHead(504).end())
    await using client = clientFor(
      [
        { kind: 'cluster', url: hanging.url },
        { kind: 'gateway', url: busy.url },
        { kind: 'node', url: slow.url },
      ],
      2000,
    )
    const failure = await ask(client).catch((error: unknown) => error)
    expect((failure as NoRouteLeft).failures).toMatchObject([
      { reason: 'late', message: 'it did not begin within 2 s' },
      { reason: 'unavailable', retryAfter: '7' },
      { reason: 'late' },
    ])
  })

  test('aborts with its caller: no other route is tried', async () => {
    await using node = await startModelNode({ behaviour: 'work_hang' })
    await using other = await startModelNode()
    await using service = await startServiceFor([node])
    await using client = clientFor([
      { kind: 'cluster', url: service.url },
      { kind: 'node', url: other.url },
    ])
    const leaving = new AbortController()
    const asked = client.send('chat', { model }, { signal: leaving.signal }).catch((error: unknown) => error)
    await eventually(async () => (await node.stats()).working > 0)
    leaving.abort()
    expect(await asked).toBeInstanceOf(Error)
    await eventually(async () => (await node.stats()).working === 0)
    expect((await other.stats()).lastWork).toBeUndefined()
  })
})

describe('the models behind the cluster', () => {
  test('are those of the first other route that lists them', async () => {
    await using node = await startModelNode({ models: ['b:1', 'a:1'], loaded: ['b:1'] })
    await using page = await startStranger((_request, response) => response.end('<h1>Hello</h1>'))
    await using service = await startServiceFor([node])
    await using client = clientFor([
      { kind: 'cluster', url: service.url },
      { kind: 'gateway', url: page.url },
      { kind: 'node', url: node.url },
    ])
    expect(await client.modelsBehindCluster()).toEqual([
      expect.objectContaining({
        name: 'a:1',
        loaded: false,
        contextLength: null,
        modifiedAt: expect.any(Date),
      }),
      expect.objectContaining({ name: 'b:1', loaded: true, size: expect.any(Number) }),
    ])
    await node.behave('refuse')
    expect(await client.modelsBehindCluster()).toBeUndefined()
  })

  test.each<[string, RequestListener]>([
    ['an error', (_request, response) => response.writeHead(500).end('{}')],
    ['something else', (_request, response) => response.end('{"data":[{"name":"a"}]}')],
    [
      'a name that would clear a terminal',
      (_request, response) => response.end('{"data":[{"id":"\\u001b[2J","provider":"ollama"}]}'),
    ],
    ['nothing', (request) => request.socket.destroy()],
    ['nothing, ever', () => undefined],
    [
      'without end',
      (_request, response) => {
        const more = () => void (response.destroyed || response.write(Buffer.alloc(1_000_000, ' '), more))
        more()
      },
    ],
  ])('are not listed by a gateway that responds %s', async (_what, answer) => {
    await using gateway = await startStranger(answer)
    const routes = [{ kind: 'gateway', url: gateway.url }] as const
    await using client = createModelClient({ routes, firstByteMs: 1000, probeMs: 300 })
    expect(await client.modelsBehindCluster()).toBeUndefined()
  })
})

describe('a probe of the routes', () => {
  test('reports the state of each', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    await using empty = await startClusterService()
    await using page = await startStranger((_request, response) => response.end('<h1>Hello</h1>'))
    await using locked = await startStranger((_request, response) => response.writeHead(401).end('{}'))
    await using client = clientFor([
      { kind: 'cluster', url: service.url },
      { kind: 'cluster', url: empty.url },
      { kind: 'cluster', url: page.url },
      { kind: 'gateway', url: locked.url },
      { kind: 'node', url: node.url },
      { kind: 'node', url: page.url },
    ])
    const responseMs = expect.any(Number)
    expect(await client.probe()).toMatchObject([
      { kind: 'cluster', url: service.url, state: 'online', problem: null, responseMs },
      { state: 'empty', problem: expect.stringContaining('There is no model node.'), responseMs },
      { state: 'offline', problem: 'it did not return JSON', responseMs: null },
      { state: 'offline', problem: 'it does not accept our key', responseMs: null },
      { state: 'online', problem: null, responseMs },
      { state: 'offline', problem: '/api/tags did not return JSON', responseMs: null },
    ])
    await node.behave('refuse')
    await waitForStatus(service.cluster, 'unhealthy')
    expect(await client.probe()).toMatchObject([
      { state: 'offline', problem: 'The only node is not healthy.', responseMs },
      { state: 'empty' },
      { state: 'offline' },
      { state: 'offline' },
      { state: 'offline', problem: 'connection refused' },
      { state: 'offline' },
    ])
  })
})
