import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { startOpenAiServer } from '../support/openai-server.ts'
import { type StatusServer, type StatusServerOptions, startStatusServer } from './status-server.ts'

let opened: AsyncDisposableStack

beforeEach(() => {
  opened = new AsyncDisposableStack()
})

afterEach(() => opened.disposeAsync())

const start = async (options: StatusServerOptions = {}) => opened.use(await startStatusServer(options))

const read = async (server: StatusServer, query: string) =>
  (await server.call(`/admin/llm/history?${query}`)).body

interface Past {
  readonly service?: string
  readonly grain: 'minute' | 'hour'
  readonly ago: string
  readonly online?: number
  readonly degraded?: number
  readonly offline?: number
  readonly ms?: number
}

/** The probe results of a past minute or hour. */
async function remember({ database }: StatusServer, past: Past): Promise<void> {
  const { service = 'openai', grain, ago, online = 0, degraded = 0, offline = 0, ms = 100 } = past
  await database.query(
    `
      insert into status_history (service, grain, at, online, degraded, offline, timed, sum_ms, max_ms, took)
      values ($1, $2, date_trunc($2, now() - $3::interval, 'utc'), $4::int, $5::int, $6::int, $4::int + $5::int,
        ($4::int + $5::int) * $7::float8, $7,
        array(select case when place = 28 then $4::int + $5::int else 0 end from generate_series(1, 65) as place))
    `,
    [service, grain, ago, online, degraded, offline, ms],
  )
}

describe('the history', () => {
  test('counts each probe as measured, before damping', async () => {
    await using openai = await startOpenAiServer()
    const server = await start({
      environment: { OPENAI_BASE_URL: openai.baseUrl, OPENAI_API_KEY: 'sk-test' },
    })
    await server.probe(3)
    await openai.close()
    await server.probe(1)
    const { range, services, timestamp } = await read(server, 'service=openai&range=24h')
    expect(range).toBe('24h')
    expect(timestamp).toEqual(expect.any(String))
    expect(services).toHaveLength(1)
    const [history] = services
    expect(history).toMatchObject({
      name: 'openai',
      checks: 4,
      online: 3,
      degraded: 0,
      offline: 1,
      uptime: 75,
      average_ms: expect.any(Number),
      p50_ms: expect.any(Number),
      p95_ms: expect.any(Number),
      p99_ms: expect.any(Number),
      max_ms: expect.any(Number),
    })
    expect(history.p50_ms).toBeLessThanOrEqual(history.p95_ms)
    expect(history.p99_ms).toBeLessThanOrEqual(history.max_ms)
    expect(history.bars).toHaveLength(96)
    const [seen, ...others] = history.bars.filter(({ checks }: { checks: number }) => checks > 0)
    if (others.length === 0) expect(seen).toMatchObject({ state: 'degraded', checks: 4, uptime: 75 })
    expect(history.bars[0]).toMatchObject({ state: 'none', checks: 0, uptime: null, average_ms: null })
    const [longer] = (await read(server, 'service=openai&range=90d')).services
    expect(longer).toMatchObject({ checks: 4, online: 3, offline: 1, max_ms: history.max_ms })
  })

  test('has all services without a filter, and none that are unconfigured', async () => {
    const server = await start()
    await server.probe()
    const { services } = await read(server, '')
    expect(services.map(({ name }: { name: string }) => name)).toEqual([
      'database',
      'queue',
      'disk',
      'ollama',
      'openai',
      'anthropic',
      'gemini',
      'vector_db',
      'mcp',
    ])
    const openai = services.find(({ name }: { name: string }) => name === 'openai')
    expect(openai).toMatchObject({ checks: 0, uptime: null, p50_ms: null, max_ms: null, average_ms: null })
  })

  test('has daily bars for a month and a quarter, in UTC, the current one last', async () => {
    const server = await start()
    await remember(server, { grain: 'hour', ago: '1 day', online: 120 })
    await remember(server, { grain: 'hour', ago: '10 days', online: 10, offline: 110 })
    await remember(server, { grain: 'hour', ago: '20 days', online: 100, degraded: 20 })
    await remember(server, { grain: 'hour', ago: '80 days', online: 119, offline: 1, ms: 4000 })
    const [month] = (await read(server, 'service=openai&range=30d')).services
    expect(month.bars).toHaveLength(30)
    const states = month.bars.map(({ state }: { state: string }) => state)
    expect([states[29 - 1], states[29 - 10], states[29 - 20], states[29 - 2]]).toEqual([
      'online',
      'offline',
      'degraded',
      'none',
    ])
    expect(month.bars.at(-1).at).toBe(`${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`)
    expect(month).toMatchObject({ checks: 360, offline: 110, degraded: 20, uptime: 69.444, average_ms: 100 })
    const [quarter] = (await read(server, 'service=openai&range=90d')).services
    expect(quarter.bars).toHaveLength(90)
    // One failure of 120 does not change the colour.
    expect(quarter.bars[89 - 80].state).toBe('online')
    expect(quarter).toMatchObject({ checks: 480, max_ms: 4000 })
  })

  test('of a day consists of minutes, and older ones are deleted', async () => {
    const server = await start()
    await remember(server, { grain: 'minute', ago: '2 hours', online: 2 })
    await remember(server, { grain: 'minute', ago: '26 hours', online: 2 })
    await remember(server, { grain: 'hour', ago: '89 days', online: 2 })
    await remember(server, { grain: 'hour', ago: '92 days', online: 2 })
    const task = server.status.tasks.find(({ name }) => name === 'status.clean-up')
    await task?.run(AbortSignal.timeout(40_000))
    expect(await server.database.query('select grain from status_history order by grain')).toEqual([
      { grain: 'hour' },
      { grain: 'minute' },
    ])
    const [day] = (await read(server, 'service=openai')).services
    const place = day.bars.findIndex(({ checks }: { checks: number }) => checks > 0)
    expect([95 - 8, 95 - 7, 95 - 9]).toContain(place)
  })

  test('may be cached for a minute, and requires administrators', async () => {
    const server = await start()
    const { headers } = await server.call('/admin/llm/history')
    expect(headers.get('cache-control')).toBe('public, max-age=60')
    expect(headers.get('vary')).toBe('Authorization, Cookie, X-API-Key')
    expect((await server.call('/admin/llm/history', { as: '' })).body.error).toBe('UNAUTHORIZED')
    expect((await server.call('/admin/llm/history', { as: 'vera' })).body.error).toBe('FORBIDDEN')
  })
})

