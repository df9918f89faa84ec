import { expect, inject, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { databaseSettings, openDatabase } from '#kernel/database'
import { UserError } from '#kernel/errors'
import { createLogger } from '#kernel/telemetry'
import { createTestDatabase } from '../support/test-database.ts'

async function refusal(databaseUrl: string, wait: string): Promise<string> {
  const settings = readSettings(databaseSettings, {
    DATABASE_URL: databaseUrl,
    DATABASE_CONNECT_WAIT: wait,
  })
  const opening = openDatabase({ settings, log: createLogger({ level: 'silent', format: 'json' }) })
  const outcome: unknown = await opening.catch((error: unknown) => error)
  if (outcome instanceof UserError) return outcome.message
  throw outcome instanceof Error ? outcome : new Error('it was not refused')
}

test('the server of DATABASE_URL is used unchanged', async () => {
  await using database = await createTestDatabase({ start: 'empty' })
  expect(database.kind).toBe('server')
  expect(database.version).toMatch(/^\d+\.\d+$/)
  await expect(database.ping()).resolves.toBeUndefined()
})

test('an unreachable server is reported in one line, without the password', async () => {
  const message = await refusal('postgres://someone:hush-hush@127.0.0.1:1/tutti', '2s')
  expect(message).toMatch(
    /^DATABASE_URL: the PostgreSQL server cannot be reached \(.*ECONNREFUSED.*\)\. Check that it is running/,
  )
  expect(message).not.toContain('hush-hush')
})

test('a missing database is reported in one line', async () => {
  const url = inject('databaseServerUrl').replace(/[^/]+$/, 'no_such_database')
  expect(await refusal(url, '20s')).toBe('DATABASE_URL: database "no_such_database" does not exist')
})
