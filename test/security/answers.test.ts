import { afterAll, beforeAll, expect, test } from 'vitest'
import { basicAuth, type OpenPlatform, openPlatform } from '../support/platform.ts'
import { sendRaw, type WireAnswer } from './wire.ts'

let platform: OpenPlatform

beforeAll(async () => {
  platform = await openPlatform()
})
afterAll(() => platform[Symbol.asyncDispose]())

const get = (path: string, init: RequestInit = {}) =>
  fetch(platform.url + path, { redirect: 'manual', ...init })

const json = (value: unknown, headers: Readonly<Record<string, string>> = {}): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(value),
})

const form = (fields: Readonly<Record<string, string>>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
})

const send = (...lines: readonly string[]): Promise<WireAnswer> => sendRaw(platform.url, lines)

/** The console may frame its own pages, for the tour builder; all other framing is forbidden. */
function expectGuarded(headers: Headers, why: string, framedBy: 'none' | 'self' = 'none'): void {
  expect(headers.get('x-content-type-options'), why).toBe('nosniff')
  expect(headers.get('x-frame-options'), why).toBe(framedBy === 'none' ? 'DENY' : 'SAMEORIGIN')
  expect(headers.get('referrer-policy'), why).toBe('same-origin')
  expect(headers.get('cross-origin-opener-policy'), why).toBe('same-origin')
  expect(headers.get('cross-origin-resource-policy'), why).toBe('same-origin')
  const policy = headers.get('content-security-policy') ?? ''
  expect(policy, why).toMatch(/^default-src '(none|self)'/)
  expect(policy, why).toContain(`frame-ancestors '${framedBy}'`)
  expect(policy, why).not.toContain('unsafe')
  expect(headers.has('x-powered-by'), why).toBe(false)
  expect(headers.has('server'), why).toBe(false)
}

test('A page, a response or an error lacks security headers', async () => {
  for (const [path, init] of [
    ['/docs'],
    ['/user/login'],
    ['/user/login', form({ username: 'x', password: 'wrong' })],
    ['/user/login', json({ username: 'x', password: 'wrong' })],
    ['/user/logout', { method: 'POST' }],
    ['/session/token'],
    ['/oauth/authorize'],
    ['/oauth/continue'],
    ['/oauth/consent/x'],
    ['/oauth/authorize/x'],
    ['/oauth/token', form({ grant_type: 'x' })],
    ['/oauth/token', json({})],
    ['/oauth/revoke', form({})],
    ['/oauth/introspect'],
    ['/.well-known/jwks.json'],
    ['/.well-known/oauth-authorization-server'],
    ['/api/v1/user/profile'],
    ['/api/v1/users'],
    ['/api/v1/auth/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' }],
    ['/api/v1/auth/login', { method: 'DELETE' }],
    ['/api/v1/auth/login', json({ username: 'x', password: 'x'.repeat(1_200_000) })],
    ['/api/v1/nothing'],
    ['/nothing/here'],
    ['/%zz'],
    [`/${'x'.repeat(2000)}`],
    ['/healthz'],
    ['/openapi.json'],
  ] as const satisfies readonly (readonly [string, RequestInit?])[]) {
    expectGuarded((await get(path, init)).headers, path.slice(0, 40))
  }
  const asPerson = { headers: { accept: 'text/html' } }
  for (const page of ['/', '/executions', '/nothing/here']) {
    const { headers } = await get(page, asPerson)
    expectGuarded(headers, page, 'self')
    expect(headers.get('content-security-policy'), page).toContain(
      "require-trusted-types-for 'script'; trusted-types default dompurify",
    )
  }
})

test('A response to invalid HTTP lacks security headers', async () => {
  for (const lines of [['GARBAGE'], ['GET / HTTP/9.9'], [`GET / HTTP/1.1`, `X: ${'x'.repeat(40_000)}`]]) {
    const answer = await send(...lines)
    expect([400, 431]).toContain(answer.status)
    expectGuarded(answer.headers, lines[0] ?? '')
  }
})

