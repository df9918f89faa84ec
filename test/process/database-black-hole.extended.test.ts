import { setTimeout as delay } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { databaseSettings, isDatabaseUnavailable, openDatabase } from '#kernel/database'
import { createConnector, parseConnectionUrl } from '#kernel/postgres'
import { createLogger } from '#kernel/telemetry'
import { eventually } from '../support/eventually.ts'
import { basicAuth, startPlatform } from '../support/platform.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { startTcpProxy } from '../support/tcp-proxy.ts'

const log = createLogger({ level: 'silent', format: 'json' })

/** The documented limit, and what a busy machine adds to it. */
const maxWaitMs = 10_000 + 10_000

test('a network that swallows everything costs a request 10 s and a 503, and soon after its end the platform works', async () => {
  await using server = await startPostgres()
  await using proxy = await startTcpProxy(server.port)
  await using platform = await startPlatform({
    DATABASE_URL: `postgres://tutti:any@127.0.0.1:${proxy.port}/tutti`,
    TUTTI_SECRET: 'a secret of this test, long enough',
  })
  const headers = basicAuth(platform)
  const paths = [
    '/api/v1/events?limit=5',
    '/api/v1/users',
    '/api/v1/events?limit=1',
    '/ai-workflows/api/executions',
  ]
  const request = async (path: string) => {
    const startedAt = performance.now()
    const response = await fetch(`${platform.url}${path}`, { headers })
    await response.arrayBuffer()
    return { path, status: response.status, tookMs: performance.now() - startedAt }
  }
  for (const path of paths) expect(await request(path)).toMatchObject({ status: 200 })

  proxy.freeze()
  const first = Promise.all(paths.map(request))
  await delay(4000)
  const answers = [...(await Promise.all(paths.map(request))), ...(await first)]
  answers.push(...(await Promise.all(paths.map(request))))
  expect(answers.filter(({ status }) => status !== 503)).toEqual([])
  expect(answers.filter(({ tookMs }) => tookMs > maxWaitMs)).toEqual([])
  const ready = await fetch(`${platform.url}/readyz`)
  expect(ready.status).toBe(503)
  expect(await ready.json()).toMatchObject({
    checks: { database: expect.stringMatching(/does not respond|timeout expired/) as string },
  })

  proxy.thaw()
  const thawedAt = performance.now()
  await eventually(async () => (await request('/api/v1/users')).status === 200, 100)
  expect(performance.now() - thawedAt).toBeLessThan(20_000)
  await eventually(async () => (await fetch(`${platform.url}/readyz`)).status === 200, 100)
})

test('a slow statement is no silent server: it ends in its own time', async () => {
  await using server = await startPostgres()
  await using proxy = await startTcpProxy(server.port)
  await using database = await openDatabase({
    settings: readSettings(databaseSettings, {
      DATABASE_URL: `postgres://tutti:any@127.0.0.1:${proxy.port}/tutti`,
      // After 6 s without a response the server has to respond to a new connection, within 6 s.
      DATABASE_CONNECT_WAIT: '20s',
    }),
    log,
  })
  expect(await database.query('select 1 as one from pg_sleep(9)')).toEqual([{ one: 1 }])
})

test('a host that does not respond is left for the other one', async () => {
  await using server = await startPostgres()
  await using frozen = await startTcpProxy(server.port)
  await using good = await startTcpProxy(server.port)
  await using database = await openDatabase({
    settings: readSettings(databaseSettings, {
      DATABASE_URL: `postgres://tutti:any@127.0.0.1:${frozen.port},127.0.0.1:${good.port}/tutti`,
    }),
    log,
  })
  let gaps = 0
  await database.listen(
    'news',
    () => {},
    () => gaps++,
  )
  await database.query('select 1')
  frozen.freeze()
  const startedAt = performance.now()
  await expect(database.query('select 1')).rejects.toSatisfy(isDatabaseUnavailable)
  expect(await database.query('select 1 as one')).toEqual([{ one: 1 }])
  await eventually(() => gaps === 1)
  expect(performance.now() - startedAt).toBeLessThan(20_000)
  frozen.thaw()
})

test('a host is not called silent for the time that another one took', async () => {
  await using server = await startPostgres()
  await using frozen = await startTcpProxy(server.port)
  await using good = await startTcpProxy(server.port)
  frozen.freeze()
  good.freeze()
  const hosts = `127.0.0.1:${frozen.port},127.0.0.1:${good.port}`
  const connector = createConnector(
    parseConnectionUrl('DATABASE_URL', `postgres://tutti:any@${hosts}/tutti?connect_timeout=8`),
  )
  // The first host leaves 300 ms to the other one.
  await expect(connector.open(performance.now() + 8300)).rejects.toThrow('no host can be used')
  good.thaw()
  // Too short for the first host: the other one is tried before it.
  const connection = await connector.open(performance.now() + 7900)
  expect(connection.host.port).toBe(good.port)
  await connection.close()
  frozen.thaw()
})
