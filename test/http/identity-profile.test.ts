import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bearer, browser, call, type ErrorBody, login } from './identity-calls.ts'
import {
  addAccount,
  basic,
  eventsOf,
  freshAddress,
  type IdentityServer,
  openSession,
  startIdentityServer,
  startIdentityServerOn,
} from './identity-server.ts'

interface Profile {
  readonly id: string
  readonly email: string | null
  readonly display_name: string
  readonly permissions: readonly string[]
  readonly limits: Readonly<Record<string, number>>
}

const first = 'the first password'
const second = 'the second password'

let server: IdentityServer
let account: { username: string; password: string }
let id: string
let round = 0

beforeAll(async () => {
  server = await startIdentityServer()
})

afterAll(() => server[Symbol.asyncDispose]())

beforeEach(async () => {
  round += 1
  account = { username: `person ${round}`, password: first }
  id = await addAccount(server.database, { ...account, roles: ['author'] })
})

const change = <Body = Profile>(body: unknown, as: Record<string, string>) =>
  call<Body>(server, 'PATCH /api/v1/user/profile', { as, body })

const changePassword = (
  as: Record<string, string>,
  { current = first, next = second }: { current?: unknown; next?: unknown } = {},
) =>
  call(server, 'POST /api/v1/user/password', {
    as: { 'x-forwarded-for': freshAddress(), ...as },
    body: { current_password: current, new_password: next },
  })

async function profileStatus(as: Record<string, string>, on = server): Promise<number> {
  return (await call(on, 'GET /api/v1/user/profile', { as })).status
}

describe('the profile', () => {
  test('shows a restricted key its account and the permissions of the account', async () => {
    const as = bearer((await login(server, account)).token)
    const key = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
      as,
      body: { name: 'k', scopes: ['models.read'] },
    })
    const { body } = await call<Profile>(server, 'GET /api/v1/user/profile', { as: bearer(key.body.key) })
    expect(body.id).toBe(id)
    expect(body.permissions).toContain('run workflows')
  })

  test('shows the limits of the tier, those of the installation included', async () => {
    await using own = await startIdentityServerOn(server.database, { TUTTI_CUSTOM_TIER: '77,3,2.5' })
    const as = basic(account.username, first)
    const limits = async (on: IdentityServer) =>
      (await call<Profile>(on, 'GET /api/v1/user/profile', { as })).body.limits
    expect(await limits(own)).toEqual({
      requests_per_hour: 500,
      concurrent_workflows: 5,
      dollars_per_day: 10,
    })
    await server.database.query(`update identity_users set tier = 'custom' where id = $1`, [id])
    expect(await limits(own)).toEqual({
      requests_per_hour: 77,
      concurrent_workflows: 3,
      dollars_per_day: 2.5,
    })
    expect(await limits(server)).toEqual({
      requests_per_hour: 1000,
      concurrent_workflows: 20,
      dollars_per_day: 100,
    })
  })

  test('is changed by its owner, who is named in the event', async () => {
    const as = browser(await openSession(server, account))
    const changed = await change({ email: 'me@example.org', display_name: 'Maria Szymanowska' }, as)
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ id, email: 'me@example.org', display_name: 'Maria Szymanowska' })
    expect((await call<Profile>(server, 'GET /api/v1/user/profile', { as })).body).toEqual(changed.body)
    expect((await change({ email: null }, as)).body).toMatchObject({
      email: null,
      display_name: 'Maria Szymanowska',
    })
    const event = (await eventsOf(server, 'identity.account_changed')).find((it) => it.account === id)
    expect(event?.data).toMatchObject({ by: id, changed: ['email', 'display_name'] })
  })

  test.each([
    ['roles', { roles: ['administrator'] }],
    ['the tier', { tier: 'enterprise' }],
    ['the username', { username: 'other' }],
    ['the password', { password: second }],
    ['nothing', {}],
    ['an invalid address', { email: 'invalid' }],
    ['a blank name', { display_name: ' ' }],
    ['a name with half a character', { display_name: '\ud800' }],
    ['a name with a NUL', { display_name: 'a\0b' }],
  ])('does not change with %s', async (_name, body) => {
    const as = bearer((await login(server, account)).token)
    const answer = await change<ErrorBody>(body, as)
    expect(answer.status).toBe(400)
    expect(answer.body.error.code).toBe('invalid_request')
  })

  test('requires a credential and a CSRF token', async () => {
    expect((await change({ display_name: 'x' }, {})).status).toBe(401)
    const { cookie } = await openSession(server, account)
    expect((await change({ display_name: 'x' }, { cookie })).status).toBe(403)
  })
})

