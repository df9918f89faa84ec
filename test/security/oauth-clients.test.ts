import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, call, login } from '../http/identity-calls.ts'
import {
  freshAddress,
  type IdentityServer,
  startIdentityServer,
  startIdentityServerOn,
} from '../http/identity-server.ts'
import {
  addPerson,
  authorizeUrl,
  callAs,
  getClientToken,
  getCode,
  getTokens,
  proofOf,
  type RegisteredClient,
  redeem,
  refresh,
  registerClient,
  sendForm,
  tokensOf,
  tryToken,
  worksAt,
} from '../http/oauth-support.ts'
import { locationOf, type Person, Visitor } from '../http/oauth-visitor.ts'
import { untilCalm } from './until-calm.ts'

let server: IdentityServer
let replica: IdentityServer
let olga: Person
let client: RegisteredClient

beforeAll(async () => {
  server = await startIdentityServer()
  replica = await startIdentityServerOn(server.database)
  await untilCalm(server, replica)
  olga = await addPerson(server, { roles: ['administrator'] })
  client = await registerClient(server, olga)
})
afterAll(async () => {
  await replica[Symbol.asyncDispose]()
  await server[Symbol.asyncDispose]()
})

async function errorOf(answer: Response): Promise<readonly [number, string]> {
  return [answer.status, (await tokensOf(answer)).error]
}

test('An authorization requests scopes the client is not registered for', async () => {
  for (const scope of ['tours.manage', 'models.read,workflows.run', 'openid', 'all', '*']) {
    const landed = locationOf(await new Visitor(server, olga).get(authorizeUrl(server, client, { scope })))
    expect(landed.searchParams.get('error'), scope).toBe('invalid_scope')
  }
})

test('An authorization requests scopes of other protocols', async () => {
  for (const scope of ['offline_access', 'models.read offline_access', 'openid offline_access']) {
    const landed = locationOf(await new Visitor(server, olga).get(authorizeUrl(server, client, { scope })))
    expect(landed.searchParams.get('error'), scope).toBe('invalid_scope')
  }
})

test('A code or client credentials request more scopes at the token endpoint', async () => {
  const code = await getCode(server, olga, client, { scope: 'models.read' })
  const wide = await tokensOf(await redeem(server, client, code, { scope: 'models.read models.generate' }))
  expect(wide.scope).toBe('models.read')
  for (const scope of ['tours.manage', 'models.read workflows.manage', 'openid', 'administer users']) {
    expect(await errorOf(await getClientToken(server, client, { scope })), scope).toEqual([
      400,
      'invalid_scope',
    ])
  }
})

test('A client keeps using scopes that were removed from it', async () => {
  const narrowed = await registerClient(server, olga)
  const held = await getTokens(server, olga, narrowed)
  const own = await tokensOf(await getClientToken(server, narrowed))
  const path = `/api/v1/oauth-clients/${narrowed.client_id}`
  expect((await callAs(server, olga, 'PATCH', path, { scopes: ['models.read'] })).status).toBe(200)
  for (const token of [held.access_token, own.access_token]) {
    const told = await sendForm(server, '/oauth/introspect', { token, ...proofOf(narrowed) })
    expect(((await told.json()) as { scope: string }).scope).toBe('models.read')
  }
  const next = await refresh(server, narrowed, held.refresh_token)
  expect((await tokensOf(next)).scope).toBe('models.read')
})

test('A public client requests a token by client credentials', async () => {
  const open = await registerClient(server, olga, { public: true })
  expect(await errorOf(await getClientToken(server, open))).toEqual([400, 'unauthorized_client'])
  const asked = { ...open, name: 'x', grant_types: ['client_credentials'], redirect_uris: [] }
  const { client_id: _, client_secret: __, ...body } = asked
  expect((await callAs(server, olga, 'POST', '/api/v1/oauth-clients', body)).status).toBe(400)
})

test('The secret of a client is sent in the URL', async () => {
  const query = new URLSearchParams({ grant_type: 'client_credentials', ...proofOf(client) }).toString()
  expect((await sendForm(server, `/oauth/token?${query}`, { grant_type: 'client_credentials' })).status).toBe(
    401,
  )
  const form = { grant_type: 'client_credentials', client_id: client.client_id }
  expect((await sendForm(server, `/oauth/token?${query}`, form)).status).toBe(401)
  const got = await fetch(`${server.url}/oauth/token?${query}`, {
    headers: { 'x-forwarded-for': freshAddress() },
  })
  expect(got.status).toBe(405)
})

test('The secret of a client is wrong by one letter, empty, or its hash', async () => {
  const { client_id, client_secret: secret } = client
  const [stored] = await server.database.query<{ hash: string }>(
    `select encode(secret_hash, 'hex') as hash from identity_oauth_clients where client_id = $1`,
    [client_id],
  )
  const other = secret.endsWith('A') ? 'B' : 'A'
  for (const guess of [
    secret.slice(0, -1) + other,
    secret.slice(0, -1),
    `${secret}A`,
    secret.toLowerCase(),
    ` ${secret}`,
    '',
    'undefined',
    stored?.hash ?? '',
  ]) {
    const answer = await sendForm(server, '/oauth/token', {
      grant_type: 'client_credentials',
      client_id,
      client_secret: guess,
    })
    expect(await errorOf(answer), guess).toEqual([401, 'invalid_client'])
  }
  expect((await getClientToken(server, client)).status).toBe(200)
})

