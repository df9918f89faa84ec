import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startServiceFor, type TestClusterService } from '../support/cluster-service.ts'
import { eventually } from '../support/eventually.ts'
import {
  admin,
  type CallersSetting,
  clusterKey,
  makeKey,
  model,
  nadia,
  openCallersSetting,
  placesOfAccounts,
  quick,
  type Served,
} from './cluster-callers-setting.ts'
import { bearer, browser, call, login } from './identity-calls.ts'
import { basic, freshAddress, openSession } from './identity-server.ts'
import { addPerson, getClientToken, registerClient, tokensOf } from './oauth-support.ts'

/** The status of using models, and of reading nodes. */
const use = (status: number) => ({
  generate: status,
  completions: status,
  optimal: status,
  execute: status,
})
const see = (status: number) => ({ tags: status, models: status, status, nodes: status })

let setting: CallersSetting

beforeAll(async () => {
  setting = await openCallersSetting()
})
afterAll(() => setting[Symbol.asyncDispose]())

describe.each(placesOfAccounts)('accounts of a platform %s', (_where, serve) => {
  let served: Served
  let service: TestClusterService

  beforeAll(async () => {
    served = await serve(setting)
    service = served.service
  })
  afterAll(() => served[Symbol.asyncDispose]())

  type Headers = Readonly<Record<string, string>>
  const generate = (headers: Headers) => service.post('/api/generate', quick, { headers })
  const statusesFor = async (headers: Headers) => {
    const ask = async (path: string, body?: unknown, method = 'POST') =>
      (body === undefined
        ? await service.get(path, headers)
        : await service.post(path, body, { headers, method })
      ).status
    return {
      generate: await ask('/api/generate', quick),
      completions: await ask('/v1/chat/completions', { model, messages: [] }),
      optimal: await ask('/api/cluster/optimal', { model }),
      execute: await ask('/api/cluster/execute', { operation: 'generate', request: { model } }),
      tags: await ask('/api/tags'),
      models: await ask('/v1/models'),
      status: await ask('/api/cluster/status'),
      nodes: await ask('/api/cluster/nodes'),
      strategy: await ask('/api/cluster/strategy', { strategy: 'round-robin' }, 'PUT'),
      // Invalid on purpose: only a permitted caller gets the validation error.
      addNode: await ask('/api/cluster/nodes', { url: 'no address' }),
    }
  }
  const credentials: readonly [string, () => Promise<Headers>][] = [
    ['an API key', async () => bearer(setting.keys.nadia)],
    ['the same in X-API-Key', async () => ({ 'x-api-key': setting.keys.nadia })],
    ['a password', async () => basic(nadia.username, nadia.password)],
    ['an access token', async () => bearer((await login(setting.identity, nadia)).token)],
  ]
  test.each(credentials)('use models and read nodes with %s, and change nothing', async (_name, headers) => {
    expect(await statusesFor(await headers())).toEqual({
      ...use(200),
      ...see(200),
      strategy: 403,
      addNode: 403,
    })
  })

  test('with the permission change nodes as well', async () => {
    const can = { ...use(200), ...see(200), strategy: 200, addNode: 400 }
    expect(await statusesFor(bearer(setting.keys.admin))).toEqual(can)
    expect(await statusesFor(bearer(clusterKey))).toEqual(can)
  })

  test('are limited to the scopes of their credential', async () => {
    const closed = { strategy: 403, addNode: 403 }
    const reads = await makeKey(setting.identity, nadia, ['models.read'])
    expect(await statusesFor(bearer(reads))).toEqual({ ...use(403), ...see(200), ...closed })
    const generates = await makeKey(setting.identity, nadia, ['models.generate'])
    expect(await statusesFor(bearer(generates))).toEqual({ ...use(200), ...see(403), ...closed })
    const ofAdmin = await makeKey(setting.identity, admin, ['models.read', 'workflows.manage'])
    expect(await statusesFor(bearer(ofAdmin))).toEqual({ ...use(403), ...see(200), ...closed })
    const refused = await generate(bearer(reads))
    expect(await refused.json()).toEqual({ error: 'This credential lacks the scope "models.generate".' })
  })

  test('are limited to the scopes of the application that acts for them', async () => {
    const client = await registerClient(setting.identity, await addPerson(setting.identity))
    const tokenFor = async (scope: string) =>
      (await tokensOf(await getClientToken(setting.identity, client, { scope }))).access_token
    expect((await generate(bearer(await tokenFor('models.generate')))).status).toBe(200)
    expect((await generate(bearer(await tokenFor('models.read')))).status).toBe(403)
  })

  test.each([
    ['nothing', {}],
    ['an unknown key', bearer(`tk_${'x'.repeat(40)}`)],
    ['another in X-API-Key', { 'x-api-key': 'sesame' }],
    ['a forged token', bearer('a.b.c')],
    ['a scheme of its own', { authorization: 'Negotiate abc' }],
    ['a wrong key in front of a right one', { ...bearer('sesame'), 'x-api-key': clusterKey }],
  ])('are rejected with %s', async (_name, headers) => {
    const before = (await setting.node.stats()).requests['/api/generate'] ?? 0
    expect(await statusesFor(headers)).toEqual({ ...use(401), ...see(401), strategy: 401, addNode: 401 })
    expect((await setting.node.stats()).requests['/api/generate'] ?? 0).toBe(before)
    const native = await generate(headers)
    expect(native.headers.get('www-authenticate')).toContain('Bearer')
    expect(await native.json()).toEqual({ error: expect.any(String) })
    const compatible = await service.post('/v1/chat/completions', { model, messages: [] }, { headers })
    expect(await compatible.json()).toMatchObject({ error: { type: 'authentication_error' } })
    const own = await service.get('/api/cluster/nodes', headers)
    expect(await own.json()).toMatchObject({ error: { code: expect.any(String), details: {} } })
  })

  test('are rejected with a wrong password, and further guesses are limited by address', async () => {
    let name = randomUUID()
    const guess = (password: string, address: string) =>
      generate({ ...basic(name, password), 'x-forwarded-for': address })
    const address = freshAddress()
    expect((await guess('one', address)).status).toBe(401)
    const statuses: number[] = []
    for (let count = 0; count < 12; count += 1) statuses.push((await guess(`${count}`, address)).status)
    expect(statuses.at(-1)).toBe(429)
    const held = await guess('and again', address)
    expect(held.headers.get('retry-after')).toMatch(/^\d+$/)
    name = randomUUID()
    expect((await guess('two', freshAddress())).status).toBe(401)
  })

  test('never expose their credentials to nodes, at the first request and later', async () => {
    for (const headers of [
      bearer(await makeKey(setting.identity, nadia)),
      { 'x-api-key': await makeKey(setting.identity, nadia) },
    ]) {
      for (let time = 1; time <= 2; time += 1) {
        const cookies = { cookie: 'SESS=abc; theme=dark' }
        expect((await generate({ ...headers, ...cookies })).status).toBe(200)
        const received = Object.keys((await setting.node.stats()).lastWork?.headers ?? {})
        expect(received).toContain('content-type')
        expect(received).not.toEqual(
          expect.arrayContaining([expect.stringMatching(/authorization|api-key|cookie/)]),
        )
      }
    }
  })

  test('lose access soon after their key is revoked', async () => {
    const { body } = await call<{ id: string; key: string }>(setting.identity, 'POST /api/v1/api-keys', {
      as: bearer(setting.keys.nadia),
      body: { name: 'short-lived' },
    })
    expect((await generate(bearer(body.key))).status).toBe(200)
    await call(setting.identity, `DELETE /api/v1/api-keys/${body.id}`, { as: bearer(setting.keys.nadia) })
    await eventually(async () => (await generate(bearer(body.key))).status === 401, 100)
  })

  test('stream the first request and later ones, and a late body is read', async () => {
    const headers = bearer(await makeKey(setting.identity, nadia))
    for (let time = 1; time <= 2; time += 1) {
      const body = new ReadableStream({
        async start(controller) {
          const text = new TextEncoder().encode(JSON.stringify({ model, options: { num_predict: 3 } }))
          controller.enqueue(text.slice(0, 8))
          await new Promise((resolve) => setTimeout(resolve, 30))
          controller.enqueue(text.slice(8))
          controller.close()
        },
      })
      const answer = await fetch(`${service.url}/api/generate`, {
        method: 'POST',
        headers,
        body,
        duplex: 'half',
      })
      expect(answer.status).toBe(200)
      expect((await answer.text()).trimEnd().split('\n')).toHaveLength(4)
    }
  })

  test('get the same request errors as other callers', async () => {
    const headers = bearer(await makeKey(setting.identity, nadia))
    for (let time = 1; time <= 2; time += 1) {
      const broken = await service.post('/api/generate', '{', { headers })
      expect(broken.status).toBe(400)
      expect(await broken.json()).toEqual({ error: 'the request body is not valid JSON' })
      expect((await service.get('/api/generate', headers)).status).toBe(405)
      expect((await service.post('/v1/models', {}, { headers })).status).toBe(405)
      expect((await service.post('/v1/Odd%2e', {}, { headers })).status).toBe(404)
    }
  })
})

