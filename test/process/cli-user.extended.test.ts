import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { addAccount } from '../http/identity-server.ts'
import { createDataFolder } from '../support/data-folder.ts'
import { type OpenPlatform, openPlatform, startPlatformIn } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'
import { type Outcome, runTutti } from './run-tutti.ts'

const generated = /^[a-z2-9]{5}(?:-[a-z2-9]{5}){3}\n$/

interface SignIn {
  readonly username: string
  readonly password: string
}

function post(url: string, body: unknown): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
}

async function signInStatus(platform: OpenPlatform, account: SignIn): Promise<number> {
  const answer = await post(`${platform.url}/user/login`, account)
  await answer.arrayBuffer()
  return answer.status
}

async function profileStatus(platform: OpenPlatform, headers: Record<string, string>): Promise<number> {
  const answer = await fetch(`${platform.url}/api/v1/user/profile`, { headers })
  await answer.arrayBuffer()
  return answer.status
}

describe('tutti user, beside a running platform', () => {
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

  /** Lets a retried test add the same account. */
  beforeEach(() => database.query(`delete from identity_users where username <> 'admin'`))

  const tutti = (args: readonly string[], input?: string): Promise<Outcome> =>
    runTutti(args, { env: { DATABASE_URL: database.url }, ...(input !== undefined && { input }) })

  async function eventsAbout(username: string) {
    return await database.query<{ type: string; data: Record<string, unknown> }>(
      `
        select event.type, event.data
        from kernel_events as event
        join identity_users as account on account.id::text = event.account
        where account.username = $1
        order by event.id
      `,
      [username],
    )
  }

  test('an added account has its roles and signs in with the printed password', async () => {
    const added = await tutti(['user', 'add', 'clara', '--role', 'author,viewer', '--generate'])
    expect(added.stdout).toMatch(generated)
    expect(added.stderr).toBe(
      'Added clara as author, viewer, tier professional.\nIts password is shown only this once.\n',
    )
    expect(added.code).toBe(0)

    const password = added.stdout.trim()
    expect(await signInStatus(platform, { username: 'clara', password })).toBe(200)
    const [event] = await eventsAbout('clara')
    expect(event).toEqual({
      type: 'identity.account_created',
      data: {
        username: 'clara',
        roles: ['author', 'viewer'],
        tier: 'professional',
        by: null,
        via: 'terminal',
      },
    })
  })

  test('all given fields of an account are stored', async () => {
    const options = [
      '--email',
      'robert@example.org',
      '--display-name',
      'Robert S.',
      '--tier',
      'enterprise',
      '--role',
      'administrator',
    ]
    expect((await tutti(['user', 'add', 'Robert', ...options], 'correct horse\n')).code).toBe(0)
    const { stdout } = await tutti(['user', 'list', '--json'])
    const users = JSON.parse(stdout) as { username: string }[]
    expect(users.find(({ username }) => username === 'Robert')).toMatchObject({
      email: 'robert@example.org',
      display_name: 'Robert S.',
      tier: 'enterprise',
      roles: ['administrator', 'authenticated'],
      disabled: false,
      last_login_at: null,
    })
  })

  test('a password is read from standard input, without its line ending', async () => {
    const password = ' with spaces, ünïcode '
    const piped = await tutti(['user', 'add', 'johannes', '--password-stdin'], `${password}\r\n`)
    expect(piped).toEqual({
      code: 0,
      stdout: '',
      stderr: 'Added johannes without a role of its own, tier professional.\n',
    })
    expect(await signInStatus(platform, { username: 'johannes', password })).toBe(200)
  })

  test('a new password ends sessions, tokens and the old password at once', async () => {
    const old = { username: 'fanny', password: 'the old password' }
    await addAccount(database, old)
    const session = await post(`${platform.url}/user/login`, old)
    const cookie = session.headers.getSetCookie()[0]?.split(';')[0] ?? ''
    const tokens = (await (await post(`${platform.url}/api/v1/auth/login`, old)).json()) as {
      token: string
      refreshToken: string
    }
    const bearer = { authorization: `Bearer ${tokens.token}` }
    expect(await profileStatus(platform, { cookie })).toBe(200)
    expect(await profileStatus(platform, bearer)).toBe(200)

    const changed = await tutti(['user', 'password', 'FANNY'], 'the new password')
    expect(changed.stderr).toContain(
      'fanny has a new password. All its sessions, tokens and consents have ended.\nIts API keys still work.\n',
    )
    await expect.poll(() => profileStatus(platform, bearer)).toBe(401)
    expect(await profileStatus(platform, { cookie })).toBe(401)
    const refreshed = await post(`${platform.url}/api/v1/auth/refresh`, { refreshToken: tokens.refreshToken })
    expect(refreshed.status).toBe(401)
    expect(await signInStatus(platform, old)).toBe(401)
    expect(await signInStatus(platform, { ...old, password: 'the new password' })).toBe(200)
    expect(await eventsAbout('fanny')).toContainEqual({
      type: 'identity.password_changed',
      data: { by: null, via: 'terminal' },
    })
  })

  test('a disabled account stays disabled with a new password, until it is enabled', async () => {
    await addAccount(database, { username: 'felix', password: 'correct horse' })
    expect((await tutti(['user', 'disable', 'felix'])).stderr).toMatch(/^felix is disabled: /)
    expect((await tutti(['user', 'disable', 'felix'])).stderr).toBe('felix is disabled already.\n')

    const changed = await tutti(['user', 'password', 'felix', '--generate'])
    expect(changed.stderr).toContain(
      'The account is still disabled. To enable it: npx tutti user enable "felix"\n',
    )
    const account = { username: 'felix', password: changed.stdout.trim() }
    expect(await signInStatus(platform, account)).toBe(401)
    expect((await tutti(['user', 'enable', 'felix'])).stderr).toMatch(/^felix is enabled/)
    expect(await signInStatus(platform, account)).toBe(200)
  })

  test.each<[args: readonly string[], input: string, message: string | RegExp]>([
    [['add', 'Admin'], '', /^The account "admin" already exists\. .*tutti user password "admin"$/],
    [
      ['add', 'x', '--role', 'king'],
      '',
      /^There is no role "king" to assign\. .*administrator, author, viewer/,
    ],
    [['add', 'x', '--password-stdin'], '', /^No password came on standard input\./],
    [['add', 'x', '--password-stdin'], 'short', 'The password must have at least 8 characters.'],
    [['add', 'x', '--password-stdin'], 'line one\nline two', /^Standard input has more than one line/],
    [['password', 'unknown'], '', 'There is no account "unknown". List all accounts: npx tutti user list'],
  ])('%j with %j is an error in one line', async (args, input, message) => {
    const { code, stdout, stderr } = await tutti(['user', ...args], input)
    expect([code, stdout]).toEqual([1, ''])
    const [line = '', ...rest] = stderr.trimEnd().split('\n')
    expect(rest).toEqual([])
    expect(line.slice(0, 7)).toBe('tutti: ')
    expect(line.slice(7)).toMatch(message)
  })

  test('a password argument is refused: the process list would show it', async () => {
    const { code, stderr } = await tutti(['user', 'add', 'x', '--password', 'correct horse'])
    expect(code).toBe(1)
    expect(stderr).toMatch(/unknown option '--password'/)
    expect(stderr).toContain('Run npx tutti user add --help to see how.')
  })
})

