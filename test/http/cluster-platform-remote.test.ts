import { once } from 'node:events'
import { createServer, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, test } from 'vitest'
import type { NodeRecord } from '#cluster'
import { startClusterService, startServiceFor } from '../support/cluster-service.ts'
import { findFreePort } from '../support/free-port.ts'
import { startModelNode } from '../support/model-node.ts'
import { readMessages, until } from './cluster-api-messages.ts'
import { startClusterApiServer } from './cluster-api-server.ts'

const bodyOf = async <Body = Record<string, unknown>>(answer: Response) => (await answer.json()) as Body

/** A fake server in place of a cluster service. */
async function startImpostor(answer: RequestListener) {
  const server = createServer(answer)
  server.listen(0, '127.0.0.1')
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

describe('a remote cluster service', () => {
  test('is monitored and changed like a local one, and gets its key', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node], { CLUSTER_API_KEY: 'correct horse battery' })
    await using api = await startClusterApiServer({ cluster: service.url, apiKey: 'correct horse battery' })
    const [record] = service.cluster.nodes()
    const path = `/api/cluster/nodes/${record?.id}`

    expect(await bodyOf(await api.send('GET', '/api/cluster/status'))).toMatchObject({
      status: 'healthy',
      nodes: [{ id: record?.id, url: node.url }],
    })
    expect(await bodyOf(await api.send('GET', '/api/cluster/nodes?limit=1&page=2'))).toEqual({
      nodes: [],
      total: 1,
      instance: expect.any(String),
    })
    expect(await bodyOf(await api.send('GET', path))).toMatchObject({ history: { slice_seconds: 10 } })
    const changed = await api.send('PATCH', path, { body: { draining: true, weight: 5 } })
    expect(await bodyOf(changed)).toMatchObject({ status: 'draining', weight: 5 })
    expect(service.cluster.nodes()).toMatchObject([{ status: 'draining', weight: 5 }])
    expect(
      await bodyOf(await api.send('PUT', '/api/cluster/strategy', { body: { strategy: 'weighted' } })),
    ).toEqual({ strategy: 'weighted' })
    expect(service.cluster.requests.balancer.strategy).toBe('weighted')
    expect((await api.send('DELETE', path)).status).toBe(204)
    expect(service.cluster.nodes()).toEqual([])
    const added = await api.send('POST', '/api/cluster/nodes', { body: { url: node.url, weight: 2 } })
    expect([added.status, await bodyOf(added)]).toMatchObject([201, { id: record?.id, weight: 2 }])

    expect((await api.operations()).map(({ type, data }) => [type, data['by']])).toEqual(
      ['node_weighed', 'node_drained', 'strategy_changed', 'node_removed', 'node_added'].map((type) => [
        `cluster.${type}`,
        api.people.operator.id,
      ]),
    )
  })

  test('has its errors passed on', async () => {
    await using node = await startModelNode()
    await using service = await startServiceFor([node])
    await using api = await startClusterApiServer({ cluster: service.url })
    const twice = await api.send('POST', '/api/cluster/nodes', { body: { url: node.url } })
    expect([twice.status, await bodyOf(twice)]).toMatchObject([
      409,
      { error: { code: 'conflict', details: { id: service.cluster.nodes()[0]?.id } } },
    ])
    const wrong = await api.send('POST', '/api/cluster/nodes', { body: { url: 'gpu1' } })
    expect([wrong.status, await bodyOf(wrong)]).toMatchObject([
      400,
      {
        error: {
          code: 'invalid_request',
          problems: [{ path: 'url' }],
          details: { problems: [{ path: 'url' }] },
        },
      },
    ])
    const unknownNode = await api.send('PATCH', '/api/cluster/nodes/unknown', { body: { weight: 2 } })
    expect([unknownNode.status, await bodyOf(unknownNode)]).toMatchObject([
      404,
      { error: { code: 'node_not_found' } },
    ])
    expect(await api.operations()).toEqual([])
  })

  test('has its events passed on until it stops, and again when it is back', async () => {
    await using node = await startModelNode()
    const CLUSTER_PORT = String(await findFreePort())
    const first = await startServiceFor([node], { CLUSTER_PORT })
    await using api = await startClusterApiServer({ cluster: first.url })
    const messages = readMessages(await api.send('GET', '/api/cluster/events?measurements=true'))
    expect((await messages.next()).value).toMatchObject({ event: 'nodes', data: { total: 1 } })
    await until(messages, ({ event }) => event === 'measured')
    await first.cluster.operations.change(first.cluster.nodes()[0]?.id ?? '', { draining: true }, null)
    await until(messages, ({ data }) => (data['node'] as NodeRecord | undefined)?.status === 'draining')

    await first.close()
    await expect(until(messages, () => false)).rejects.toThrow('the stream ended')
    const refused = await api.send('GET', '/api/cluster/events')
    expect([refused.status, await bodyOf(refused)]).toMatchObject([
      503,
      { error: { code: 'cluster_unreachable', message: expect.stringContaining('connection refused') } },
    ])

    await using second = await startClusterService({ environment: { CLUSTER_PORT, CLUSTER_NODES: node.url } })
    const again = readMessages(await api.send('GET', '/api/cluster/events'))
    expect((await again.next()).value).toMatchObject({ event: 'nodes', data: { total: 1 } })
    await again.return()
    expect(second.url).toBe(first.url)
  })

  test('is no longer followed when the last reader leaves', async () => {
    const { promise: followed, resolve } = Promise.withResolvers<ServerResponse>()
    await using service = await startImpostor((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' }).write('event: nodes\ndata: {}\n\n')
      resolve(response)
    })
    await using api = await startClusterApiServer({ cluster: service.url })
    const messages = readMessages(await api.send('GET', '/api/cluster/events'))
    expect((await messages.next()).value).toEqual({ event: 'nodes', data: {} })
    const response = await followed
    const left = once(response, 'close')
    expect(response.destroyed).toBe(false)
    await messages.return()
    await left
  })

  test('that is down is reported as unreachable on every route', async () => {
    const url = `http://127.0.0.1:${await findFreePort()}`
    await using api = await startClusterApiServer({ cluster: url })
    const calls: readonly [string, string, unknown][] = [
      ['GET', '/status', undefined],
      ['GET', '/nodes', undefined],
      ['GET', '/nodes/some', undefined],
      ['GET', '/strategy', undefined],
      ['GET', '/events', undefined],
      ['POST', '/nodes', { url: 'http://gpu1' }],
      ['PATCH', '/nodes/some', { weight: 2 }],
      ['DELETE', '/nodes/some', undefined],
      ['PUT', '/strategy', { strategy: 'weighted' }],
    ]
    for (const [method, path, body] of calls) {
      const answer = await api.send(method, `/api/cluster${path}`, { body })
      expect([method, path, answer.status, answer.headers.get('retry-after')]).toEqual([
        method,
        path,
        503,
        '2',
      ])
      expect(await bodyOf(answer)).toMatchObject({
        error: {
          code: 'cluster_unreachable',
          message: `The cluster service at ${url} cannot be reached: connection refused.`,
        },
      })
    }
    expect(await api.operations()).toEqual([])
  })

  test('that never responds times out', async () => {
    await using silent = await startImpostor(() => undefined)
    await using api = await startClusterApiServer({ cluster: silent.url, timeoutMs: 200 })
    for (const path of ['/status', '/events']) {
      const answer = await api.send('GET', `/api/cluster${path}`)
      expect([answer.status, await bodyOf(answer)]).toMatchObject([
        503,
        {
          error: {
            code: 'cluster_unreachable',
            message: expect.stringContaining('no response within 0.2 s'),
          },
        },
      ])
    }
  })

  test('that wants another key is a server error, and never signs the caller out', async () => {
    await using service = await startClusterService({
      environment: { CLUSTER_API_KEY: 'correct horse battery' },
    })
    for (const apiKey of [undefined, 'another horse battery']) {
      await using api = await startClusterApiServer({
        cluster: service.url,
        ...(apiKey !== undefined && { apiKey }),
      })
      for (const path of ['/status', '/events']) {
        const answer = await api.send('GET', `/api/cluster${path}`)
        expect([answer.status, await bodyOf(answer)]).toMatchObject([
          502,
          { error: { code: 'cluster_unusable', message: expect.stringContaining('CLUSTER_API_KEY') } },
        ])
      }
    }
  })

  const impostors: readonly [string, RequestListener, string][] = [
    [
      'a page',
      (_request, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<title>Router'),
      'unknown format',
    ],
    ['other JSON', (_request, response) => response.writeHead(200).end('{"nodes":[]}'), 'unknown format'],
    ['an empty error', (_request, response) => response.writeHead(500).end(), 'status 500'],
    [
      'a redirect',
      (_request, response) => response.writeHead(302, { location: 'http://elsewhere' }).end(),
      'status 302',
    ],
    [
      'a service without such a path',
      (_request, response) =>
        response.writeHead(404).end('{"error":{"code":"not_found","message":"Nothing.","details":{}}}'),
      'another version',
    ],
    [
      'a service that refuses us',
      (_request, response) =>
        response.writeHead(403).end('{"error":{"code":"permission_denied","message":"only as localhost"}}'),
      'only as localhost',
    ],
  ]
  test.each(impostors)('that turns out to be %s is reported as such', async (_name, listener, words) => {
    await using impostor = await startImpostor(listener)
    await using api = await startClusterApiServer({ cluster: impostor.url })
    const answer = await api.send('GET', '/api/cluster/status')
    expect([answer.status, await bodyOf(answer)]).toMatchObject([
      502,
      { error: { code: 'cluster_unusable', message: expect.stringContaining(words), details: {} } },
    ])
    expect((await api.send('GET', '/api/cluster/events')).status).toBe(502)
  })
})
