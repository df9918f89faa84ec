import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bearer, browser, call, type ListBody, login, type Tokens } from './identity-calls.ts'
import {
  addAccount,
  type BrowserSession,
  basic,
  eventsOf,
  freshAddress,
  type IdentityServer,
  openSession,
  setCookieOf,
  startIdentityServer,
  startIdentityServerOn,
} from './identity-server.ts'

interface SignIn {
  readonly id: string
  readonly kind: 'browser' | 'token'
  readonly current: boolean
}

const lili = { username: 'lili', password: 'pie jesu 1918' }
const nadia = { username: 'nadia', password: 'la ville morte' }

let server: IdentityServer
let liliId: string

beforeAll(async () => {
  server = await startIdentityServer()
  liliId = await addAccount(server.database, lili)
  await addAccount(server.database, nadia)
})

afterAll(() => server[Symbol.asyncDispose]())

beforeEach(async () => {
  await server.database.query('delete from identity_sessions')
  await server.database.query('delete from identity_token_families')
})

async function list(as: Record<string, string>, query = ''): Promise<ListBody<SignIn>> {
  const { status, body } = await call<ListBody<SignIn>>(server, `GET /api/v1/sessions${query}`, { as })
  expect(status).toBe(200)
  return body
}

const end = (id: string, as: Record<string, string>) => call(server, `DELETE /api/v1/sessions/${id}`, { as })

async function profileStatus(as: Record<string, string>, on = server): Promise<number> {
  return (await call(on, 'GET /api/v1/user/profile', { as })).status
}

async function refreshStatus({ refreshToken }: Tokens): Promise<number> {
  const as = { 'x-forwarded-for': freshAddress() }
  return (await call(server, 'POST /api/v1/auth/refresh', { as, body: { refreshToken } })).status
}

const cookieOnly = ({ cookie }: BrowserSession) => ({ cookie })

describe('the list', () => {
  test('has own browsers and programs, and marks the current one', async () => {
    const session = await openSession(server, lili)
    const tokens = await login(server, lili)
    await openSession(server, nadia)
    await login(server, nadia)

    const byBrowser = await list(cookieOnly(session))
    expect(byBrowser).toEqual({
      total: 2,
      data: [
        {
          id: expect.any(String),
          kind: 'browser',
          current: true,
          created_at: expect.stringMatching(/Z$/),
          last_seen_at: expect.stringMatching(/Z$/),
          expires_at: expect.stringMatching(/Z$/),
          ip: expect.stringMatching(/^10\.0\./),
          user_agent: 'node',
        },
        expect.objectContaining({ kind: 'token', current: false, ip: expect.stringMatching(/^10\.0\./) }),
      ],
    })
    const byToken = await list(bearer(tokens.token))
    expect(byToken.data.map(({ kind, current }) => [kind, current])).toEqual([
      ['token', true],
      ['browser', false],
    ])
    expect(byToken.data.map(({ id }) => id)).toEqual(byBrowser.data.map(({ id }) => id).toReversed())
    const byPassword = await list(basic(lili.username, lili.password))
    expect(byPassword.data.map(({ current }) => current)).toEqual([false, false])
  })

  test('omits ended ones', async () => {
    const session = await openSession(server, lili)
    await openSession(server, lili)
    await login(server, lili)
    await server.database.query(
      'update identity_sessions set expires_at = now() where id <> sha256(convert_to($1, $2))',
      [session.cookie.slice('SESS='.length), 'utf8'],
    )
    await server.database.query('update identity_token_families set expires_at = now()')
    expect(await list(cookieOnly(session))).toMatchObject({ total: 1, data: [{ current: true }] })
  })

  test('has stable pages while others sign in', async () => {
    for (let round = 0; round < 4; round += 1) await login(server, lili)
    const session = await openSession(server, lili)
    const all = await list(cookieOnly(session))
    const first = await list(cookieOnly(session), '?limit=3')
    await login(server, lili)
    const second = await list(cookieOnly(session), '?limit=3&page=2')
    const ids = [...first.data, ...second.data].map(({ id }) => id)
    expect(ids.slice(0, 5)).toEqual(all.data.map(({ id }) => id))
    expect(second.total).toBe(6)
  })

  test('requires a credential', async () => {
    expect((await call(server, 'GET /api/v1/sessions')).status).toBe(401)
  })
})

