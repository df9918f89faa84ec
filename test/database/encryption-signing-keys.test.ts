import { decodeProtectedHeader } from 'jose'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readSettings } from '#kernel/config'
import { createEncryption, encryptionSettings } from '#kernel/encryption'
import { createEvents, type Events } from '#kernel/events'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createSecurityEvents } from '../../src/identity/security-events.ts'
import { createAccessTokens } from '../../src/identity/tokens/access-tokens.ts'
import { createRevocations } from '../../src/identity/tokens/revocations.ts'
import { createSigningKeys } from '../../src/identity/tokens/signing-keys.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const [one, two] = ['the first of two secrets, long enough', 'the second of two secrets, long enough']

let database: TestDatabase
let events: Events

beforeEach(async () => {
  database = await createTestDatabase()
  const log = createLogger({ level: 'silent', format: 'json' })
  events = createEvents({ database, log, metrics: createMetrics({ watchProcess: false }) })
})

afterEach(async () => {
  await events.close()
  await database.close()
})

/** One replica; without a secret it uses an external server and no TUTTI_SECRET. */
function startReplica(environment: Readonly<Record<string, string>> = {}) {
  const logged: string[] = []
  const log = createLogger({
    level: 'info',
    format: 'json',
    destination: { write: (line) => void logged.push(line) },
  })
  const encryption = createEncryption({
    settings: readSettings(encryptionSettings, environment),
    database: { kind: 'server' },
    dataDir: '/nowhere',
  })
  const keys = createSigningKeys({ database, securityEvents: createSecurityEvents(events), encryption, log })
  const tokens = createAccessTokens({
    keys,
    revocations: createRevocations({ database }),
    publicUrl: undefined,
  })
  const sign = async () =>
    (await tokens.sign({ userId: 'a-user', grant: 'a-grant', issuer: 'http://localhost' })).token
  return { keys, tokens, sign, logged }
}

interface Stored {
  readonly kid: string
  readonly d: string | null
  readonly sealed: string | null
}

const stored = () =>
  database.query<Stored>(`
    select kid, private_jwk->>'d' as d, private_jwk->>'sealed' as sealed from identity_signing_keys order by created_at
  `)

const kidOf = (token: string) => decodeProtectedHeader(token).kid

describe('with a secret', () => {
  test('a new key is stored encrypted, and signs in every replica that has the secret', async () => {
    const token = await startReplica({ TUTTI_SECRET: one }).sign()
    expect(await stored()).toEqual([
      { kid: kidOf(token), d: null, sealed: expect.stringMatching(/^v1\.[\w-]+\.[\w-]+$/) },
    ])
    const other = startReplica({ TUTTI_SECRET: one })
    expect(await other.tokens.verify(token)).toMatchObject({ subject: 'a-user' })
    expect(kidOf(await other.sign())).toBe(kidOf(token))
    expect(JSON.stringify(await other.keys.published())).not.toMatch(/sealed|"d"/)
  })

  test('a key stored in plain text gets encrypted, and its tokens stay valid', async () => {
    const token = await startReplica().sign()
    expect(await stored()).toMatchObject([{ d: expect.any(String), sealed: null }])
    const replica = startReplica({ TUTTI_SECRET: one })
    expect(kidOf(await replica.sign())).toBe(kidOf(token))
    expect(await replica.tokens.verify(token)).toMatchObject({ subject: 'a-user' })
    expect(await stored()).toMatchObject([{ d: null, sealed: expect.any(String) }])
  })

  test('a rotation encrypts the new key, too', async () => {
    const { keys } = startReplica({ TUTTI_SECRET: one })
    await keys.current()
    await keys.rotate({ publishSeconds: 0 })
    expect(await stored()).toMatchObject([{ d: null }, { d: null }])
  })

  test('replicas that start concurrently agree on one key', async () => {
    const replicas = Array.from({ length: 6 }, () => startReplica({ TUTTI_SECRET: one }))
    const kids = await Promise.all(replicas.map(async ({ keys }) => (await keys.current()).kid))
    expect(new Set(kids).size).toBe(1)
  })
})

describe('another secret', () => {
  test('with the previous one encrypts again, so that the previous one is soon not needed', async () => {
    const token = await startReplica({ TUTTI_SECRET: one }).sign()
    const between = startReplica({ TUTTI_SECRET: two, TUTTI_SECRET_PREVIOUS: one })
    expect(kidOf(await between.sign())).toBe(kidOf(token))
    expect(kidOf(await startReplica({ TUTTI_SECRET: two }).sign())).toBe(kidOf(token))
  })

  test('does not make replicas with the old and the new secret rewrite each other forever', async () => {
    const [old, next] = [
      startReplica({ TUTTI_SECRET: one, TUTTI_SECRET_PREVIOUS: two }),
      startReplica({ TUTTI_SECRET: two, TUTTI_SECRET_PREVIOUS: one }),
    ]
    await old.sign()
    for (let round = 0; round < 3; round++) for (const { keys } of [next, old]) await keys.reload()
    const [before] = await stored()
    for (let round = 0; round < 3; round++) for (const { keys } of [next, old]) await keys.reload()
    expect(await stored()).toEqual([before])
  })

  test.each([
    ['alone', { TUTTI_SECRET: two }],
    ['or none', {}],
  ])(
    '%s signs with a new key, and tokens of the old one stay valid',
    async (_name, environment: Record<string, string>) => {
      const token = await startReplica({ TUTTI_SECRET: one }).sign()
      const lost = startReplica(environment)
      expect(await lost.tokens.verify(token)).toMatchObject({ subject: 'a-user' })
      const signed = await Promise.all(Array.from({ length: 10 }, () => lost.sign()))
      expect(new Set(signed.map(kidOf)).size).toBe(1)
      expect(signed.map(kidOf)).not.toContain(kidOf(token))
      expect(await lost.tokens.verify(signed[0] ?? '')).toMatchObject({ subject: 'a-user' })
      expect(await lost.tokens.verify(token)).toMatchObject({ subject: 'a-user' })
      expect(await stored()).toHaveLength(2)
      expect(lost.logged.join()).toContain('could not decrypt a signing key')
    },
  )
})

test('an encrypted key that was moved to another name signs nothing', async () => {
  const replica = startReplica({ TUTTI_SECRET: one })
  await replica.sign()
  await replica.keys.rotate({ publishSeconds: 0 })
  await database.query(`
    update identity_signing_keys as stored set private_jwk = other.private_jwk
    from identity_signing_keys as other where stored.kid <> other.kid and stored.verifies_until is null
  `)
  const later = startReplica({ TUTTI_SECRET: one })
  await later.sign()
  expect(later.logged.join()).toContain('could not decrypt a signing key')
})
