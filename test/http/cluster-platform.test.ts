import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { NodeRecord } from '#cluster'
import { startCluster, type TestCluster, waitForNodes } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import { type ModelNode, startModelNode } from '../support/model-node.ts'
import { readMessages, until } from './cluster-api-messages.ts'
import { type ClusterApiServer, startClusterApiServer } from './cluster-api-server.ts'

const model = 'gemma3:4b'

let node: ModelNode
let watching: TestCluster
let api: ClusterApiServer
let id: string

beforeAll(async () => {
  node = await startModelNode({ models: [model], loaded: [model] })
  watching = startCluster({ environment: { CLUSTER_NODES: node.url }, timeoutMs: 20_000 })
  api = await startClusterApiServer({ cluster: watching.cluster })
  const [first] = await waitForNodes(watching.cluster, ([only]) => only?.status === 'healthy')
  id = first?.id ?? ''
})

afterAll(async () => {
  await api[Symbol.asyncDispose]()
  await watching[Symbol.asyncDispose]()
  await node[Symbol.asyncDispose]()
})

beforeEach(async () => {
  await watching.cluster.operations.change(id, { weight: 1, draining: false }, null)
  await watching.cluster.operations.setStrategy('least-connections', null)
})

const bodyOf = async <Body = Record<string, unknown>>(answer: Response) => (await answer.json()) as Body
const reading = ['/status', '/nodes', '/nodes/{id}', '/strategy', '/events']
const writing: readonly [method: string, path: string, body?: unknown][] = [
  ['POST', '/nodes', { url: 'http://127.0.0.1:1' }],
  ['PATCH', '/nodes/{id}', { weight: 2 }],
  ['DELETE', '/nodes/{id}'],
  ['PUT', '/strategy', { strategy: 'weighted' }],
]
const pathOf = (path: string) => `/api/cluster${path.replace('{id}', id)}`

