import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ProviderFailure } from '../../src/models/providers/provider-failure.ts'
import { eventually } from '../support/eventually.ts'
import { createPlayer, failingAfter } from './models-gateway-player.ts'
import { type GatewayServer, type NewKey, startGatewayServer } from './models-gateway-server.ts'

let server: GatewayServer
let otto: NewKey
let clara: NewKey
let admin: NewKey
const today = new Date().toISOString().slice(0, 10)

interface Report {
  readonly totals: Record<string, number>
  readonly rows: readonly Record<string, string | number>[]
}

interface Page {
  readonly data: readonly Record<string, unknown>[]
  readonly next: string | null
  readonly total: number
  readonly as_of: string
}

beforeAll(async () => {
  const player = createPlayer({ models: ['violin', 'viola'] })
  server = await startGatewayServer({
    providers: [player],
    prices: {
      violin: { source: 'override', prices: { input: 1e6, cachedInput: 5e5, output: 2e6 }, version: '7' },
    },
  })
  otto = await server.addKey()
  clara = await server.addKey()
  admin = await server.addKey({ roles: ['administrator'] })
  const ask = async (model: string, key: string) => {
    const answer = await server.post('/api/v1/generate', { model, prompt: 'Why?', stream: false }, { key })
    await answer.text()
  }
  await ask('violin', otto.key)
  await ask('violin', otto.key)
  await ask('viola', otto.key)
  await ask('violin', clara.key)
  player.script(failingAfter(new ProviderFailure({ kind: 'rate_limited', message: 'Late.' })))
  await ask('violin', otto.key)
  await eventually(async () => {
    const [row] = await server.database.query<{ count: number }>('select count(*) from model_calls')
    return Number(row?.count) === 5
  })
})
afterAll(() => server[Symbol.asyncDispose]())

const usage = async (query: string, { key }: NewKey) =>
  (await (await server.get(`/api/v1/usage?${query}`, { key })).json()) as Report
const calls = async (query: string, { key }: NewKey) =>
  (await (await server.get(`/api/v1/usage/calls?${query}`, { key })).json()) as Page

describe('the totals', () => {
  test('are of the calling account', async () => {
    const { totals, rows } = await usage('', otto)
    // 7 at a dollar, 4 at half of it, 5 at two the million, twice.
    expect(totals).toMatchObject({ calls: 4, failures: 1, unpriced_calls: 1, micro_dollars: 38 })
    expect(rows).toEqual([])
    expect(await usage('', clara)).toMatchObject({ totals: { calls: 1, input_tokens: 11, output_tokens: 5 } })
  })

  test('are grouped as requested', async () => {
    const { rows } = await usage('group_by=model,day', otto)
    expect(rows).toMatchObject([
      { day: today, model: 'violin', calls: 3, failures: 1 },
      { day: today, model: 'viola', calls: 1, unpriced_calls: 1, micro_dollars: 0 },
    ])
    expect(Object.keys(rows[0] ?? {})).not.toContain('account')
    expect((await usage('group_by=provider&model=viola', otto)).rows).toMatchObject([
      { provider: 'openai', calls: 1 },
    ])
  })

  test('are of the requested days', async () => {
    const past = await usage('from=2026-01-01&to=2026-01-02', otto)
    expect(past).toMatchObject({ from: '2026-01-01', to: '2026-01-02', totals: { calls: 0 } })
    expect((await usage(`from=${today}&to=${today}`, otto)).totals['calls']).toBe(4)
  })

  test('of other accounts require the permission for models', async () => {
    const all = await usage('account=all&group_by=account', admin)
    expect(all.totals['calls']).toBe(5)
    expect(new Map(all.rows.map(({ account, calls: count }) => [account, count]))).toEqual(
      new Map([
        [otto.accountId, 4],
        [clara.accountId, 1],
      ]),
    )
    expect((await usage(`account=${clara.accountId}`, admin)).totals['calls']).toBe(1)
    for (const account of ['all', clara.accountId]) {
      const refused = await server.get(`/api/v1/usage?account=${account}`, { key: otto.key })
      expect(refused.status).toBe(403)
    }
  })
})

const idAt = (moment: Date, place: number) =>
  `${moment
    .getTime()
    .toString(16)
    .padStart(12, '0')
    .replace(/^(.{8})/, '$1-')}-7000-8000-${String(place).padStart(12, '0')}`

