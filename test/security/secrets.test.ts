import { createHash, randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { basic } from '../http/identity-server.ts'
import { makePkce } from '../http/oauth-support.ts'
import { startPlatform, type TestPlatform } from '../support/platform.ts'
import { createTestDatabase, type TestDatabase } from '../support/test-database.ts'

/** Everything that was issued or typed, by what it is. */
const secrets = new Map<string, string>()

/** Where every redirect led. */
const locations: string[] = []

let database: TestDatabase
let platform: TestPlatform
let log: string
let audit: string
let metrics: string

beforeAll(async () => {
  database = await createTestDatabase()
  secrets.set('the key of the environment', `environment-${randomBytes(12).toString('hex')}`)
  platform = await startPlatform({
    DATABASE_URL: database.url,
    LOG_LEVEL: 'trace',
    TUTTI_API_KEY: secrets.get('the key of the environment') ?? '',
  })
  await liveThroughEverything()
  await platform.process.kill('SIGTERM')
  log = [...platform.process.stdout, ...platform.process.stderr].join('\n')
})
afterAll(async () => {
  await platform[Symbol.asyncDispose]()
  await database.close()
})

function keep(name: string, value: string | undefined): string {
  if (value === undefined || value.length < 8) throw new Error(`${name} is no secret: ${value}`)
  secrets.set(name, value)
  return value
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(new URL(path, platform.url), { redirect: 'manual', ...init })
  const location = answer.headers.get('location')
  if (location !== null) locations.push(location)
  return answer
}

async function post<Body>(
  path: string,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<Body> {
  const answer = await ask(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return (await answer.json().catch(() => undefined)) as Body
}

function sendForm(
  path: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
) {
  return ask(path, { method: 'POST', headers, body: new URLSearchParams(fields) })
}

async function liveThroughEverything(): Promise<void> {
  const browser = await signInAndOut()
  await useKeys(browser)
  await authorizeAnApplication(browser)
  audit = await (await ask('/api/v1/audit?limit=200', { headers: browser })).text()
  metrics = await (await ask('/metrics', { headers: browser })).text()
}

async function signInAndOut(): Promise<Record<string, string>> {
  const { username, password } = platform.admin
  keep('the password', password)
  const wrong = keep('a wrong password', 'mistyped-password-1')
  const asName = keep('a password in the field for the name', 'mistyped-password-2')
  await post('/user/login', { username, password: wrong })
  await post('/user/login', { username: asName, password: wrong })
  await sendForm('/user/login', { username: asName, password: wrong })
  await ask('/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: `{"${wrong}`,
  })
  await ask('/api/v1/user/profile', { headers: basic(username, wrong) })
  await ask('/api/v1/user/profile', { headers: basic(username, password) })

  const signedIn = await ask('/user/login', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username, password }),
  })
  const cookie = signedIn.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  keep('a session', cookie.slice('SESS='.length))
  const csrf = keep('a session’s token', ((await signedIn.json()) as { csrf_token: string }).csrf_token)

  type Tokens = { token: string; refreshToken: string }
  const first = await post<Tokens>('/api/v1/auth/login', { username, password })
  keep('an access token', first.token)
  keep('a refresh token', first.refreshToken)
  const second = await post<Tokens>('/api/v1/auth/refresh', { refreshToken: first.refreshToken })
  keep('the next access token', second.token)
  keep('the next refresh token', second.refreshToken)
  await ask('/api/v1/user/profile', { headers: { authorization: `Bearer ${second.token}` } })
  await post('/api/v1/auth/refresh', { refreshToken: first.refreshToken })
  await post('/api/v1/auth/logout', { refreshToken: second.refreshToken })
  return { cookie, 'x-csrf-token': csrf }
}

async function useKeys(browser: Record<string, string>): Promise<void> {
  const { key } = await post<{ key: string }>('/api/v1/api-keys', { name: 'program' }, browser)
  keep('a key', key)
  const wrong = keep('a wrong key', `tk_${'wrong'.repeat(8)}`)
  for (const used of [key, wrong, secrets.get('the key of the environment') ?? '']) {
    await ask('/api/v1/user/profile', { headers: { authorization: `Bearer ${used}` } })
    await ask('/api/v1/user/profile', { headers: { 'x-api-key': used } })
    // In the wrong place, where it does nothing and is not to be written down either.
    await ask(`/api/v1/user/profile?api_key=${used}`)
    await ask(`/api/v1/${used}`)
  }
  const account = {
    username: 'new',
    password: keep('the password of a new account', 'first-password-of-new'),
  }
  await post('/api/v1/users', account, browser)
  const change = {
    current_password: account.password,
    new_password: keep('a changed password', 'second-password-of-new'),
  }
  await post('/api/v1/user/password', change, basic(account.username, account.password))
}

