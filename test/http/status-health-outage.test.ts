import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { openSeverableLink } from '../database/events-severable-link.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startStatusServer } from './status-server.ts'

test('while the database is unavailable the last report is returned, as critical; then it recovers', async () => {
  await using own = await createTestDatabase()
  await using link = await openSeverableLink(own.url)
  await using through = await openDatabase({
    settings: readSettings(databaseSettings, { DATABASE_URL: link.url, DATABASE_CONNECT_WAIT: '2s' }),
    log: createLogger({ level: 'silent', format: 'json' }),
  })
  await using server = await startStatusServer({
    role: 'api',
    database: { ...through, url: link.url },
  })
  await server.probe(2)
  const before = (await server.call('/api/llm/health')).body
  // A recent caller has a few leased permits left, without the database.
  const general = () => server.call('/admin/llm/status/general', { as: 'alan' })
  expect((await general()).body.status).toBe('degraded')
  link.sever()
  const [{ status, body }, stored, metrics] = await Promise.all([
    server.call('/api/llm/health'),
    general(),
    server.call('/admin/llm/metrics/live'),
  ])
  expect(status).toBe(200)
  expect(body.systemStatus.level).toBe('critical')
  expect(body.overallScore).toBeLessThan(before.overallScore)
  expect(body.services.find(({ name }: { name: string }) => name === 'database')).toMatchObject({
    status: 'offline',
    responseTime: 0,
    statusText: 'Unavailable.',
  })
  expect(stored.body).toMatchObject({ status: 'offline', metadata: { memory_usage: 'unknown' } })
  expect(metrics.status).toBe(503)
  expect(metrics.body).toMatchObject({ error: 'DATABASE_UNAVAILABLE', timestamp: expect.any(String) })
  expect(metrics.headers.get('cache-control')).toBe('no-store')
  link.mend()
  await expect.poll(async () => (await server.service('database')).status).toBe('online')
})