describe.each(placesOfAccounts)('queued callers, of a platform %s,', (_where, serve) => {
  test('are served in turn by account', async () => {
    await using served = await serve(setting, { CLUSTER_NODE_CONCURRENCY: '1', HEALTH_CHECK_INTERVAL: '1h' })
    const { service } = served
    const leaving = new AbortController()
    const endless = { model, options: { num_predict: 100_000, token_delay_ms: 10 } }
    const occupied = await service.post('/api/generate', endless, {
      headers: bearer(clusterKey),
      signal: leaving.signal,
    })
    const order: string[] = []
    const keys: Readonly<Record<string, string>> = {
      n: setting.keys.nadia,
      N: await makeKey(setting.identity, nadia),
      a: setting.keys.admin,
    }
    const waiting = () => service.cluster.requests.admission.depths().get(model) ?? 0
    const asked = ['n1', 'N2', 'n3', 'a1'].map(async (name, index) => {
      await eventually(() => waiting() === index, 5)
      const answer = await service.post('/api/generate', quick, {
        headers: bearer(keys[name.charAt(0)] ?? ''),
      })
      order.push(name)
      await answer.text()
    })
    await eventually(() => waiting() === 4, 5)
    leaving.abort()
    await occupied.text().catch(() => undefined)
    await Promise.all(asked)
    expect(order).toEqual(['n1', 'a1', 'N2', 'n3'])
  })
})