async function authorizeAnApplication(browser: Record<string, string>): Promise<void> {
  const redirect_uri = 'https://app.example/callback'
  const grant_types = ['authorization_code', 'client_credentials']
  const scopes = ['models.read']
  const settings = { name: 'Reader', redirect_uris: [redirect_uri], scopes, grant_types }
  type Registered = { client_id: string; client_secret: string }
  const { client_id, client_secret: old } = await post<Registered>('/api/v1/oauth-clients', settings, browser)
  keep('a client’s first secret', old)
  const replaced = await post<Registered>(`/api/v1/oauth-clients/${client_id}/secret`, {}, browser)
  const client_secret = keep('a client’s secret', replaced.client_secret)
  await sendForm('/oauth/token', { grant_type: 'client_credentials', client_id, client_secret: old })

  const { verifier, challenge } = makePkce()
  keep('a verifier', verifier)
  const asked = {
    response_type: 'code',
    client_id,
    redirect_uri,
    code_challenge: challenge,
    code_challenge_method: 'S256',
  }
  const url = `/oauth/authorize?${new URLSearchParams(asked).toString()}`
  const question = await ask(url, { headers: browser })
  const resume = question.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const decision = { decision: 'approve', csrf_token: browser['x-csrf-token'] ?? '' }
  const answered = await sendForm(question.headers.get('location') ?? '', decision, browser)
  const landed = await ask(answered.headers.get('location') ?? '', {
    headers: { cookie: `${browser['cookie']}; ${resume}` },
  })
  const code = keep(
    'a code',
    new URL(landed.headers.get('location') ?? '').searchParams.get('code') ?? undefined,
  )
  // One question stays open, for whatever is remembered of it.
  const open = await ask(`${url}&prompt=consent`, { headers: browser })
  keep('an open question', open.headers.getSetCookie()[0]?.split(/[=;]/)[1])

  const proof = basic(client_id, client_secret)
  const redeem = { grant_type: 'authorization_code', code, redirect_uri, code_verifier: verifier }
  type Issued = { access_token: string; refresh_token: string }
  const issued = (await (await sendForm('/oauth/token', redeem, proof)).json()) as Issued
  keep('an application’s access token', issued.access_token)
  keep('an application’s refresh token', issued.refresh_token)
  const next = { grant_type: 'refresh_token', refresh_token: issued.refresh_token, client_id, client_secret }
  const renewed = (await (await sendForm('/oauth/token', next)).json()) as Issued
  keep('an application’s next refresh token', renewed.refresh_token)
  await sendForm('/oauth/introspect', { token: renewed.access_token }, proof)
  await sendForm('/oauth/token', redeem, proof)
  await sendForm('/oauth/token', next)
  await sendForm('/oauth/revoke', { token: renewed.refresh_token }, proof)
  await ask(`/oauth/token?client_secret=${client_secret}&code=${code}`)
}

/** The secret as it is, and as a table, a header or a URL would have it. */
function spellings(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [
    secret,
    bytes.toString('hex'),
    bytes.toString('base64').replace(/=+$/, ''),
    encodeURIComponent(secret),
  ]
}

function findIn(text: string): string[] {
  return [...secrets]
    .filter(([, secret]) => spellings(secret).some((one) => text.includes(one)))
    .map(([name]) => name)
}

test('A password, key, token, code or secret is read from the log', () => {
  expect(secrets.size).toBeGreaterThan(20)
  expect(log).toContain('POST /oauth/token 200')
  expect(log.split('\n').length).toBeGreaterThan(40)
  expect(findIn(log)).toEqual([])
  expect(log).not.toMatch(/\b(Basic|Bearer) [\w.+/=-]{12}/)
})

test('A secret is read from the audit log, the event log or the metrics', async () => {
  expect(audit).toContain('identity.refresh_token_reused')
  expect(findIn(audit)).toEqual([])
  expect(findIn(metrics)).toEqual([])
  const events = await database.query<{ text: string }>(
    'select row_to_json(event)::text as text from kernel_events as event',
  )
  expect(events.length).toBeGreaterThan(5)
  expect(findIn(events.map(({ text }) => text).join('\n'))).toEqual([])
})

test('A secret is read from the database', async () => {
  const tables = await database.query<{ name: string }>(
    `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public'`,
  )
  expect(tables.map(({ name }) => name)).toContain('identity_oauth_records')
  let rows = 0
  for (const { name } of tables) {
    const contents = await database.query<{ text: string }>(
      `select row_to_json(row)::text as text from ${name} as row`,
    )
    rows += contents.length
    expect(findIn(contents.map(({ text }) => text).join('\n')), name).toEqual([])
  }
  expect(rows).toBeGreaterThan(20)
  // Found by its hash, so the look above was at the right tables.
  const hash = createHash('sha256')
    .update(secrets.get('a key') ?? '')
    .digest()
  expect(await database.query('select from identity_api_keys where key_hash = $1', [hash])).toHaveLength(1)
})

test('A secret is sent in the URL of a redirect', () => {
  expect(locations.length).toBeGreaterThan(4)
  for (const location of locations) {
    const found = findIn(location).filter((name) => name !== 'an open question')
    const leaves = location.startsWith('https://app.example/callback?')
    expect(found, location).toEqual(leaves ? ['a code'] : [])
    if (leaves) expect([...new URL(location).searchParams.keys()].sort()).toEqual(['code', 'iss'])
  }
})