describe('the list of accounts', () => {
  test('is aligned and readable at 80 columns', async () => {
    await using database = await createTestDatabase()
    const env = { DATABASE_URL: database.url }
    const none = await runTutti(['user', 'list'], { env })
    expect(none).toMatchObject({ code: 0, stdout: '', stderr: expect.stringMatching(/^There is no account/) })

    const password = 'correct horse'
    await addAccount(database, { username: 'Clara Schumann', password, roles: ['administrator'] })
    await addAccount(database, { username: '武満', password, roles: ['author', 'viewer'] })
    await addAccount(database, { username: 'ci', password })
    await database.query(`update identity_users set disabled_at = now() where username = 'ci'`)
    await database.query(`
      update identity_users set tier = 'custom', last_login_at = '2026-11-15T05:04:03Z'
      where username = 'Clara Schumann'
    `)
    const { stdout } = await runTutti(['user', 'list'], { env })
    expect(stdout).toBe(
      [
        'USERNAME        TIER          LAST SIGN-IN       STATE     ROLES',
        'Clara Schumann  custom        2026-11-15 05:04Z  active    administrator',
        '武満            professional  never              active    author, viewer',
        'ci              professional  never              disabled  –',
        '',
      ].join('\n'),
    )
  })
})

describe('an installation without an administrator', () => {
  test('is reported when an account is added, and by doctor; the last one cannot be disabled', async () => {
    await using database = await createTestDatabase()
    const env = { DATABASE_URL: database.url, PORT: '0', CLUSTER_PORT: '0', METRICS_PORT: '0' }
    const warning = /No account that can sign in is an administrator\n {2}→ .*tutti user add/
    const doctor = () => runTutti(['doctor'], { env: { ...env, DISCOVERY_PORTS: '' } })
    expect((await doctor()).stdout).not.toMatch(warning)

    const first = await runTutti(['user', 'add', 'clara', '--generate'], { env })
    expect(first.stderr).toContain('This installation has no administrator yet.')
    expect((await doctor()).stdout).toMatch(warning)

    const second = await runTutti(['user', 'add', 'robert', '--role', 'administrator', '--generate'], { env })
    expect(second.stderr).toBe(
      'Added robert as administrator, tier custom.\nIts password is shown only this once.\n',
    )
    expect((await doctor()).stdout).not.toMatch(warning)
    const refused = await runTutti(['user', 'disable', 'robert'], { env })
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/^tutti: .*last administrator/)])
  })
})

