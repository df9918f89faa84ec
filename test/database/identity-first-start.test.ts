import { verify } from '@node-rs/argon2'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createIdentity, identitySettings, permissions, type SeededAdministrator } from '#identity'
import { readSettings } from '#kernel/config'
import { createEvents } from '#kernel/events'
import { createLimiter } from '#kernel/limits'
import { createLogger, createMetrics } from '#kernel/telemetry'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

const log = createLogger({ level: 'silent', format: 'json' })

let database: TestDatabase

beforeEach(async () => {
  database = await createTestDatabase()
})

afterEach(() => database.close())

/** Starts like a separate process: only the database is shared. */
async function start(environment: Record<string, string> = {}) {
  const metrics = createMetrics({ watchProcess: false })
  await using events = createEvents({ database, log, metrics })
  const settings = readSettings(identitySettings, environment)
  await using limiter = createLimiter({ database, log, metrics })
  await using identity = await createIdentity({ database, events, limiter, log, metrics, settings })
  let created: SeededAdministrator | undefined
  await identity.seed((account) => {
    created = account
  })
  return created
}

const accounts = () =>
  database.query<{ username: string; tier: string; roles: string[]; password_hash: string }>(`
    select username, tier, password_hash, array(select role from identity_user_roles where user_id = id) as roles
    from identity_users
  `)

test('the first start creates an administrator and prints its password once', async () => {
  const seeded = await start()
  expect(seeded?.username).toBe('admin')
  expect(seeded?.generatedPassword).toMatch(/^[a-hj-km-np-z2-9]{5}(-[a-hj-km-np-z2-9]{5}){3}$/)
  const [account] = await accounts()
  expect(account).toMatchObject({ username: 'admin', tier: 'custom', roles: ['administrator'] })
  expect(account?.password_hash).toContain('$argon2id$v=19$m=19456,t=2,p=1$')
  expect(await verify(account?.password_hash ?? '', seeded?.generatedPassword ?? '')).toBe(true)

  expect(await start()).toBeUndefined()
  expect(await start({ TUTTI_ADMIN_USERNAME: 'someone-else' })).toBeUndefined()
  expect(await accounts()).toHaveLength(1)
})

test('a configured password is used and not printed', async () => {
  const environment = { TUTTI_ADMIN_USERNAME: 'Ethel', TUTTI_ADMIN_PASSWORD: 'the wreckers 1906' }
  expect(await start(environment)).toEqual({ username: 'Ethel', generatedPassword: undefined })
  const [account] = await accounts()
  expect(await verify(account?.password_hash ?? '', 'the wreckers 1906')).toBe(true)
})

test('of many replicas that start concurrently, exactly one creates the account', async () => {
  const seeded = await Promise.all(
    Array.from({ length: 8 }, (_, index) => start({ TUTTI_ADMIN_USERNAME: `admin${index % 3}` })),
  )
  const winners = seeded.filter((it) => it !== undefined)
  expect(winners).toHaveLength(1)
  expect(await accounts()).toMatchObject([{ username: winners[0]?.username }])
  const created = await database.query(
    `select data from kernel_events where type = 'identity.administrator_created'`,
  )
  expect(created).toEqual([{ data: { username: winners[0]?.username } }])
})

test('a key that cannot be stored fails the start, after the password was printed', async () => {
  await database.query('alter table identity_api_keys add check (false)')
  const metrics = createMetrics({ watchProcess: false })
  await using events = createEvents({ database, log, metrics })
  const settings = readSettings(identitySettings, { TUTTI_API_KEY: 'a-key-of-my-own-choosing' })
  await using limiter = createLimiter({ database, log, metrics })
  await using identity = await createIdentity({ database, events, limiter, log, metrics, settings })
  const created: SeededAdministrator[] = []
  await expect(identity.seed((account) => created.push(account))).rejects.toThrow('identity_api_keys_check')
  const [account] = await accounts()
  expect(await verify(account?.password_hash ?? '', created[0]?.generatedPassword ?? '')).toBe(true)
})

test('an event that cannot be written rolls the account back', async () => {
  await database.query('alter table kernel_events add check (false)')
  await expect(start()).rejects.toThrow('kernel_events_check')
  expect(await accounts()).toEqual([])
})

test.each([
  [{ TUTTI_ADMIN_USERNAME: 'a:b' }, /^TUTTI_ADMIN_USERNAME must be .*, not "a:b"$/],
  [{ TUTTI_ADMIN_USERNAME: ' padded ' }, /^TUTTI_ADMIN_USERNAME must be/],
  [{ TUTTI_ADMIN_USERNAME: 'x'.repeat(65) }, /^TUTTI_ADMIN_USERNAME must be/],
  [{ TUTTI_ADMIN_PASSWORD: 'seven77' }, /^TUTTI_ADMIN_PASSWORD must have at least 8 characters$/],
  [{ TUTTI_ADMIN_PASSWORD: 'x'.repeat(1025) }, /^TUTTI_ADMIN_PASSWORD must not be longer than 1024 bytes$/],
])('an invalid setting is one line that names it: %o', async (environment, message) => {
  await expect(start(environment)).rejects.toThrow(message)
  expect(await accounts()).toEqual([])
})

test('the built-in roles have existing permissions only', async () => {
  const roles = await database.query<{ name: string; permissions: string[]; all_permissions: boolean }>(
    'select name, permissions, all_permissions from identity_roles where built_in order by name',
  )
  expect(roles.map(({ name }) => name)).toEqual([
    'administrator',
    'anonymous',
    'authenticated',
    'author',
    'viewer',
  ])
  expect(roles.filter((role) => role.all_permissions).map(({ name }) => name)).toEqual(['administrator'])
  for (const role of roles) expect(permissions).toEqual(expect.arrayContaining(role.permissions))
})

test('a username is unique regardless of case', async () => {
  await start()
  const again = `insert into identity_users (username, username_key, display_name) values ('ADMIN', 'admin', 'ADMIN')`
  await expect(database.query(again)).rejects.toThrow(/identity_users_username_key_key/)
})