test('A response with a credential is cached', async () => {
  const { username, password } = platform.admin
  const as = basicAuth(platform)
  const signedIn = await get('/user/login', json({ username, password }))
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const loggedIn = await get('/api/v1/auth/login', json({ username, password }))
  const { refreshToken } = (await loggedIn.json()) as { refreshToken: string }
  const registered = await get(
    '/api/v1/oauth-clients',
    json(
      {
        name: 'x',
        scopes: ['models.read'],
        redirect_uris: ['https://app.example/'],
        grant_types: ['authorization_code', 'client_credentials'],
      },
      as,
    ),
  )
  const { client_id, client_secret } = (await registered.json()) as {
    client_id: string
    client_secret: string
  }
  const asked = new URLSearchParams({
    response_type: 'code',
    client_id,
    redirect_uri: 'https://app.example/',
  })
  const question = await get(`/oauth/authorize?${asked.toString()}`, { headers: { cookie } })
  const consent = await get(new URL(question.headers.get('location') ?? '', platform.url).pathname, {
    headers: { cookie },
  })
  for (const answer of [
    signedIn,
    loggedIn,
    registered,
    question,
    consent,
    await get('/user/login'),
    await get('/user/login', form({ username, password })),
    await get('/session/token', { headers: { cookie } }),
    await get('/api/v1/auth/refresh', json({ refreshToken })),
    await get('/api/v1/api-keys', json({ name: 'x' }, as)),
    await get('/api/v1/api-keys', { headers: as }),
    await get(`/api/v1/oauth-clients/${client_id}/secret`, { method: 'POST', headers: as }),
    await get('/oauth/token', form({ grant_type: 'client_credentials', client_id, client_secret })),
    await get('/oauth/token', form({ grant_type: 'x' })),
    await get('/api/v1/user/profile', { headers: as }),
    await get('/api/v1/sessions', { headers: as }),
    await get('/api/v1/users', { headers: as }),
    await get('/api/v1/audit', { headers: as }),
  ]) {
    expect(answer.headers.get('cache-control'), `${answer.status} ${answer.url}`).toBe('no-store')
  }
})

test('One request is parsed as two (request smuggling)', async () => {
  const start = ['POST /user/login HTTP/1.1', 'Host: tutti']
  for (const lines of [
    ['Content-Length: 2', 'Content-Length: 3'],
    ['Content-Length: 2', 'Transfer-Encoding: chunked'],
    ['Transfer-Encoding: chunked', 'Content-Length: 2'],
    ['Transfer-Encoding: x, chunked, x'],
    ['Transfer-Encoding: xchunked'],
    ['Content-Length: 2, 3'],
    ['Content-Length: -1'],
    ['Content-Length: 0x2'],
    ['Content-Length : 2'],
    ['X: 1\nContent-Length: 2', 'Content-Length: 3'],
  ]) {
    const answer = await sendRaw(platform.url, [...start, 'Connection: close', ...lines], '0\r\n\r\n')
    expect(answer.status, lines.join(' / ')).toBe(400)
  }
})

test('A request names two hosts', async () => {
  const path = '/.well-known/oauth-authorization-server'
  const answer = await send(`GET ${path} HTTP/1.1`, 'Host: tutti', 'Host: evil.example', 'Connection: close')
  expect(answer.status).toBe(400)
})

test('A caller forges the public address of the platform', async () => {
  const path = '/.well-known/oauth-authorization-server'
  const answer = await get(path, {
    headers: {
      'x-forwarded-host': 'evil.example',
      'x-forwarded-proto': 'https',
      forwarded: 'host=evil.example;proto=https',
      'x-original-url': '/healthz',
      'x-rewrite-url': '/healthz',
    },
  })
  const { issuer } = (await answer.json()) as { issuer: string }
  expect(issuer).toBe(platform.url)
  const signedIn = await get('/user/login', {
    ...json(platform.admin, { 'x-forwarded-host': 'evil.example', 'x-forwarded-proto': 'https' }),
  })
  expect(signedIn.status).toBe(200)
  expect(signedIn.headers.getSetCookie()[0]).not.toContain('Secure')
})

test('HEAD and OPTIONS reveal what GET does not', async () => {
  for (const path of [
    '/api/v1/users',
    '/api/v1/user/profile',
    '/api/v1/audit',
    '/metrics',
    '/api/v1/events',
  ]) {
    const head = await get(path, { method: 'HEAD' })
    expect([head.status, await head.text()], path).toEqual([401, ''])
    const options = await get(path, { method: 'OPTIONS' })
    expect([404, 405], path).toContain(options.status)
    const traced = await send(`TRACE ${path} HTTP/1.1`, 'Host: tutti', 'Cookie: SESS=x', 'Connection: close')
    expect([404, 405], path).toContain(traced.status)
    expect(traced.body).not.toContain('SESS')
  }
})

test('A request id injects into its header or its log line', async () => {
  for (const id of ['a b', '"x"', '{"level":"error"}', 'x'.repeat(200), 'é']) {
    const answer = await send(
      'GET /healthz HTTP/1.1',
      'Host: tutti',
      `X-Request-Id: ${id}`,
      'Connection: close',
    )
    expect(answer.headers.get('x-request-id')).toMatch(/^[\da-f-]{36}$/)
  }
})