describe('the database of these commands', () => {
  test('must be up to date', async () => {
    await using database = await createTestDatabase({ start: 'empty' })
    const { code, stderr } = await runTutti(['user', 'list'], { env: { DATABASE_URL: database.url } })
    expect([code, stderr]).toEqual([
      1,
      'tutti: The database is not up to date. Run npx tutti migrate first.\n',
    ])
  })

  test('is not created by them', async () => {
    const cwd = await mkdtemp(join(tmpdir(), 'tutti-cli-'))
    try {
      const env = { DATABASE_URL: '', TUTTI_DATA_DIR: '' }
      const { code, stderr } = await runTutti(['user', 'add', 'clara', '--generate'], { env, cwd })
      expect(code).toBe(1)
      expect(stderr).toMatch(/^tutti: There is no database at .*\.tutti yet\. /)
      expect(await readdir(cwd)).toEqual([])
    } finally {
      await rm(cwd, { recursive: true, force: true })
    }
  })

  test('may be the embedded one, beside a running platform and alone', async () => {
    await using folder = await createDataFolder({ copyOf: inject('madeDataFolder') })
    const env = { DATABASE_URL: '', TUTTI_DATA_DIR: folder.path }
    {
      await using platform = await startPlatformIn(folder.path)
      const { stdout } = await runTutti(['user', 'add', 'clara', '--generate'], { env })
      expect(await signInStatus(platform, { username: 'clara', password: stdout.trim() })).toBe(200)
      await platform.process.kill('SIGTERM')
    }
    expect(folder.serverPid()).toBeUndefined()
    expect((await runTutti(['user', 'list'], { env })).stdout).toMatch(/^clara .*active/m)
    expect(folder.serverPid()).toBeUndefined()
  })
})
