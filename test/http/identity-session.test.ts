import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  addAccount,
  type BrowserSession,
  errorCode,
  eventsOf,
  type IdentityServer,
  openSession,
  setCookieOf,
  startIdentityServer,
} from './identity-server.ts'

const fanny = { username: 'fanny', password: 'das jahr 1841', roles: ['author'] }
const felix = { username: 'felix', password: 'lieder ohne worte' }

let server: IdentityServer
let session: BrowserSession

beforeAll(async () => {
  server = await startIdentityServer()
  await addAccount(server.database, fanny)
  await addAccount(server.database, felix)
})

afterAll(() => server[Symbol.asyncDispose]())

beforeEach(async () => {
  await server.database.query('delete from identity_sessions')
  session = await openSession(server, fanny)
})

const get = (path: string, headers: Record<string, string> = { cookie: session.cookie }) =>
  fetch(server.url + path, { headers })

const giveFeedback = (csrfToken: string) =>
  fetch(`${server.url}/api/v1/feedback`, { method: 'POST', headers: { 'x-csrf-token': csrfToken } })

const write = (headers: Record<string, string>, method = 'POST') =>
  fetch(`${server.url}/api/v1/content`, { method, headers })

/** Runs a statement whose `$1` is the account. */
const query = (statement: string) => server.database.query(statement, [session.userId])

const signOut = (headers: Record<string, string>, fields?: Record<string, string>) =>
  fetch(`${server.url}/user/logout`, {
    method: 'POST',
    redirect: 'manual',
    headers,
    ...(fields && { body: new URLSearchParams(fields) }),
  })

describe('the profile', () => {
  test('shows the account, its roles and their combined permissions', async () => {
    const answer = await get('/api/v1/user/profile')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({
      id: session.userId,
      username: 'fanny',
      email: null,
      display_name: 'fanny',
      roles: ['authenticated', 'author'],
      permissions: [
        'access content',
        'create recipe tours',
        'edit recipe tours',
        'export recipe tours',
        'run workflows',
        'view recipe tour analytics',
      ],
      tier: 'professional',
      created_at: expect.stringMatching(/^\d{4}-.*Z$/),
      last_login_at: expect.stringMatching(/^\d{4}-.*Z$/),
      limits: { requests_per_hour: 500, concurrent_workflows: 5, dollars_per_day: 10 },
    })
  })
})

describe('a session', () => {
  test.each([
    ['its time is over', 'update identity_sessions set expires_at = now() where user_id = $1'],
    ['it is deleted', 'delete from identity_sessions where user_id = $1'],
    ['the account is disabled', 'update identity_users set disabled_at = now() where id = $1'],
  ])('is anonymous once %s', async (_name, statement) => {
    await query(statement)
    expect((await get('/api/v1/user/profile')).status).toBe(401)
    expect(await (await get('/api/v1/content')).json()).toMatchObject({ id: null, roles: ['anonymous'] })
    const page = await fetch(`${server.url}/user/login`, { headers: { cookie: session.cookie } })
    expect(page.status).toBe(200)
    await query('update identity_users set disabled_at = null where id = $1')
  })

  test.each(['SESS=', 'SESS=x', `SESS=${'A'.repeat(43)}`, `SESS=${"' or 1=1 --".padEnd(43, 'x')}`])(
    'cannot be forged: %s',
    async (cookie) => {
      expect((await get('/api/v1/user/profile', { cookie })).status).toBe(401)
    },
  )

  test('is updated at most once a minute and extended while it is used', async () => {
    const times = async () => {
      const [row] = await server.database.query<{ seen: Date; expires: Date }>(
        'select last_seen_at as seen, expires_at as expires from identity_sessions where user_id = $1',
        [session.userId],
      )
      return row
    }
    const first = await times()
    await get('/api/v1/user/profile')
    expect(await times()).toEqual(first)

    await query(`
      update identity_sessions
      set last_seen_at = now() - interval '2 minutes', expires_at = now() + interval '1 hour'
      where user_id = $1
    `)
    await get('/api/v1/user/profile')
    const [row] = await server.database.query<{ renewed: boolean }>(
      `
        select last_seen_at > now() - interval '1 minute' and expires_at > now() + interval '11 hours' as renewed
        from identity_sessions where user_id = $1
      `,
      [session.userId],
    )
    expect(row).toEqual({ renewed: true })
  })

  test('never exceeds its maximum lifetime', async () => {
    await query(`
      update identity_sessions
      set created_at = now() - interval '167 hours', last_seen_at = now() - interval '2 minutes'
      where user_id = $1
    `)
    await get('/api/v1/user/profile')
    const [row] = await server.database.query<{ hours: number }>(
      `
        select extract(epoch from max(expires_at) - now())::float8 / 3600 as hours
        from identity_sessions where user_id = $1
      `,
      [session.userId],
    )
    expect(row?.hours).toBeGreaterThan(0.9)
    expect(row?.hours).toBeLessThan(1.1)
  })

  test('that has ended is deleted by the clean-up', async () => {
    await query('update identity_sessions set expires_at = now() where user_id = $1')
    await server.database.query(`update identity_sign_in_limits set forget_at = now()`)
    await server.identity.cleanUp.run()
    expect(await query('select from identity_sessions where user_id = $1')).toEqual([])
    expect(await server.database.query('select from identity_sign_in_limits')).toEqual([])
  })
})

