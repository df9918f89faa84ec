import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addAccount } from '../http/identity-server.ts'
import { type OpenPlatform, openPlatform } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type Outcome, runTutti } from './run-tutti.ts'

describe('tutti key, beside a running platform', () => {
  let database: TestDatabase
  let platform: OpenPlatform

  beforeAll(async () => {
    database = await createTestDatabase()
    platform = await openPlatform({}, { database })
  })
  afterAll(async () => {
    await platform?.[Symbol.asyncDispose]()
    await database?.close()
  })

  /** Resets the state for a retried test. */
  beforeEach(async () => {
    await database.query(`delete from identity_users where username <> 'admin'`)
    await database.query(`delete from identity_api_keys where name in ('laptop', 'ci')`)
  })

  const tutti = (...args: readonly string[]): Promise<Outcome> =>
    runTutti(args, { env: { DATABASE_URL: database.url } })

  const get = (path: string, token: string): Promise<Response> =>
    fetch(`${platform.url}${path}`, { headers: { authorization: `Bearer ${token}` } })

  async function statusOf(path: string, token: string): Promise<number> {
    const answer = await get(path, token)
    await answer.arrayBuffer()
    return answer.status
  }

  test('standard output has only the key, and it works at once', async () => {
    const created = await tutti('key', 'create', '--user', 'ADMIN', '--name', 'laptop')
    expect(created.code).toBe(0)
    expect(created.stdout).toMatch(/^tk_[0-9A-Za-z]{40}\n$/)
    expect(created.stderr).toBe(
      'An API key of admin for everything the account may do, until it is revoked.\nIt is shown only this once.\n',
    )
    const answer = await get('/api/v1/user/profile', created.stdout.trim())
    expect(await answer.json()).toMatchObject({ username: 'admin' })
    const [event] = await database.query<{ data: unknown }>(
      `select data from kernel_events where type = 'identity.api_key_created' order by id desc`,
    )
    expect(event?.data).toMatchObject({ name: 'laptop', scopes: null, by: null, via: 'terminal' })
    expect(JSON.stringify(event)).not.toContain(created.stdout.trim())
  })

  test('a key has the given scopes and lifetime', async () => {
    const limits = '--expires 30d --scope models.read --scope workflows.run,models.read'.split(' ')
    const { stdout, stderr } = await tutti('key', 'create', '--user', 'admin', '--name', 'ci', ...limits)
    expect(stderr).toMatch(
      /^An API key of admin for models\.read, workflows\.run, until \d{4}-\d\d-\d\d \d\d:\d\d UTC\./,
    )
    const [row] = await database.query<{ scopes: string[]; days: number }>(`
      select scopes, round(extract(epoch from expires_at - now()) / 86400)::int as days
      from identity_api_keys where name = 'ci'
    `)
    expect(row).toEqual({ scopes: ['models.read', 'workflows.run'], days: 30 })
    expect(await statusOf('/api/v1/user/profile', stdout.trim())).toBe(200)
    expect(await statusOf('/api/v1/users', stdout.trim())).toBe(403)
  })

  test.each<[args: readonly string[], message: RegExp]>([
    [['--user', 'unknown', '--name', 'x'], /^tutti: There is no account "unknown"\. .*\n$/],
    [
      ['--user', 'admin', '--name', 'x', '--scope', 'models.reed'],
      /^tutti: There is no scope "models\.reed"\. Use one of: models\.read, .*\n$/,
    ],
    [['--user', 'admin', '--name', 'x', '--expires', 'soon'], /^tutti: --expires must be .*\n$/],
    [
      ['--user', 'admin', '--name', 'x', '--expires', '2020-01-01'],
      /^tutti: --expires must be in the future/,
    ],
    [['--user', 'admin', '--name', 'x', '--expires', '9999d'], /^tutti: .*within 10 years\.\n$/],
    [
      ['--user', 'admin'],
      /^tutti: required option '--name <name>' not specified\nRun npx tutti key create --help/,
    ],
  ])('%j is refused, and standard output stays empty', async (args, message) => {
    const { code, stdout, stderr } = await tutti('key', 'create', ...args)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(message)
  })

  test('a disabled account gets no key', async () => {
    await addAccount(database, { username: 'felix', password: 'correct horse' })
    await database.query(`update identity_users set disabled_at = now() where username = 'felix'`)
    const { code, stdout, stderr } = await tutti('key', 'create', '--user', 'felix', '--name', 'x')
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toMatch(/^tutti: The account "felix" is disabled, .* tutti user enable "felix"\n$/)
  })

  test('rotating keeps old tokens valid; distrusting refuses them at once, and a refresh works', async () => {
    const signIn = await fetch(`${platform.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(platform.admin),
    })
    const { token, refreshToken } = (await signIn.json()) as { token: string; refreshToken: string }
    const publishedKeys = async () => {
      const { keys } = (await (await fetch(`${platform.url}/.well-known/jwks.json`)).json()) as {
        keys: { kid: string }[]
      }
      return keys.map(({ kid }) => kid)
    }
    const before = await publishedKeys()
    expect(before).not.toEqual([])

    const rotated = await tutti('key', 'rotate')
    expect([rotated.code, rotated.stdout]).toEqual([0, ''])
    const added = /^The new signing key is (\S+)\.\nIt is published now/.exec(rotated.stderr)?.[1] ?? ''
    await expect.poll(async () => new Set(await publishedKeys())).toEqual(new Set([...before, added]))
    expect(await statusOf('/api/v1/user/profile', token)).toBe(200)

    const distrusting = await tutti('key', 'rotate', '--distrust-old')
    expect(distrusting.stderr).toMatch(
      /\nIt signs from now on\. Every access token issued before is refused\.\n/,
    )
    await expect.poll(() => statusOf('/api/v1/user/profile', token)).toBe(401)
    const refreshed = await fetch(`${platform.url}/api/v1/auth/refresh`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ refreshToken }),
    })
    const next = (await refreshed.json()) as { token: string }
    expect(await statusOf('/api/v1/user/profile', next.token)).toBe(200)
    const events = await database.query<{ data: unknown }>(
      `select data from kernel_events where type = 'identity.signing_key_added' order by id`,
    )
    expect(events.slice(-2).map(({ data }) => data)).toEqual([
      { distrusts_old: false, by: null, via: 'terminal' },
      { distrusts_old: true, by: null, via: 'terminal' },
    ])
  })
})
