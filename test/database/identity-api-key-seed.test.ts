import { afterEach, beforeEach, expect, test } from 'vitest'
import { createIdentity, identitySettings } from '#identity'
import { readSettings } from '#kernel/config'
import { createEvents } from '#kernel/events'
import { createLimiter } from '#kernel/limits'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })
const first = 'a-key-of-my-own-choosing'
const second = 'another-key-of-my-choosing'

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(() => database.close())

async function start(environment: Record<string, string> = {}): Promise<void> {
  const metrics = createMetrics({ watchProcess: false })
  await using events = createEvents({ database, log, metrics })
  await using limiter = createLimiter({ database, log, metrics })
  const settings = readSettings(identitySettings, environment)
  await using identity = await createIdentity({ database, events, limiter, log, metrics, settings })
  await identity.seed()
}

const keys = () =>
  database.query<{ prefix: string; username: string; revoked: boolean }>(`
    select key.name, prefix, username, scopes, revoked_at is not null as revoked
    from identity_api_keys as key join identity_users as account on account.id = key.user_id
  `)

test('TUTTI_API_KEY is a key of the first administrator with full access, after any number of starts', async () => {
  for (let round = 0; round < 3; round += 1) await start({ TUTTI_API_KEY: first })
  expect(await keys()).toEqual([
    { name: 'TUTTI_API_KEY', prefix: 'a-ke', username: 'admin', scopes: null, revoked: false },
  ])
})

test('another value replaces it; no value keeps it', async () => {
  await start({ TUTTI_API_KEY: first })
  await start({ TUTTI_API_KEY: second })
  expect(await keys()).toMatchObject([{ prefix: 'anot' }])
  await start()
  expect(await keys()).toMatchObject([{ prefix: 'anot' }])
})

test('a revoked one stays revoked', async () => {
  await start({ TUTTI_API_KEY: first })
  await database.query('update identity_api_keys set revoked_at = now()')
  await start({ TUTTI_API_KEY: first })
  expect(await keys()).toMatchObject([{ prefix: 'a-ke', revoked: true }])
})

test('replicas that start concurrently store one key', async () => {
  await Promise.all(Array.from({ length: 5 }, () => start({ TUTTI_API_KEY: first })))
  expect(await keys()).toHaveLength(1)
})

test('a guessable one is refused by name', () => {
  for (const value of ['short', 'with spaces in the middle of it', 'ö'.repeat(30)]) {
    expect(() => readSettings(identitySettings, { TUTTI_API_KEY: value })).toThrow(/TUTTI_API_KEY/)
  }
})
