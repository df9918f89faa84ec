import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bearer, call, type ErrorBody, login, type Tokens } from './identity-calls.ts'
import {
  addAccount,
  eventsOf,
  freshAddress,
  type IdentityServer,
  startIdentityServer,
  startIdentityServerOn,
} from './identity-server.ts'

const amy = { username: 'amy', password: 'gaelic symphony', roles: ['author'] }

let server: IdentityServer
let amyId: string
let tokens: Tokens

beforeAll(async () => {
  server = await startIdentityServer()
  amyId = await addAccount(server.database, amy)
})

afterAll(() => server[Symbol.asyncDispose]())

beforeEach(async () => {
  tokens = await login(server, amy)
})

const tryLogin = (body: unknown) =>
  call(server, 'POST /api/v1/auth/login', { as: { 'x-forwarded-for': freshAddress() }, body })

const refresh = <Body = Tokens>(refreshToken: unknown, on = server, ip = freshAddress()) =>
  call<Body>(on, 'POST /api/v1/auth/refresh', { as: { 'x-forwarded-for': ip }, body: { refreshToken } })

const logout = (as: Record<string, string>, body?: unknown) =>
  call(server, 'POST /api/v1/auth/logout', { as, body })

const profile = (token: string, on = server) => call(on, 'GET /api/v1/user/profile', { as: bearer(token) })

async function profileStatus(token: string, on = server): Promise<number> {
  return (await profile(token, on)).status
}

describe('signing in for tokens', () => {
  test('returns a token, a refresh token, and the lifetime', async () => {
    const answer = await call<Tokens>(server, 'POST /api/v1/auth/login', {
      body: { username: 'AMY', password: amy.password },
    })
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refreshToken: expect.stringMatching(/^tr_[\w-]{43}$/),
      expiresIn: 900,
    })
    expect((await eventsOf(server, 'identity.signed_in')).at(-1)).toMatchObject({
      account: amyId,
      data: { method: 'token' },
    })
  })

  test('the token has the permissions of its account, and needs no CSRF token', async () => {
    const seen = await call(server, 'GET /api/v1/content', { as: bearer(tokens.token) })
    expect(seen.body).toMatchObject({ id: amyId, method: 'token', roles: ['authenticated', 'author'] })
    const written = await call(server, 'POST /api/v1/content', { as: bearer(tokens.token), body: {} })
    expect(written.body).toEqual({ written_by: 'amy' })
  })

  test('a wrong password and an unknown name get the same response', async () => {
    const [wrong, unknown] = [
      await tryLogin({ username: 'amy', password: 'wrong' }),
      await tryLogin({ username: 'unknown', password: 'wrong' }),
    ]
    expect([wrong.status, unknown.status]).toEqual([401, 401])
    expect(wrong.headers.get('www-authenticate')).toContain('Bearer')
    const { request_id: _one, ...first } = wrong.body.error as ErrorBody['error'] & { request_id: string }
    const { request_id: _two, ...second } = unknown.body.error as ErrorBody['error'] & { request_id: string }
    expect(first).toEqual(second)
    expect(first.code).toBe('invalid_credentials')
  })

  test.each([
    {},
    { username: 'amy' },
    { password: 'x' },
    { username: '', password: 'x' },
    { username: 1, password: 'x' },
    null,
    [],
  ])('%j is refused', async (body) => {
    const answer = await call(server, 'POST /api/v1/auth/login', { body })
    expect([answer.status, answer.body.error.code]).toEqual([400, 'invalid_request'])
  })

  test('is limited like the form', async () => {
    const as = { 'x-forwarded-for': freshAddress() }
    const statuses: number[] = []
    for (let attempt = 0; attempt < 11; attempt += 1) {
      const body = { username: `user ${attempt}`, password: 'wrong' }
      statuses.push((await call(server, 'POST /api/v1/auth/login', { as, body })).status)
    }
    expect(statuses).toEqual([...Array.from({ length: 10 }, () => 401), 429])
  })
})