test('A replaced client secret is used at another replica', async () => {
  const leaked = await registerClient(server, olga)
  expect((await getClientToken(replica, leaked)).status).toBe(200)
  await callAs(server, olga, 'POST', `/api/v1/oauth-clients/${leaked.client_id}/secret`)
  expect((await getClientToken(server, leaked)).status).toBe(401)
  await expect.poll(async () => (await getClientToken(replica, leaked)).status, { interval: 200 }).toBe(401)
})

test('A client introspects the tokens of other clients', async () => {
  const curious = await registerClient(server, olga)
  const authorized = await getTokens(server, olga, client)
  const { token: personal, refreshToken } = await login(server, olga)
  for (const token of [authorized.access_token, authorized.refresh_token, personal, refreshToken]) {
    const told = await sendForm(server, '/oauth/introspect', { token, ...proofOf(curious) })
    expect([told.status, await told.json()]).toEqual([200, { active: false }])
    expect((await sendForm(server, '/oauth/introspect', { token })).status).toBe(401)
  }
  const viewer = await addPerson(server, { roles: ['viewer'] })
  const as = bearer((await login(server, viewer)).token)
  const told = await sendForm(server, '/oauth/introspect', { token: personal }, as)
  expect(told.status).toBe(401)
})

test('A client revokes the tokens of other clients', async () => {
  const vandal = await registerClient(server, olga)
  const open = await registerClient(server, olga, { public: true })
  const authorized = await getTokens(server, olga, client)
  const { token: personal, refreshToken } = await login(server, olga)
  for (const token of [authorized.access_token, authorized.refresh_token, personal, refreshToken]) {
    for (const by of [vandal, open]) await sendForm(server, '/oauth/revoke', { token, ...proofOf(by) })
    await sendForm(server, '/oauth/revoke', { token, client_id: client.client_id })
  }
  expect(await worksAt(server, authorized.access_token)).toBe(true)
  expect(await worksAt(server, personal)).toBe(true)
  expect((await refresh(server, client, authorized.refresh_token)).status).toBe(200)
})

test('The token of an application manages the account of its user', async () => {
  const wide = await registerClient(server, olga, {
    scopes: ['models.read', 'models.generate', 'workflows.run', 'workflows.manage', 'tours.manage'],
  })
  const byPerson = await getTokens(server, olga, wide)
  const byItself = await tokensOf(await getClientToken(server, wide))
  const newKey = { name: 'x' }
  const newClient = { name: 'x', scopes: ['models.read'], redirect_uris: ['https://x.example/'] }
  const newPassword = { current_password: olga.password, new_password: 'taken over now' }
  for (const { access_token } of [byPerson, byItself]) {
    const as = bearer(access_token)
    for (const [route, body] of [
      ['POST /api/v1/api-keys', newKey],
      ['GET /api/v1/api-keys'],
      ['POST /api/v1/oauth-clients', newClient],
      ['GET /api/v1/oauth-clients'],
      [`DELETE /api/v1/oauth-clients/${wide.client_id}`],
      [`POST /api/v1/oauth-clients/${wide.client_id}/secret`],
      ['GET /api/v1/sessions'],
      ['DELETE /api/v1/sessions'],
      ['GET /api/v1/authorizations'],
      ['POST /api/v1/user/password', newPassword],
      ['PATCH /api/v1/user/profile', { email: 'evil@example.org' }],
      ['GET /api/v1/users'],
      ['GET /api/v1/audit'],
    ] as const) {
      const answer = await call(server, route, { as, ...(body !== undefined && { body }) })
      expect([answer.status, answer.body.error.code], route).toEqual([403, 'insufficient_scope'])
    }
  }
})

test('A deleted client keeps using its tokens', async () => {
  const gone = await registerClient(server, olga)
  const held = await getTokens(server, olga, gone)
  const own = await tokensOf(await getClientToken(server, gone))
  expect(await worksAt(replica, held.access_token)).toBe(true)
  expect((await callAs(server, olga, 'DELETE', `/api/v1/oauth-clients/${gone.client_id}`)).status).toBe(204)
  for (const token of [held.access_token, own.access_token]) {
    expect(await worksAt(server, token)).toBe(false)
    await expect.poll(() => worksAt(replica, token)).toBe(false)
  }
  expect((await refresh(server, gone, held.refresh_token)).status).toBe(401)
})

test('A client acts for an account that was disabled or deleted', async () => {
  for (const end of ['disabled', 'deleted'] as const) {
    const owner = await addPerson(server)
    const own = await registerClient(server, owner)
    const { access_token } = await tokensOf(await getClientToken(server, own))
    const path = `/api/v1/users/${owner.id}`
    if (end === 'disabled') await callAs(server, olga, 'PATCH', path, { disabled: true })
    else await callAs(server, olga, 'DELETE', path)
    expect((await tryToken(server, access_token)).status, end).toBe(401)
    expect([400, 401], end).toContain((await getClientToken(server, own)).status)
    await expect.poll(() => worksAt(replica, access_token)).toBe(false)
  }
})

test('A user changes, reads or deletes the client of another account', async () => {
  const stranger = await addPerson(server, { roles: ['author'] })
  const path = `/api/v1/oauth-clients/${client.client_id}`
  for (const [method, target, body] of [
    ['GET', path],
    ['PATCH', path, { redirect_uris: ['https://evil.example/'] }],
    ['POST', `${path}/secret`],
    ['DELETE', path],
  ] as const) {
    expect((await callAs(server, stranger, method, target, body)).status, method).toBe(404)
  }
  expect((await callAs(server, stranger, 'GET', '/api/v1/oauth-clients?owner=all')).status).toBe(403)
})