describe('a change', () => {
  test('of the interval applies from the next round on; until then no provider is called', async () => {
    await using openai = await startOpenAiServer()
    const server = await start({
      environment: { OPENAI_BASE_URL: openai.baseUrl, OPENAI_API_KEY: 'sk-test' },
    })
    const task = server.status.tasks.find(({ name }) => name === 'status.probe')
    const tick = async () => {
      await task?.run(AbortSignal.timeout(40_000))
      const [row] = await server.database.query<{ at: Date }>('select at from status_rounds')
      return row?.at.getTime()
    }
    const passed = (seconds: number) =>
      server.database.query(`update status_rounds set at = at - $1 * interval '1 second'`, [seconds])
    const first = await tick()
    expect(first).toEqual(expect.any(Number))
    expect(await tick()).toBe(first)
    await passed(15)
    expect(await tick()).toBe((first ?? 0) - 15_000)
    await server.configure({ interval_seconds: 10, timeout_seconds: 9 })
    expect(await tick()).toBeGreaterThan(first ?? 0)
  })

  test('of the clock to an earlier time does not stop the probes', async () => {
    const server = await start()
    const task = server.status.tasks.find(({ name }) => name === 'status.probe')
    await server.probe()
    await server.database.query(`update status_rounds set at = at + interval '1 hour'`)
    await task?.run(AbortSignal.timeout(40_000))
    const [row] = await server.database.query<{ ahead: boolean }>(
      'select at > now() as ahead from status_rounds',
    )
    expect(row?.ahead).toBe(false)
  })

  test('that two replicas see concurrently is counted once', async () => {
    await using gate = await startGate(2)
    const environment = { OPENAI_BASE_URL: gate.baseUrl, OPENAI_API_KEY: 'sk-test' }
    const server = await start({ environment })
    const other = await start({ environment, database: server.database })
    await Promise.all([server.probe(), other.probe()])
    const rows = await server.database.query(
      `select grain, online + degraded + offline as checks from status_history where service = 'openai' order by grain`,
    )
    expect(rows).toEqual([
      { grain: 'hour', checks: 1 },
      { grain: 'minute', checks: 1 },
    ])
    expect((await other.call('/api/llm/health')).body.services).toEqual(
      (await server.call('/api/llm/health')).body.services,
    )
  })
})

/** A list of models that is returned when this number of requests waits for it. */
async function startGate(wanted: number) {
  const waiting: ServerResponse[] = []
  const server = createServer((_request, response) => {
    waiting.push(response)
    if (waiting.length < wanted) return
    for (const one of waiting) {
      one.writeHead(200, { 'content-type': 'application/json' })
      one.end(JSON.stringify({ object: 'list', data: [{ id: 'gpt-4o', object: 'model', created: 1 }] }))
    }
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    async [Symbol.asyncDispose]() {
      server.close()
      server.closeAllConnections()
      await once(server, 'close')
    },
  }
}