describe('a write with the cookie', () => {
  test.each(['POST', 'PUT', 'PATCH', 'DELETE'])(
    '%s requires the CSRF token of the session',
    async (method) => {
      const { cookie, csrfToken } = session
      const other = await openSession(server, felix)
      const refused = [
        await write({ cookie }, method),
        await write({ cookie, 'x-csrf-token': '' }, method),
        await write({ cookie, 'x-csrf-token': 'A'.repeat(43) }, method),
        await write({ cookie, 'x-csrf-token': other.csrfToken }, method),
      ]
      for (const answer of refused) {
        expect(answer.status).toBe(403)
        expect(await errorCode(answer)).toBe('invalid_csrf_token')
      }
      const accepted = await write({ cookie, 'x-csrf-token': csrfToken }, method)
      expect(await accepted.json()).toEqual({ written_by: 'fanny' })
    },
  )

  test('of an ended session is anonymous', async () => {
    await server.database.query('delete from identity_sessions where user_id = $1', [session.userId])
    const answer = await write({ cookie: session.cookie, 'x-csrf-token': session.csrfToken })
    expect(answer.status).toBe(401)
  })

  test('the token of an earlier session of the same account is refused', async () => {
    const later = await openSession(server, fanny)
    expect((await write({ cookie: later.cookie, 'x-csrf-token': session.csrfToken })).status).toBe(403)
  })
})

describe('GET /session/token', () => {
  test('returns the token, as text', async () => {
    const answer = await get('/session/token')
    expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.text()).toBe(session.csrfToken)
  })

  test('without a session returns a token for writes without a sign-in', async () => {
    const answer = await get('/session/token', {})
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    const token = await answer.text()
    expect((await giveFeedback(token)).status).toBe(200)
    for (const wrong of ['', `${token}x`, token.split('.')[0] ?? '', `0.${token.split('.')[1]}`, 'zzz.zzz']) {
      const refused = await giveFeedback(wrong)
      expect(refused.status).toBe(403)
      expect(await errorCode(refused)).toBe('invalid_csrf_token')
    }
  })
})

describe('signing out', () => {
  test('ends the session for a script', async () => {
    const { cookie, csrfToken } = session
    const answer = await signOut({ cookie, 'x-csrf-token': csrfToken })
    expect(answer.status).toBe(204)
    expect(setCookieOf(answer)).toMatch(/^SESS=; .*Expires=Thu, 01 Jan 1970/)
    expect((await get('/api/v1/user/profile')).status).toBe(401)
    const ended = (await eventsOf(server, 'identity.signed_out')).at(-1)
    expect(ended).toMatchObject({ subject: session.userId, account: session.userId })
  })

  test('accepts the token from a form and redirects to the sign-in page', async () => {
    const answer = await signOut({ cookie: session.cookie }, { csrf_token: session.csrfToken })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/user/login')
    expect((await get('/api/v1/user/profile')).status).toBe(401)
  })

  test('requires the token of this very session', async () => {
    const other = await openSession(server, felix)
    const { cookie } = session
    const refused = [
      await signOut({ cookie }),
      await signOut({ cookie, 'x-csrf-token': other.csrfToken }),
      await signOut({ cookie }, {}),
      await signOut({ cookie }, { csrf_token: other.csrfToken }),
      await signOut({ cookie, 'x-csrf-token': 'wrong' }, { csrf_token: session.csrfToken }),
    ]
    expect(refused.map(({ status }) => status)).toEqual([403, 403, 403, 403, 403])
    expect((await get('/api/v1/user/profile')).status).toBe(200)
  })

  test('without a session succeeds', async () => {
    expect((await signOut({})).status).toBe(204)
    expect((await signOut({ cookie: `SESS=${'A'.repeat(43)}` }, {})).status).toBe(303)
  })
})
