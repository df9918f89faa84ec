import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  addAccount,
  cookieOf,
  countHashes,
  errorCode,
  eventsOf,
  freshAddress,
  type IdentityServer,
  setCookieOf,
  signIn,
  signInByForm,
  startIdentityServer,
} from './identity-server.ts'

const clara = { username: 'Clara.Schumann', password: 'träumerei opus 15' }

let server: IdentityServer
let claraId: string

beforeAll(async () => {
  server = await startIdentityServer()
  // The work of a wrong password is compared with that of an unknown name, which has the cost of the platform.
  claraId = await addAccount(server.database, { ...clara, isHashCostly: true })
})

afterAll(() => server[Symbol.asyncDispose]())

/** The minimum: other load on the machine only adds time. */
const shortest = ({ ms }: { readonly ms: readonly number[] }) => Math.min(...ms)

async function attempt(username: string, stats: { ms: number[]; hashes: number }): Promise<void> {
  const hashesBefore = await countHashes(server)
  const startedAt = performance.now()
  await signIn(server, { username, password: 'not this one' })
  stats.ms.push(performance.now() - startedAt)
  stats.hashes += (await countHashes(server)) - hashesBefore
}

describe('signing in with JSON', () => {
  test('returns the account and the CSRF token, and sets the cookie', async () => {
    const answer = await signIn(server, clara)
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(await answer.json()).toEqual({
      user: { id: claraId, username: 'Clara.Schumann' },
      csrf_token: expect.stringMatching(/^[\w-]{43}$/),
    })
    const attributes = setCookieOf(answer).split('; ')
    expect(attributes).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^SESS=[\w-]{43}$/),
        'Path=/',
        'HttpOnly',
        'SameSite=Lax',
        'Max-Age=604800',
      ]),
    )
    expect(attributes).not.toContain('Secure')
  })

  test('marks the cookie Secure when the browser uses https', async () => {
    const answer = await signIn(server, clara, { headers: { 'x-forwarded-proto': 'https' } })
    expect(setCookieOf(answer).split('; ')).toContain('Secure')
  })

  test('accepts the username in any case and Unicode form, and stores the time', async () => {
    const answer = await signIn(server, { ...clara, username: ' clara.SCHUMANN ' })
    expect(answer.status).toBe(200)
    const [row] = await server.database.query<{ recent: boolean }>(
      `select last_login_at > now() - interval '1 minute' as recent from identity_users where id = $1`,
      [claraId],
    )
    expect(row).toEqual({ recent: true })
  })

  test('stores neither the cookie nor the password', async () => {
    const value = cookieOf(await signIn(server, clara)).slice('SESS='.length)
    const [row] = await server.database.query<{ stored: string }>(
      `select (select string_agg(s::text, ' ') from identity_sessions s) ||
              (select string_agg(u::text, ' ') from identity_users u) ||
              (select string_agg(e::text, ' ') from kernel_events e) as stored`,
    )
    expect(row?.stored).not.toContain(value)
    expect(row?.stored).not.toContain(Buffer.from(value).toString('hex'))
    expect(row?.stored).not.toContain(clara.password)
  })

  test.each([
    ['a wrong password', { ...clara, password: 'kinderszenen' }],
    ['an unknown name', { username: 'robert', password: clara.password }],
    ['a name that cannot exist', { username: 'a:b', password: clara.password }],
  ])('%s gets the same error', async (_name, credentials) => {
    const answer = await signIn(server, credentials)
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toContain('Bearer')
    expect(setCookieOf(answer)).toBe('')
    expect(await answer.json()).toMatchObject({
      error: { code: 'invalid_credentials', message: 'The username or password is wrong.' },
    })
  })

  test.each([
    ['NUL', { username: 'clara\u0000', password: clara.password }],
    ['half a character', { username: 'clara\ud800', password: clara.password }],
  ])('a name with %s is refused', async (_name, credentials) => {
    const answer = await signIn(server, credentials)
    expect(answer.status).toBe(400)
    expect(setCookieOf(answer)).toBe('')
    expect(await answer.json()).toMatchObject({ error: { problems: [{ path: 'username', code: 'text' }] } })
  })

  test('an unknown name takes as much work as a wrong password', async () => {
    const known = { ms: [] as number[], hashes: 0 }
    const unknown = { ms: [] as number[], hashes: 0 }
    const ratio = () => shortest(unknown) / shortest(known)
    const isAlike = () => ratio() > 0.4 && ratio() < 2.5
    let rounds = 0
    // On a busy machine it takes more rounds until each had an undisturbed turn.
    while (rounds < 5 || (rounds < 40 && !isAlike())) {
      rounds += 1
      await attempt(clara.username, known)
      await attempt('robert', unknown)
      await server.database.query('delete from identity_sign_in_limits')
    }
    expect([known.hashes, unknown.hashes]).toEqual([rounds, rounds])
    expect(isAlike(), `ratio ${ratio()}`).toBe(true)
  })

  test('a disabled account is refused like a wrong password', async () => {
    const id = await addAccount(server.database, { username: 'disabled', password: 'once was right' })
    await server.database.query('update identity_users set disabled_at = now() where id = $1', [id])
    const answer = await signIn(server, { username: 'disabled', password: 'once was right' })
    expect(answer.status).toBe(401)
    expect(await errorCode(answer)).toBe('invalid_credentials')
  })

  test('each sign-in gets a new session, whatever cookie the browser sends', async () => {
    const planted = `SESS=${'A'.repeat(43)}`
    const first = cookieOf(await signIn(server, clara, { headers: { cookie: planted } }))
    const second = cookieOf(await signIn(server, clara))
    expect(new Set([planted, first, second]).size).toBe(3)
  })

  test('ends the previous session of the browser', async () => {
    const first = cookieOf(await signIn(server, clara))
    const second = cookieOf(await signIn(server, clara, { headers: { cookie: first } }))
    const profile = (cookie: string) => fetch(`${server.url}/api/v1/user/profile`, { headers: { cookie } })
    expect((await profile(first)).status).toBe(401)
    expect((await profile(second)).status).toBe(200)
  })
})