describe('the calls', () => {
  test('have all details, the newest first', async () => {
    const { data } = await calls('', otto)
    expect(data).toHaveLength(4)
    expect(data[0]).toMatchObject({
      outcome: 'failed',
      failure_code: 'provider_rate_limited',
      model: 'violin',
    })
    expect(data.at(-1)).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      account: otto.accountId,
      source: 'gateway',
      provider: 'openai',
      model: 'violin',
      requested_model: 'violin',
      started_at: expect.stringContaining(today),
      input_tokens: 11,
      cached_input_tokens: 4,
      output_tokens: 5,
      micro_dollars: 19,
      unpriced: false,
      price_source: 'override',
      price_version: expect.stringMatching(/^\d{4}-.*Z$/),
      estimated: false,
      latency_ms: expect.any(Number),
      first_token_ms: expect.any(Number),
      outcome: 'answered',
      failure_code: null,
      cache_hit: false,
      attempts: 1,
      key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      tags: [],
    })
    expect(data.find(({ model }) => model === 'viola')).toMatchObject({ micro_dollars: 0, unpriced: true })
  })

  test('are paged and filtered', async () => {
    const first = await calls('limit=3', otto)
    expect(first.data).toHaveLength(3)
    const second = await calls(`limit=3&after=${first.next}`, otto)
    expect(second.data).toHaveLength(1)
    expect(second.next).toBeNull()
    expect((await calls('outcome=failed', otto)).data).toHaveLength(1)
    expect((await calls('model=viola', otto)).data).toHaveLength(1)
    expect((await calls(`from=${today}&to=${today}`, otto)).data).toHaveLength(4)
    expect((await calls('to=2026-01-01', otto)).data).toHaveLength(0)
    expect((await calls('account=all', admin)).data).toHaveLength(5)
  })

  test('have a total and stable pages while calls end', async () => {
    const { key, accountId } = await server.addKey()
    const add = (id: string, startedAt: Date, latencyMs: number) =>
      server.database.query(
        `insert into model_calls (id, account_id, source, provider, model, requested_model, started_at, price_source,
           estimated, latency_ms, outcome, cache_hit, attempts)
         values ($1, $2, 'gateway', 'openai', 'viola', 'viola', $3, 'unpriced', false, $4, 'answered', false, 1)`,
        [id, accountId, startedAt, latencyMs],
      )
    const began = new Date(Date.now() - 60_000)
    for (let place = 1; place <= 5; place += 1) await add(idAt(began, place), began, 10)
    const page = (query: string) => calls(query, { key, accountId })
    const first = await page('limit=2&page=1')
    expect(first).toMatchObject({ total: 5, next: expect.any(String), as_of: expect.any(String) })
    // One started after the listed ones, and one started among them and ended now.
    await add(idAt(new Date(), 6), new Date(), 5)
    await add(idAt(began, 0), began, Date.now() - began.getTime() + 1000)
    const rest = [
      await page(`limit=2&page=2&as_of=${first.as_of}`),
      await page(`limit=2&page=3&as_of=${first.as_of}`),
    ]
    const ids = [first, ...rest].flatMap(({ data }) => data.map(({ id }) => id))
    expect(ids).toEqual([5, 4, 3, 2, 1].map((place) => idAt(began, place)))
    expect(rest.map(({ total, as_of }) => [total, as_of])).toEqual([
      [5, first.as_of],
      [5, first.as_of],
    ])
    expect(rest[1]).toMatchObject({ next: null })
    expect(await page('limit=2&page=9')).toMatchObject({ data: [], total: 7, next: null })
    // A page after an id has the same total.
    expect(await page(`limit=2&after=${first.next}`)).toMatchObject({ total: 7 })
  })

  test('are sorted on all pages together, with missing values last', async () => {
    // A call without a known price has no cost.
    const costs = async (query: string) =>
      (await calls(query, otto)).data.map(({ unpriced, micro_dollars: cost }) =>
        unpriced === true ? null : Number(cost),
      )
    const known = (await costs('')).flatMap((cost) => cost ?? []).toSorted((one, other) => one - other)
    expect(new Set(known).size).toBeGreaterThan(1)
    expect(await costs('sort=cost&order=asc')).toEqual([...known, null])
    expect(await costs('sort=cost')).toEqual([...known.toReversed(), null])

    const first = await calls('sort=duration&limit=3', otto)
    expect(first).toMatchObject({ total: 4, next: null, sorted_among: null })
    const second = await calls(`sort=duration&limit=3&page=2&as_of=${first.as_of}`, otto)
    const durations = [...first.data, ...second.data].map((call) => Number(call['latency_ms']))
    expect(durations).toEqual(durations.toSorted((one, other) => other - one))

    const oldest = await calls('order=asc&limit=3', otto)
    const rest = await calls(`order=asc&limit=3&after=${oldest.next}`, otto)
    const ids = [...oldest.data, ...rest.data].map((call) => String(call['id']))
    expect(ids).toEqual(ids.toSorted())
    expect(ids).toHaveLength(4)
  })

  test('have the id of their response', async () => {
    const answer = await server.post(
      '/api/v1/generate',
      { model: 'viola', stream: false },
      { key: admin.key },
    )
    const id = answer.headers.get('x-call-id')
    await eventually(async () => (await calls('', admin)).data.some((call) => call['id'] === id))
  })
})

