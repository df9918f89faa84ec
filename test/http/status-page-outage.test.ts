import { expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { createLogger } from '#kernel/telemetry'
import { openSeverableLink } from '../database/events-severable-link.ts'
import { createTestDatabase } from '../support/test-database.ts'
import { startIncidentsServer } from './status-incidents-server.ts'

test('while the database is unavailable the page says so, with the last known state', async () => {
  await using own = await createTestDatabase()
  await using link = await openSeverableLink(own.url)
  await using through = await openDatabase({
    settings: readSettings(databaseSettings, { DATABASE_URL: link.url, DATABASE_CONNECT_WAIT: '2s' }),
    log: createLogger({ level: 'silent', format: 'json' }),
  })
  await using server = await startIncidentsServer({ database: { ...through, url: link.url } })
  server.find({ database: 'online', ollama: 'online' })
  await server.round()
  const read = () => server.call('/status.json', { as: '' })
  expect((await read()).body.level).toBe('operational')
  link.sever()
  const { status, body } = await read()
  expect([status, body.level, body.message]).toEqual([200, 'outage', 'Some services are not available'])
  expect(body.services.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
    ['Database', 'down'],
    ['Own models', 'operational'],
  ])
  link.mend()
  await expect.poll(async () => (await read()).body.level, { interval: 500 }).toBe('operational')
})