describe('ending one', () => {
  test('signs another browser out', async () => {
    const [mine, other] = [await openSession(server, lili), await openSession(server, lili)]
    const [current, listed] = (await list(cookieOnly(mine))).data
    expect(current?.current).toBe(true)
    const answer = await end(listed?.id ?? '', browser(mine))
    expect(answer.status).toBe(204)
    expect(answer.headers.getSetCookie()).toEqual([])
    expect(await profileStatus(cookieOnly(other))).toBe(401)
    expect(await profileStatus(cookieOnly(mine))).toBe(200)
    expect((await eventsOf(server, 'identity.session_ended')).at(-1)).toMatchObject({
      subject: listed?.id,
      account: liliId,
      data: { by: liliId, kind: 'browser', ip: '127.0.0.1', user_agent: 'node' },
    })
    expect((await end(listed?.id ?? '', browser(mine))).status).toBe(404)
  })

  test('revokes the access token and refresh token of a program at once, here and on another replica', async () => {
    await using replica = await startIdentityServerOn(server.database)
    const session = await openSession(server, lili)
    const tokens = await login(server, lili)
    expect(await profileStatus(bearer(tokens.token))).toBe(200)
    expect(await profileStatus(bearer(tokens.token), replica)).toBe(200)
    const program = (await list(cookieOnly(session))).data.find(({ kind }) => kind === 'token')
    expect((await end(program?.id ?? '', browser(session))).status).toBe(204)
    expect(await profileStatus(bearer(tokens.token))).toBe(401)
    await expect.poll(() => profileStatus(bearer(tokens.token), replica)).toBe(401)
    expect(await refreshStatus(tokens)).toBe(401)
    expect((await eventsOf(server, 'identity.session_ended')).at(-1)?.data).toMatchObject({ kind: 'token' })
  })

  test('of the current one signs out, and removes the cookie', async () => {
    const session = await openSession(server, lili)
    const [current] = (await list(cookieOnly(session))).data
    const answer = await fetch(`${server.url}/api/v1/sessions/${current?.id}`, {
      method: 'DELETE',
      headers: browser(session),
    })
    expect(answer.status).toBe(204)
    expect(setCookieOf(answer)).toMatch(/^SESS=; .*Expires=Thu, 01 Jan 1970/)
    expect(await profileStatus(cookieOnly(session))).toBe(401)
  })

  test('of another account is not found', async () => {
    const hers = await openSession(server, nadia)
    const [listed] = (await list(cookieOnly(hers))).data
    const mine = await openSession(server, lili)
    expect((await end(listed?.id ?? '', browser(mine))).status).toBe(404)
    expect(await profileStatus(cookieOnly(hers))).toBe(200)
  })

  test('requires the CSRF token of the session, and an id', async () => {
    const session = await openSession(server, lili)
    const [current] = (await list(cookieOnly(session))).data
    expect((await end(current?.id ?? '', cookieOnly(session))).body.error.code).toBe('invalid_csrf_token')
    expect((await end('current', browser(session))).status).toBe(404)
  })
})

describe('ending all others', () => {
  test('keeps the current browser', async () => {
    const [mine, other] = [await openSession(server, lili), await openSession(server, lili)]
    const tokens = await login(server, lili)
    const hers = await openSession(server, nadia)
    expect((await call(server, 'DELETE /api/v1/sessions', { as: browser(mine) })).status).toBe(204)
    expect(await profileStatus(cookieOnly(mine))).toBe(200)
    expect(await profileStatus(cookieOnly(other))).toBe(401)
    expect(await profileStatus(bearer(tokens.token))).toBe(401)
    expect(await refreshStatus(tokens)).toBe(401)
    expect(await profileStatus(cookieOnly(hers))).toBe(200)
    expect((await eventsOf(server, 'identity.session_ended')).at(-1)).toMatchObject({
      subject: liliId,
      data: { kind: 'all_others', count: 2 },
    })
  })

  test('keeps the current program', async () => {
    const [mine, other] = [await login(server, lili), await login(server, lili)]
    const session = await openSession(server, lili)
    expect((await call(server, 'DELETE /api/v1/sessions', { as: bearer(mine.token) })).status).toBe(204)
    expect(await profileStatus(bearer(mine.token))).toBe(200)
    expect(await profileStatus(bearer(other.token))).toBe(401)
    expect(await profileStatus(cookieOnly(session))).toBe(401)
    expect(await refreshStatus(mine)).toBe(200)
  })

  test('by a password keeps none, and API keys stay', async () => {
    const tokens = await login(server, lili)
    const key = await call<{ key: string }>(server, 'POST /api/v1/api-keys', {
      as: bearer(tokens.token),
      body: { name: 'k' },
    })
    const as = basic(lili.username, lili.password)
    expect((await call(server, 'DELETE /api/v1/sessions', { as })).status).toBe(204)
    expect(await profileStatus(bearer(tokens.token))).toBe(401)
    expect(await profileStatus(bearer(key.body.key))).toBe(200)
  })

  test('that ends nothing writes no event', async () => {
    const session = await openSession(server, lili)
    const before = (await eventsOf(server, 'identity.session_ended')).length
    expect((await call(server, 'DELETE /api/v1/sessions', { as: browser(session) })).status).toBe(204)
    expect((await eventsOf(server, 'identity.session_ended')).length).toBe(before)
  })
})