describe('access to the cluster API of the platform', () => {
  test.each(reading)('reads %s with the permission for the system, or for the cluster', async (path) => {
    const { operator, watcher, guest } = api.people
    const ask = async (as: Readonly<Record<string, string>>) => {
      const answer = await api.send('GET', pathOf(path), { as })
      await answer.body?.cancel()
      return answer.status
    }
    expect(await ask(operator.headers)).toBe(200)
    expect(await ask(watcher.headers)).toBe(200)
    expect(await ask(guest.headers)).toBe(403)
    expect(await ask({})).toBe(401)
  })

  test.each(writing)('refuses %s %s without the permission for the cluster', async (...call) => {
    const [method, path, body] = call
    for (const as of [api.people.watcher.headers, api.people.guest.headers]) {
      const answer = await api.send(method, pathOf(path), { as, body })
      expect(answer.status).toBe(403)
      expect(await bodyOf(answer)).toMatchObject({ error: { code: 'permission_denied', details: {} } })
    }
    expect((await api.send(method, pathOf(path), { as: {}, body })).status).toBe(401)
    expect(watching.cluster.nodes()).toMatchObject([{ id, weight: 1, status: 'healthy' }])
    expect(watching.cluster.requests.balancer.strategy).toBe('least-connections')
    expect(await api.operations()).toEqual([])
  })

  test('requires the CSRF token of the session for writes', async () => {
    const login = await fetch(`${api.url}/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(api.people.operator.credentials),
    })
    const { csrf_token } = await bodyOf<{ csrf_token: string }>(login)
    const cookie = login.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
    const change = (headers: Record<string, string>) =>
      api.send('PATCH', pathOf('/nodes/{id}'), { as: { cookie, ...headers }, body: { draining: true } })
    const refused = await change({})
    expect(refused.status).toBe(403)
    expect(watching.cluster.nodes()).toMatchObject([{ status: 'healthy' }])
    const accepted = await change({ 'x-csrf-token': csrf_token })
    expect(await bodyOf(accepted)).toMatchObject({ id, status: 'draining' })
  })
})

describe('the cluster API', () => {
  test('responds like the cluster service', async () => {
    const status = await api.send('GET', '/api/cluster/status')
    expect(status.headers.get('cache-control')).toBe('no-store')
    expect(await bodyOf(status)).toMatchObject({
      status: 'healthy',
      counts: { total: 1, healthy: 1 },
      strategy: 'least-connections',
      models: [{ name: model, nodes: [id], loaded_on: [id], available: true }],
      nodes: [{ id, url: node.url, loaded_models: [model], source: 'config' }],
    })
    expect(await bodyOf(await api.send('GET', '/api/cluster/nodes?limit=1'))).toMatchObject({
      nodes: [{ id }],
      total: 1,
    })
    expect(await bodyOf(await api.send('GET', '/api/cluster/nodes?page=2'))).toEqual({
      nodes: [],
      total: 1,
      instance: expect.any(String),
    })
    expect(await bodyOf(await api.send('GET', '/api/cluster/strategy'))).toMatchObject({
      strategy: 'least-connections',
      available: expect.arrayContaining(['weighted', 'round-robin']),
    })
  })

  test('returns the last minutes of a node as measured', async () => {
    const before = await bodyOf<NodeRecord>(await api.send('GET', pathOf('/nodes/{id}')))
    const asked = sum(await readHistory('requests'))
    watching.cluster.requests.begin(
      {
        path: '/api/show',
        headers: ['content-type', 'application/json'],
        body: Buffer.from(JSON.stringify({ model })),
        requirements: { model, modelAsGiven: model },
        caller: 'a test',
        priority: 'normal',
        maxRetries: 0,
        isFromGateway: false,
      },
      () => ({
        whole() {},
        begin() {},
        data: () => true,
        continued() {},
        end() {},
        breakOff() {},
        fail() {},
      }),
    )
    await eventually(async () => (await readHistory('first_byte_ms')).some((ms) => ms !== null))
    expect(sum(await readHistory('requests'))).toBe(asked + 1)
    expect(sum(await readHistory('failures'))).toBe(0)
    expect((await readHistory('probe_ms')).some((ms) => ms !== null && ms > 0)).toBe(true)
    expect(await bodyOf(await api.send('GET', pathOf('/nodes/{id}')))).toMatchObject({
      requests: before.requests + 1,
      history: { slice_seconds: 10, ends_at: expect.stringMatching(/0\.000Z$/) },
    })
  })

  test('stores changes of operators as events, with account and address', async () => {
    const change = (body: unknown) => api.send('PATCH', pathOf('/nodes/{id}'), { body })
    await change({ draining: true })
    await change({ draining: true })
    await change({ weight: 3, draining: false })
    await api.send('PUT', '/api/cluster/strategy', { body: { strategy: 'weighted' } })
    await api.send('PUT', '/api/cluster/strategy', { body: { strategy: 'weighted' } })
    const added = await api.send('POST', '/api/cluster/nodes', {
      body: { url: 'http://127.0.0.1:1', weight: 2 },
    })
    expect(added.status).toBe(201)
    const other = await bodyOf<NodeRecord>(added)
    expect(added.headers.get('location')).toBe(`/api/cluster/nodes/${other.id}`)
    expect((await api.send('DELETE', `/api/cluster/nodes/${other.id}`)).status).toBe(204)

    const by = { by: api.people.operator.id, ip: '127.0.0.1', user_agent: expect.any(String) }
    const told = (await api.operations())
      .slice(-6)
      .map(({ type, subject, data }) => ({ type, subject, data }))
    expect(told).toEqual([
      { type: 'cluster.node_drained', subject: id, data: { name: node.url, ...by } },
      { type: 'cluster.node_weighed', subject: id, data: { name: node.url, from: 1, to: 3, ...by } },
      { type: 'cluster.node_resumed', subject: id, data: { name: node.url, ...by } },
      {
        type: 'cluster.strategy_changed',
        subject: null,
        data: { name: 'weighted', from: 'least-connections', to: 'weighted', ...by },
      },
      {
        type: 'cluster.node_added',
        subject: other.id,
        data: { name: 'http://127.0.0.1:1', weight: 2, ...by },
      },
      { type: 'cluster.node_removed', subject: other.id, data: { name: 'http://127.0.0.1:1', ...by } },
    ])
  })

  test('returns the error of the service, and the error code of the platform beside it', async () => {
    const told = (await api.operations()).length
    const problem = {
      path: 'url',
      message: expect.stringContaining('must start with http://'),
      code: 'invalid',
    }
    const answer = await api.send('POST', '/api/cluster/nodes', { body: { url: 'gpu1' } })
    expect([answer.status, await bodyOf(answer)]).toEqual([
      400,
      {
        error: {
          code: 'invalid_request',
          message: expect.stringContaining('"gpu1"'),
          details: { problems: [problem] },
          problems: [problem],
          request_id: answer.headers.get('x-request-id'),
        },
      },
    ])
    const refusals: readonly [string, string, unknown, number, string][] = [
      ['POST', '/nodes', { url: node.url }, 409, 'conflict'],
      ['PATCH', '/nodes/unknown', { weight: 2 }, 404, 'node_not_found'],
      ['PATCH', '/nodes/{id}', { weight: 0 }, 400, 'invalid_request'],
      ['PATCH', '/nodes/{id}', {}, 400, 'invalid_request'],
      ['DELETE', '/nodes/unknown', undefined, 404, 'node_not_found'],
      ['GET', '/nodes/unknown', undefined, 404, 'node_not_found'],
      ['PUT', '/strategy', { strategy: 'best' }, 400, 'invalid_request'],
      ['GET', '/events?measurements=some', undefined, 400, 'invalid_request'],
      ['POST', '/status', undefined, 405, 'method_not_allowed'],
      ['GET', '/nothing', undefined, 404, 'not_found'],
    ]
    for (const [method, path, body, status, code] of refusals) {
      const refused = await api.send(method, pathOf(path), { body })
      expect([method, path, refused.status, await bodyOf(refused)]).toMatchObject([
        method,
        path,
        status,
        { error: { code, details: {} } },
      ])
    }
    expect(await api.operations()).toHaveLength(told)
  })

  test('streams changes, with measurements on request', async () => {
    const plain = readMessages(await api.send('GET', '/api/cluster/events'))
    const measured = readMessages(await api.send('GET', '/api/cluster/events?measurements=true'))
    expect((await measured.next()).value).toMatchObject({
      event: 'nodes',
      data: { nodes: [{ id }], total: 1 },
    })
    const first = await until(measured, ({ event }) => event === 'measured')
    expect(first.data).toMatchObject({
      strategy: 'least-connections',
      queues: [],
      nodes: [{ id, active_connections: 0, history: { slice_seconds: 10 } }],
    })
    await api.send('PUT', '/api/cluster/strategy', { body: { strategy: 'round-robin' } })
    await until(measured, ({ data }) => data['strategy'] === 'round-robin')
    await api.send('PATCH', pathOf('/nodes/{id}'), { body: { draining: true } })
    await until(measured, ({ data }) => (data['node'] as NodeRecord | undefined)?.status === 'draining')
    // A reader without measurements gets changes alone.
    expect((await plain.next()).value).toMatchObject({ event: 'nodes' })
    expect((await plain.next()).value).toMatchObject({ event: 'node_changed' })
    await plain.return()
    await measured.return()
  })

  test('works without a database, which only the events need', async () => {
    await using broken = await startClusterApiServer({ cluster: watching.cluster })
    const { headers } = broken.people.operator
    // Cached from here on, so that authentication needs no database.
    expect((await broken.send('GET', '/api/cluster/status', { as: headers })).status).toBe(200)
    await broken.events.close()
    const answer = await broken.send('PATCH', pathOf('/nodes/{id}'), {
      as: headers,
      body: { draining: true },
    })
    expect(answer.status).toBe(200)
    expect(watching.cluster.nodes()).toMatchObject([{ status: 'draining' }])
  })
})

async function readHistory(field: string): Promise<readonly (number | null)[]> {
  const { history } = await bodyOf<{ history: Record<string, (number | null)[]> }>(
    await api.send('GET', pathOf('/nodes/{id}')),
  )
  return history[field] ?? []
}

const sum = (values: readonly (number | null)[]) =>
  values.reduce<number>((total, value) => total + (value ?? 0), 0)
