import { decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Database } from '#kernel/database'
import { createEvents, type Events } from '#kernel/events'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createSecurityEvents } from '../../src/identity/security-events.ts'
import { createAccessTokens } from '../../src/identity/tokens/access-tokens.ts'
import { createRevocations } from '../../src/identity/tokens/revocations.ts'
import { createSigningKeys } from '../../src/identity/tokens/signing-keys.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })
const hourMs = 3_600_000

let database: TestDatabase
let events: Events

beforeEach(async () => {
  database = await createTestDatabase()
  events = createEvents({ database, log, metrics: createMetrics({ watchProcess: false }) })
})

afterEach(async () => {
  await events.close()
  await database.close()
})

/** One replica, with a clock that a test may move. */
function startReplica() {
  const clock = { aheadMs: 0 }
  const now = () => Date.now() + clock.aheadMs
  const keys = createSigningKeys({ database, securityEvents: createSecurityEvents(events), now })
  const revocations = createRevocations({ database, now })
  const tokens = createAccessTokens({ keys, revocations, publicUrl: undefined, now })
  const sign = async () =>
    (await tokens.sign({ userId: 'a-user', grant: 'a-grant', issuer: 'http://localhost' })).token
  return { clock, keys, revocations, tokens, sign }
}

const kidOf = (token: string) => decodeProtectedHeader(token).kid

describe('the first key', () => {
  test('is created once by all replicas that need it concurrently', async () => {
    const replicas = Array.from({ length: 6 }, startReplica)
    const kids = await Promise.all(replicas.map(async ({ keys }) => (await keys.current()).kid))
    expect(new Set(kids).size).toBe(1)
    expect(await database.query('select kid from identity_signing_keys')).toHaveLength(1)
  })

  test('is published without its private half', async () => {
    const { keys } = startReplica()
    const [published] = await keys.published()
    expect(published).toEqual({
      kty: 'EC',
      crv: 'P-256',
      x: expect.any(String),
      y: expect.any(String),
      kid: (await keys.current()).kid,
      alg: 'ES256',
      use: 'sig',
    })
  })
})

describe('a rotation', () => {
  test('publishes the new key first, then signs with it; old tokens stay valid', async () => {
    const { clock, keys, tokens, sign } = startReplica()
    const before = await sign()
    const { kid } = await keys.rotate({ publishSeconds: 600 })
    expect((await keys.published()).map((key) => key.kid)).toContain(kid)
    expect(kidOf(await sign())).toBe(kidOf(before))
    clock.aheadMs = 601_000
    expect(kidOf(await sign())).toBe(kid)
    expect(await tokens.verify(before)).toMatchObject({ subject: 'a-user', grant: 'a-grant' })
  })

  test('is learnt by a replica from a token with an unknown key', async () => {
    const [one, other] = [startReplica(), startReplica()]
    await other.tokens.verify(await one.sign())
    await one.keys.rotate({ publishSeconds: 0 })
    other.clock.aheadMs = 2000
    expect(await other.tokens.verify(await one.sign())).toMatchObject({ subject: 'a-user' })
  })

  test('after a leak refuses tokens of the old key at once, cached or not', async () => {
    const { keys, tokens, sign } = startReplica()
    const [seen, unseen] = [await sign(), await sign()]
    await tokens.verify(seen)
    expect(tokens.recall(seen)).toMatchObject({ subject: 'a-user' })
    await keys.rotate({ publishSeconds: 0, distrustOld: true })
    expect(tokens.recall(seen)).toBeUndefined()
    for (const token of [seen, unseen]) {
      await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'invalid_token' })
    }
    expect(await tokens.verify(await sign())).toMatchObject({ subject: 'a-user' })
  })

  test('happens when the newest key is too old, once for all replicas', async () => {
    const replicas = [startReplica(), startReplica(), startReplica()]
    await Promise.all(replicas.map(({ keys }) => keys.rotateWhenOlderThan(30)))
    expect(await database.query('select from identity_signing_keys')).toHaveLength(1)
    await database.query(`update identity_signing_keys set created_at = now() - interval '31 days'`)
    await Promise.all(replicas.map(({ keys }) => keys.rotateWhenOlderThan(30)))
    expect(await database.query('select from identity_signing_keys')).toHaveLength(2)
  })

  test('removes the old key when its last token has expired', async () => {
    const { keys, sign } = startReplica()
    await sign()
    await keys.rotate({ publishSeconds: 0 })
    expect(await keys.removeExpired()).toBe(0)
    await database.query(
      `update identity_signing_keys set verifies_until = now() where verifies_until is not null`,
    )
    expect(await keys.removeExpired()).toBe(1)
  })
})

test('an invented key id does not make every request query the database', async () => {
  let statements = 0
  const counting: Database = {
    ...database,
    query: (text, values) => {
      statements += 1
      return database.query(text, values)
    },
  }
  const clock = { nowMs: Date.now() }
  const securityEvents = createSecurityEvents(events)
  const keys = createSigningKeys({ database: counting, securityEvents, now: () => clock.nowMs })
  await keys.current()
  statements = 0
  for (let guess = 0; guess < 50; guess += 1) expect(await keys.find(`kid-${guess}`)).toBeUndefined()
  expect(statements).toBe(0)
  clock.nowMs += 1000
  for (let guess = 0; guess < 50; guess += 1) expect(await keys.find(`kid-${guess}`)).toBeUndefined()
  expect(statements).toBe(1)
})

test('a cached token is refused after it expired', async () => {
  const { clock, tokens, sign } = startReplica()
  const token = await sign()
  await tokens.verify(token)
  clock.aheadMs = hourMs
  expect(tokens.recall(token)).toBeUndefined()
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'token_expired' })
})

test('a revocation applies to a cached token, and is deleted when all its tokens have expired', async () => {
  const { clock, revocations, tokens, sign } = startReplica()
  const token = await sign()
  await tokens.verify(token)
  await revocations.store('a-grant')
  expect(tokens.recall(token)).toBeUndefined()
  await expect(tokens.verify(token)).rejects.toMatchObject({ code: 'invalid_token' })
  const later = startReplica()
  await later.revocations.reloadAll()
  expect(later.revocations.has('a-grant')).toBe(true)
  clock.aheadMs = 2 * hourMs
  revocations.add('another')
  expect(revocations.has('a-grant')).toBe(false)
})