describe('renewing', () => {
  test('returns a new pair; the first token stays valid until it expires', async () => {
    const answer = await refresh(tokens.refreshToken)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).toEqual({
      token: expect.stringMatching(/^ey/),
      refreshToken: expect.stringMatching(/^tr_/),
      expiresIn: 900,
    })
    expect(answer.body.refreshToken).not.toBe(tokens.refreshToken)
    expect(answer.body.token).not.toBe(tokens.token)
    expect(await profileStatus(tokens.token)).toBe(200)
    expect(await profileStatus(answer.body.token)).toBe(200)
    expect((await refresh(answer.body.refreshToken)).status).toBe(200)
  })

  test('twice with one token revokes everything of the sign-in', async () => {
    const other = await login(server, amy)
    const renewed = (await refresh(tokens.refreshToken)).body
    const before = (await eventsOf(server, 'identity.refresh_token_reused')).length
    const ip = freshAddress()
    const reused = await refresh<ErrorBody>(tokens.refreshToken, server, ip)
    expect([reused.status, reused.body.error.code]).toEqual([401, 'invalid_token'])
    expect(reused.headers.get('www-authenticate')).toContain('invalid_token')
    expect((await refresh(renewed.refreshToken)).status).toBe(401)
    expect(await profileStatus(renewed.token)).toBe(401)
    expect(await profileStatus(tokens.token)).toBe(401)
    // Another sign-in of the same account is not affected.
    expect(await profileStatus(other.token)).toBe(200)
    const told = await eventsOf(server, 'identity.refresh_token_reused')
    expect(told.length).toBe(before + 1)
    expect(told.at(-1)).toMatchObject({ account: amyId, data: { ip } })
  })

  test('of many concurrent requests with one token, exactly one succeeds, and then the family is revoked', async () => {
    await using replica = await startIdentityServerOn(server.database)
    const before = (await eventsOf(server, 'identity.refresh_token_reused')).length
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, index) => refresh(tokens.refreshToken, index % 2 ? replica : server)),
    )
    const won = answers.filter(({ status }) => status === 200)
    expect(won).toHaveLength(1)
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(9)
    const renewed = won[0]?.body
    expect((await refresh(renewed?.refreshToken)).status).toBe(401)
    for (const on of [server, replica]) {
      await expect.poll(() => profileStatus(renewed?.token ?? '', on)).toBe(401)
    }
    expect((await eventsOf(server, 'identity.refresh_token_reused')).length).toBe(before + 1)
  })

  test('may be repeated within the grace period, where one is set', async () => {
    await using lenient = await startIdentityServerOn(server.database, { TUTTI_REFRESH_GRACE: '30s' })
    const answers = await Promise.all([1, 2, 3].map(() => refresh(tokens.refreshToken, lenient)))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect(new Set(answers.map(({ body }) => body.refreshToken)).size).toBe(3)
    for (const { body } of answers) expect(await profileStatus(body.token, lenient)).toBe(200)

    await server.database.query(
      `update identity_refresh_tokens set used_at = used_at - interval '31 seconds'`,
    )
    expect((await refresh(tokens.refreshToken, lenient)).status).toBe(401)
    expect((await refresh(answers[0]?.body.refreshToken, lenient)).status).toBe(401)
  })

  test('ends after thirty days', async () => {
    const [row] = await server.database.query<{ days: number }>(`
      select extract(epoch from max(expires_at) - now())::float8 / 86400 as days from identity_refresh_tokens
    `)
    expect(row?.days).toBeCloseTo(30, 1)
    await server.database.query(`update identity_refresh_tokens set expires_at = now()`)
    const late = await refresh<ErrorBody>(tokens.refreshToken)
    expect([late.status, late.body.error.code]).toEqual([401, 'invalid_token'])
    // An expired token is no reuse: valid tokens are not revoked.
    expect(await profileStatus(tokens.token)).toBe(200)
  })

  test.each([
    ['one that is made up', `tr_${'A'.repeat(43)}`, 401],
    ['an access token', 'ey.ey.ey', 401],
    ['nothing', '', 400],
    ['no text', 7, 400],
    ['far too much', 'x'.repeat(257), 400],
  ])('is refused with %s', async (_name, refreshToken, status) => {
    expect((await refresh(refreshToken)).status).toBe(status)
  })

  test('is limited to 60 a minute for one address', async () => {
    const ip = freshAddress()
    const statuses: number[] = []
    for (let attempt = 0; attempt < 61; attempt += 1) {
      statuses.push((await refresh(`tr_guess ${attempt}`, server, ip)).status)
    }
    expect(new Set(statuses.slice(0, 60))).toEqual(new Set([401]))
    expect(statuses.at(-1)).toBe(429)
    const limited = await refresh<ErrorBody>(tokens.refreshToken, server, ip)
    expect(limited.body.error.code).toBe('rate_limited')
    expect(Number(limited.headers.get('retry-after'))).toBeGreaterThan(0)
    expect((await refresh(tokens.refreshToken)).status).toBe(200)
  })

  test('never fails while others end the same sign-in', async () => {
    for (let round = 0; round < 10; round += 1) {
      const [a, b] = [await login(server, amy), await login(server, amy)]
      const [freshA, freshB] = [await refresh(a.refreshToken), await refresh(b.refreshToken)]
      const answers = await Promise.all([
        refresh(freshA.body.refreshToken),
        refresh(a.refreshToken),
        logout({}, { refreshToken: freshA.body.refreshToken }),
        call(server, 'DELETE /api/v1/sessions', { as: bearer(freshB.body.token) }),
        refresh(freshB.body.refreshToken),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
    }
  })
})