describe('signing in with the form', () => {
  test('redirects to the destination', async () => {
    const answer = await signInByForm(server, { ...clara, destination: '/flows/12?tab=steps#last' })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/flows/12?tab=steps#last')
    expect(setCookieOf(answer)).toContain('HttpOnly')
  })

  test('an error shows the form again, with the input except the password', async () => {
    const answer = await signInByForm(server, {
      username: `"><script>alert('x')</script>`,
      password: 'secret-typed-here',
      destination: '/flows?a=1&b="2"',
    })
    const page = await answer.text()
    expect(answer.status).toBe(401)
    expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(answer.headers.get('www-authenticate')).not.toContain('Basic')
    expect(page).toContain('The username or password is wrong.')
    expect(page).toContain('value="&quot;&gt;&lt;script&gt;alert(&#39;x&#39;)&lt;/script&gt;"')
    expect(page).toContain('value="/flows?a=1&amp;b=%222%22"')
    expect(page).not.toContain('<script')
    expect(page).not.toContain('secret-typed-here')
  })

  test.each([
    ['no fields', new URLSearchParams()],
    ['an empty password', new URLSearchParams({ username: 'clara', password: '' })],
    ['a field sent twice', new URLSearchParams('username=a&username=b&password=c')],
    ['a password of absurd length', new URLSearchParams({ username: 'clara', password: 'x'.repeat(5000) })],
  ])('%s: shows the form again, and computes nothing', async (_name, fields) => {
    const before = await countHashes(server)
    const answer = await signInByForm(server, fields)
    expect(answer.status).toBe(400)
    expect(await answer.text()).toContain('Enter your username and your password.')
    expect(await countHashes(server)).toBe(before)
  })

  test('the page forbids scripts and framing', async () => {
    const answer = await fetch(`${server.url}/user/login`)
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(policy).toContain("form-action 'self'")
    expect(policy).toContain("frame-ancestors 'none'")
    expect(await answer.text()).not.toContain('<script')
  })

  test('a signed-in user is redirected', async () => {
    const cookie = cookieOf(await signIn(server, clara))
    const answer = await fetch(`${server.url}/user/login?destination=/tours`, {
      redirect: 'manual',
      headers: { cookie },
    })
    expect(answer.status).toBe(303)
    expect(answer.headers.get('location')).toBe('/tours')
  })

  test('a repeated destination is ignored', async () => {
    const answer = await fetch(`${server.url}/user/login?destination=/a&destination=/b`)
    expect(await answer.text()).toContain('name="destination" value="/"')
  })
})