describe('a page of the platform', () => {
  test('uses the cluster of the same process with its session, and writes only with its CSRF token', async () => {
    const { authenticate: identify } = setting.identity.identity
    await using service = await startServiceFor([setting.node], { CLUSTER_API_KEY: clusterKey }, { identify })
    const session = await openSession(setting.identity, admin)
    const { cookie } = session
    expect((await service.get('/api/cluster/nodes', { cookie })).status).toBe(200)
    for (const [headers, status] of [
      [{ cookie }, 403],
      [browser(session), 200],
      [{ cookie }, 403],
    ] as const) {
      expect((await service.post('/api/generate', quick, { headers })).status).toBe(status)
      const put = await service.post(
        '/api/cluster/strategy',
        { strategy: 'weighted' },
        { headers, method: 'PUT' },
      )
      expect(put.status).toBe(status)
    }
    expect(Object.keys((await setting.node.stats()).lastWork?.headers ?? {})).not.toContain('cookie')
  })
})

describe('without a key and on loopback', () => {
  test('every local caller may use everything, and a key they send is not passed to nodes', async () => {
    const { authenticate: identify } = setting.identity.identity
    await using service = await startServiceFor([setting.node], {}, { identify })
    const headers = bearer(`tk_${'x'.repeat(40)}`)
    expect((await service.post('/api/generate', quick, { headers })).status).toBe(200)
    expect((await setting.node.stats()).lastWork?.headers).not.toHaveProperty('authorization')
    const put = await service.post('/api/cluster/strategy', { strategy: 'weighted' }, { method: 'PUT' })
    expect(put.status).toBe(200)
  })
})