describe('signing out', () => {
  test('by the access token ends it and its refresh token, here and on another replica', async () => {
    await using replica = await startIdentityServerOn(server.database)
    expect(await profileStatus(tokens.token, replica)).toBe(200)
    expect((await logout(bearer(tokens.token))).status).toBe(204)
    const refused = await profile(tokens.token)
    expect([refused.status, refused.body.error.code]).toEqual([401, 'invalid_token'])
    expect((await refresh(tokens.refreshToken)).status).toBe(401)
    await expect.poll(() => profileStatus(tokens.token, replica)).toBe(401)
    expect((await eventsOf(server, 'identity.signed_out')).at(-1)).toMatchObject({
      account: amyId,
      data: { method: 'token' },
    })
  })

  test('by the refresh token ends both, too', async () => {
    expect((await logout({}, { refreshToken: tokens.refreshToken })).status).toBe(204)
    expect(await profileStatus(tokens.token)).toBe(401)
    expect((await refresh(tokens.refreshToken)).status).toBe(401)
  })

  test('is known to a replica that starts later', async () => {
    await logout(bearer(tokens.token))
    await using replica = await startIdentityServerOn(server.database)
    expect(await profileStatus(tokens.token, replica)).toBe(401)
  })

  test('with an unknown refresh token succeeds', async () => {
    expect((await logout({}, { refreshToken: 'tr_nobody' })).status).toBe(204)
    expect(await profileStatus(tokens.token)).toBe(200)
  })

  test('requires a token', async () => {
    const nothing = await logout({})
    expect([nothing.status, nothing.body.error.code]).toEqual([400, 'invalid_request'])
    const key = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
      as: bearer(tokens.token),
      body: { name: 'k' },
    })
    const byKey = await logout(bearer(key.body.key))
    expect(byKey.status).toBe(400)
    expect(byKey.body.error.message).toContain('/api/v1/api-keys')
    expect((await logout(bearer('ey.ey.ey'))).status).toBe(401)
  })
})

test('the tokens of a disabled account are refused, and it gets no new ones', async () => {
  const ruth = { username: 'ruth', password: 'string quartet 1931' }
  const id = await addAccount(server.database, ruth)
  const held = await login(server, ruth)
  expect(await profileStatus(held.token)).toBe(200)
  await server.database.query('update identity_users set disabled_at = now() where id = $1', [id])
  await expect.poll(() => profileStatus(held.token)).toBe(401)
  expect((await refresh(held.refreshToken)).status).toBe(401)
  const answer = await tryLogin(ruth)
  expect([answer.status, answer.body.error.code]).toEqual([401, 'invalid_credentials'])
  expect((await eventsOf(server, 'identity.sign_in_failed')).at(-1)?.data).toMatchObject({
    reason: 'account_disabled',
  })
})

test('expired tokens are deleted by the clean-up, and valid ones stay', async () => {
  const kept = await login(server, amy)
  await server.database.query(`
    update identity_token_families set expires_at = now() - interval '1 second'
    where id <> (select id from identity_token_families order by created_at desc limit 1)
  `)
  await server.database.query(`
    insert into identity_revocations (id, forget_at) values ('long ago', now() - interval '1 second')
  `)
  await server.identity.cleanUp.run()
  expect(await server.database.query('select from identity_token_families')).toHaveLength(1)
  expect(await server.database.query(`select from identity_revocations where id = 'long ago'`)).toEqual([])
  expect((await refresh(kept.refreshToken)).status).toBe(200)
})