describe('a sign-in from another site', () => {
  test.each([
    ['a foreign page', { 'sec-fetch-site': 'cross-site' }],
    ['a neighbour domain', { 'sec-fetch-site': 'same-site' }],
    ['a foreign origin in a browser without fetch metadata', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['the same host on another port', { origin: 'http://127.0.0.1:1' }],
  ])('%s is refused before anything is read', async (_name, headers) => {
    const before = await countHashes(server)
    const form = await signInByForm(server, clara, { headers })
    expect(form.status).toBe(403)
    expect(await form.text()).toContain('This form was sent from another site.')
    expect(setCookieOf(form)).toBe('')
    const json = await signIn(server, clara, { headers })
    expect(json.status).toBe(403)
    expect(await errorCode(json)).toBe('cross_site_request')
    expect(await countHashes(server)).toBe(before)
  })

  test('our own page is accepted', async () => {
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin: 'https://name.behind.a.proxy' },
      { 'sec-fetch-site': 'none' },
      { origin: server.url },
    ]) {
      expect((await signInByForm(server, clara, { headers })).status).toBe(303)
    }
  })
})

describe('invalid bodies', () => {
  test.each([
    ['malformed JSON', 'application/json', '{"username":', 400, 'invalid_request'],
    ['an empty body', 'application/json', '', 400, 'invalid_request'],
    ['a list', 'application/json', '[]', 400, 'invalid_request'],
    ['no password', 'application/json', '{"username":"clara"}', 400, 'invalid_request'],
    [
      'a number for a password',
      'application/json',
      '{"username":"clara","password":1}',
      400,
      'invalid_request',
    ],
    ['null', 'application/json', 'null', 400, 'invalid_request'],
    ['plain text', 'text/plain', 'clara', 400, 'invalid_request'],
    ['another content type', 'text/xml', '<a/>', 415, 'unsupported_media_type'],
    ['two megabytes', 'application/json', JSON.stringify('x'.repeat(2 ** 21)), 413, 'body_too_large'],
  ])('%s', async (_name, contentType, body, status, code) => {
    const answer = await fetch(`${server.url}/user/login`, {
      method: 'POST',
      headers: { 'content-type': contentType },
      body,
    })
    expect(answer.status).toBe(status)
    expect(await answer.json()).toMatchObject({ error: { code, message: expect.any(String) } })
  })

  test.each([
    ['an unknown path', 'GET', '/api/v1/nowhere', 404, 'not_found'],
    ['an unknown path of the user', 'GET', '/user/nowhere', 404, 'not_found'],
    ['a wrong method', 'PUT', '/user/login', 405, 'method_not_allowed'],
    ['an anonymous request for a profile', 'GET', '/api/v1/user/profile', 401, 'authentication_required'],
  ])('%s', async (_name, method, path, status, code) => {
    const answer = await fetch(server.url + path, { method })
    expect(answer.status).toBe(status)
    expect(await errorCode(answer)).toBe(code)
  })
})

test('sign-ins and failures are in the event log, without a secret', async () => {
  const ip = freshAddress()
  await signIn(server, clara, { ip, headers: { 'user-agent': 'piano/1.0' } })
  await signIn(server, { ...clara, password: 'wrong' }, { ip })
  await signIn(server, { username: 'my-password-by-mistake', password: 'x' }, { ip })

  const signedIn = (await eventsOf(server, 'identity.signed_in')).at(-1)
  expect(signedIn).toMatchObject({
    subject: claraId,
    account: claraId,
    data: { ip, user_agent: 'piano/1.0' },
  })
  const [wrong, unknown] = (await eventsOf(server, 'identity.sign_in_failed')).slice(-2)
  expect(wrong).toMatchObject({ subject: claraId, data: { ip, reason: 'wrong_password', method: 'session' } })
  expect(unknown).toMatchObject({ subject: null, account: null, data: { ip, reason: 'unknown_user' } })
  expect(JSON.stringify(unknown)).not.toContain('my-password-by-mistake')
})