describe('a new password', () => {
  test('applies at once, and keeps only the current browser signed in', async () => {
    await using replica = await startIdentityServerOn(server.database)
    const mine = await openSession(server, account)
    const other = await openSession(server, account)
    const tokens = await login(server, account)
    const key = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
      as: bearer(tokens.token),
      body: { name: 'k' },
    })
    expect(await profileStatus(basic(account.username, first))).toBe(200)
    expect(await profileStatus(bearer(tokens.token), replica)).toBe(200)

    expect((await changePassword(browser(mine))).status).toBe(204)
    expect(await profileStatus({ cookie: mine.cookie })).toBe(200)
    expect(await profileStatus({ cookie: other.cookie })).toBe(401)
    expect(await profileStatus(bearer(tokens.token))).toBe(401)
    await expect.poll(() => profileStatus(bearer(tokens.token), replica)).toBe(401)
    const refreshed = await call(server, 'POST /api/v1/auth/refresh', {
      body: { refreshToken: tokens.refreshToken },
    })
    expect(refreshed.body.error.code).toBe('invalid_token')
    expect(await profileStatus(bearer(key.body.key))).toBe(200)
    expect(await profileStatus(basic(account.username, first))).toBe(401)
    expect(await profileStatus(basic(account.username, second))).toBe(200)

    const event = (await eventsOf(server, 'identity.password_changed')).at(-1)
    expect(event).toMatchObject({ subject: id, account: id, data: { by: id, user_agent: 'node' } })
    for (const password of [first, second]) expect(JSON.stringify(event)).not.toContain(password)
  })

  test('keeps the current program signed in', async () => {
    const [mine, other] = [await login(server, account), await login(server, account)]
    expect((await changePassword(bearer(mine.token))).status).toBe(204)
    expect(await profileStatus(bearer(mine.token))).toBe(200)
    expect(await profileStatus(bearer(other.token))).toBe(401)
  })

  test('keeps the consents of applications', async () => {
    await server.database.query(
      `
        insert into identity_oauth_records (model, id, payload, grant_id, user_id)
        values ('Grant', sha256(convert_to($1::text, 'utf8')), '{}', $1::text, $1::uuid)
      `,
      [id],
    )
    const { token } = await login(server, account)
    expect((await changePassword(bearer(token))).status).toBe(204)
    expect(
      await server.database.query('select from identity_oauth_records where user_id = $1', [id]),
    ).toHaveLength(1)
  })

  test.each([
    ['the current one is wrong', { current: 'not the password' }, 'current_password'],
    ['it is too short', { next: 'short' }, 'new_password'],
    ['it is the same', { next: first }, 'new_password'],
    ['it is no text', { next: 12_345_678 }, 'new_password'],
    ['the current one is empty', { current: '' }, 'current_password'],
  ])('is refused when %s', async (_name, passwords, path) => {
    const session = await openSession(server, account)
    const answer = await changePassword(browser(session), passwords)
    // Not 401: the caller is signed in, and stays so.
    expect(answer.status).toBe(400)
    expect(answer.body.error).toMatchObject({ code: 'invalid_request', problems: [{ path }] })
    expect(await profileStatus({ cookie: session.cookie })).toBe(200)
    expect(await profileStatus(basic(account.username, first))).toBe(200)
  })

  test('cannot be guessed with an open session', async () => {
    const session = await openSession(server, account)
    const as = { ...browser(session), 'x-forwarded-for': freshAddress() }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 11; attempt += 1) {
      statuses.push((await changePassword(as, { current: `guess ${attempt}` })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 400), 429])
    const limited = await changePassword(as)
    expect([limited.status, limited.body.error.code]).toEqual([429, 'rate_limited'])
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await eventsOf(server, 'identity.sign_in_failed')).at(-1)).toMatchObject({
      account: id,
      data: { method: 'profile', reason: 'wrong_password' },
    })
  })

  test('of two concurrent changes, one is the password', async () => {
    const [one, other] = [await login(server, account), await login(server, account)]
    const answers = await Promise.all([
      changePassword(bearer(one.token), { next: 'chosen by one' }),
      changePassword(bearer(other.token), { next: 'chosen by the other' }),
    ])
    const won = answers.findIndex(({ status }) => status === 204)
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(1)
    const chosen = ['chosen by one', 'chosen by the other'][won] ?? ''
    expect(await profileStatus(basic(account.username, chosen))).toBe(200)
  })

  test('requires a credential, and the CSRF token of the session', async () => {
    expect((await changePassword({})).status).toBe(401)
    const { cookie } = await openSession(server, account)
    expect((await changePassword({ cookie })).body.error.code).toBe('invalid_csrf_token')
  })
})