describe('access', () => {
  test.each(['/api/v1/usage', '/api/v1/usage/calls', '/api/v1/usage/budget'])('%s', async (path) => {
    const reader = await server.addKey({ scopes: ['models.read'] })
    expect((await server.get(path, { key: reader.key })).status).toBe(200)
    const writer = await server.addKey({ scopes: ['models.generate'] })
    expect((await server.get(path, { key: writer.key })).status).toBe(403)
    const limited = await server.addKey({ scopes: ['models.read'], roles: ['administrator'] })
    expect((await server.get('/api/v1/usage?account=all', { key: limited.key })).status).toBe(403)
  })
})

test.each([
  'from=yesterday',
  'from=2026-02-30',
  'from=0000-01-01&to=0000-01-02',
  'from=9999-12-31',
  'from=2026-02-02&to=2026-02-01',
  'from=2000-01-01&to=2026-01-01',
  'group_by=colour',
  'group_by=model,day,source',
  'account=',
  'model=%00',
])('GET /api/v1/usage?%s is refused', async (query) => {
  const answer = await server.get(`/api/v1/usage?${query}`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({
    error: { code: 'invalid_request', message: expect.any(String) },
  })
})

test.each([
  'after=1',
  'page=0',
  'page=x',
  'page=1000001',
  'page=2&after=00000000-0000-7000-8000-000000000000',
  'as_of=now',
  'as_of=2016-12-31T23:59:60Z',
  'limit=0',
  'limit=201',
  'outcome=lucky',
  'sort=model',
  'order=up',
  'sort=cost&after=00000000-0000-7000-8000-000000000000',
  'from=2026-02-02&to=2026-02-01',
  'to=3000-01-01',
])('GET /api/v1/usage/calls?%s is refused', async (query) => {
  const answer = await server.get(`/api/v1/usage/calls?${query}`)
  expect(answer.status).toBe(400)
  expect(await answer.json()).toMatchObject({ error: { code: 'invalid_request' } })
})

// Last: its calls would count in the totals of the other tests.
describe('usage by key and tag', () => {
  test('are grouped and filtered by key and tag', async () => {
    const { key, accountId } = await server.addKey()
    for (const tags of ['nightly, report', 'nightly', undefined]) {
      const headers: Record<string, string> = tags === undefined ? {} : { 'x-tags': tags }
      const body = { model: 'violin', prompt: 'Why?', stream: false }
      await (await server.post('/api/v1/generate', body, { key, headers })).text()
    }
    const caller = { key, accountId }
    await eventually(async () => (await usage('', caller)).totals['calls'] === 3)
    const byKey = await usage('group_by=key', caller)
    expect(byKey.rows).toMatchObject([{ key: expect.any(String), calls: 3, micro_dollars: 57 }])
    const keyId = String(byKey.rows[0]?.['key'])
    expect((await usage('group_by=tag', caller)).rows).toMatchObject([
      { tag: 'nightly', calls: 2 },
      { tag: 'report', calls: 1 },
    ])
    expect((await usage('tag=nightly&group_by=model', caller)).rows).toMatchObject([
      { model: 'violin', calls: 2 },
    ])
    expect((await usage(`key=${keyId}`, otto)).totals['calls']).toBe(0)
    expect((await calls('tag=report', caller)).data).toMatchObject([{ tags: ['nightly', 'report'] }])
    expect((await calls(`key=${keyId}&tag=nightly`, caller)).data).toHaveLength(2)
    for (const query of ['group_by=key,tag', 'key=a&tag=b', 'key=a&group_by=tag']) {
      expect((await server.get(`/api/v1/usage?${query}`, { key })).status).toBe(400)
    }
  })
})
