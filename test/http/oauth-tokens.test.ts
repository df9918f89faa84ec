import { decodeJwt } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freshAddress, type IdentityServer, shareIdentityServer } from './identity-server.ts'
import {
  addPerson,
  callAs,
  getClientToken,
  getTokens,
  proofOf,
  type RegisteredClient,
  redeem,
  refresh,
  registerClient,
  sendForm,
  tokensOf,
  worksAt,
} from './oauth-support.ts'
import type { Person } from './oauth-visitor.ts'

let server: IdentityServer
let owner: Person
let admin: Person
beforeAll(async () => {
  server = await shareIdentityServer()
  owner = await addPerson(server)
  admin = await addPerson(server, { roles: ['administrator'] })
})
afterAll(() => server[Symbol.asyncDispose]())

async function makeKey(person: Person, scopes?: readonly string[]): Promise<string> {
  const answer = await callAs(server, person, 'POST', '/api/v1/api-keys', { name: 'key', scopes })
  return ((await answer.json()) as { key: string }).key
}

async function inspect(
  token: string,
  by: RegisteredClient | { readonly key: string },
): Promise<{ status: number; body: Record<string, unknown> }> {
  const answer =
    'key' in by
      ? await sendForm(server, '/oauth/introspect', { token }, { authorization: `Bearer ${by.key}` })
      : await sendForm(server, '/oauth/introspect', { token, ...proofOf(by) })
  return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
}

describe('introspection', () => {
  test('returns the access and refresh tokens of the client', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    const tokens = await getTokens(server, person, client, { scope: 'models.read' })
    const { iat, exp, jti } = decodeJwt(tokens.access_token)
    expect((await inspect(tokens.access_token, client)).body).toEqual({
      active: true,
      client_id: client.client_id,
      username: person.username,
      scope: 'models.read',
      token_type: 'bearer',
      sub: person.id,
      aud: 'tutti',
      iss: server.url,
      jti,
      iat,
      exp,
    })
    expect((await inspect(tokens.refresh_token, client)).body).toEqual({
      active: true,
      client_id: client.client_id,
      username: person.username,
      scope: 'models.read',
      sub: person.id,
      aud: 'tutti',
      iat: expect.any(Number) as number,
      exp: expect.any(Number) as number,
    })
  })

  test('returns inactive for used, revoked, foreign and forged tokens', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    const stranger = await registerClient(server, owner)
    const tokens = await getTokens(server, person, client)
    const inactive = { active: false }
    expect((await inspect(tokens.access_token, stranger)).body).toEqual(inactive)
    expect((await inspect(tokens.refresh_token, stranger)).body).toEqual(inactive)
    for (const made of ['x', 'a.b.c', 'x'.repeat(16_000)]) {
      expect((await inspect(made, client)).body).toEqual(inactive)
    }
    const next = await tokensOf(await refresh(server, client, tokens.refresh_token))
    expect((await inspect(tokens.refresh_token, client)).body).toEqual(inactive)
    await sendForm(server, '/oauth/revoke', { token: next.access_token, ...proofOf(client) })
    expect((await inspect(next.access_token, client)).body).toEqual(inactive)
    expect((await inspect(next.refresh_token, client)).body).toEqual(inactive)
  })

  test('returns inactive for a disabled account', async () => {
    const person = await addPerson(server)
    const client = await registerClient(server, owner)
    const tokens = await getTokens(server, person, client)
    await server.database.query('update identity_users set disabled_at = now() where id = $1', [person.id])
    expect((await inspect(tokens.access_token, client)).body).toEqual({ active: false })
    expect((await inspect(tokens.refresh_token, client)).body).toEqual({ active: false })
  })

  test('returns every token to administrators only', async () => {
    const client = await registerClient(server, owner)
    const tokens = await getTokens(server, owner, client)
    const key = await makeKey(admin)
    expect((await inspect(tokens.access_token, { key })).body).toMatchObject({ active: true, sub: owner.id })
    const login = await fetch(`${server.url}/api/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-forwarded-for': freshAddress() },
      body: JSON.stringify({ username: owner.username, password: owner.password }),
    })
    const { token } = (await login.json()) as { token: string }
    const { body } = await inspect(token, { key })
    expect(body).toMatchObject({ active: true, sub: owner.id })
    expect(body).not.toHaveProperty('client_id')

    for (const other of [await makeKey(owner), await makeKey(admin, ['models.read']), 'tk_nobody']) {
      expect(await inspect(tokens.access_token, { key: other })).toMatchObject({
        status: 401,
        body: { error: 'invalid_client' },
      })
    }
    const open = await registerClient(server, owner, { public: true })
    expect((await inspect(tokens.access_token, open)).body['error']).toBe('unauthorized_client')
    const anonymousPrincipal = await sendForm(server, '/oauth/introspect', { token: tokens.access_token })
    expect(anonymousPrincipal.status).toBe(401)
  })
})

describe('revocation', () => {
  test.each(['access_token', 'refresh_token'] as const)('of the %s ends the authorization', async (which) => {
    const client = await registerClient(server, owner)
    const tokens = await getTokens(server, owner, client)
    const other = await getTokens(server, owner, client)
    const answer = await sendForm(server, '/oauth/revoke', { token: tokens[which], ...proofOf(client) })
    expect(answer.status).toBe(200)
    expect(await answer.text()).toBe('')
    expect(await worksAt(server, tokens.access_token)).toBe(false)
    expect((await tokensOf(await refresh(server, client, tokens.refresh_token))).error).toBe('invalid_grant')
    expect(await worksAt(server, other.access_token)).toBe(true)
  })

  test('of a token of client credentials ends that token', async () => {
    const client = await registerClient(server, owner)
    const one = await tokensOf(await getClientToken(server, client))
    const two = await tokensOf(await getClientToken(server, client))
    await sendForm(server, '/oauth/revoke', { token: one.access_token, ...proofOf(client) })
    expect(await worksAt(server, one.access_token)).toBe(false)
    expect(await worksAt(server, two.access_token)).toBe(true)
  })

  test('of an invalid or expired token gets the same response', async () => {
    const client = await registerClient(server, owner)
    for (const token of ['x', 'a.b.c', 'x'.repeat(16_000)]) {
      const hint = { token, token_type_hint: 'something', ...proofOf(client) }
      expect((await sendForm(server, '/oauth/revoke', hint)).status).toBe(200)
    }
    const { access_token } = await tokensOf(await getClientToken(server, client))
    for (let round = 0; round < 2; round += 1) {
      const fields = { token: access_token, ...proofOf(client) }
      expect((await sendForm(server, '/oauth/revoke', fields)).status).toBe(200)
    }
  })

  test('of the token of another client, or without authentication, is refused', async () => {
    const client = await registerClient(server, owner)
    const stranger = await registerClient(server, owner)
    const tokens = await getTokens(server, owner, client)
    for (const token of [tokens.access_token, tokens.refresh_token]) {
      const answer = await sendForm(server, '/oauth/revoke', { token, ...proofOf(stranger) })
      expect(answer.status).toBe(400)
      expect((await sendForm(server, '/oauth/revoke', { token })).status).toBe(401)
      const wrong = { token, client_id: client.client_id, client_secret: 'wrong' }
      expect((await sendForm(server, '/oauth/revoke', wrong)).status).toBe(401)
    }
    expect(await worksAt(server, tokens.access_token)).toBe(true)
  })
})

describe('limits of the token endpoint', () => {
  test('are counted for an authenticated client, from any address', async () => {
    const client = await registerClient(server, owner)
    const answers = await Promise.all(Array.from({ length: 63 }, () => getClientToken(server, client)))
    const refused = answers.filter(({ status }) => status === 429)
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(60)
    expect(refused).toHaveLength(3)
    for (const answer of refused) {
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(await answer.json()).toEqual({
        error: 'rate_limited',
        error_description: expect.any(String) as string,
      })
    }
  })

  test('cannot be used up by callers without the secret of a client', async () => {
    const client = await registerClient(server, owner)
    const ip = freshAddress()
    const guess = () =>
      sendForm(
        server,
        '/oauth/token',
        { grant_type: 'client_credentials', client_id: client.client_id, client_secret: 'guessed' },
        { 'x-forwarded-for': ip },
      )
    const answers = await Promise.all(Array.from({ length: 62 }, guess))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(60)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(2)
    expect((await getClientToken(server, client)).status).toBe(200)
  })

  test('are counted by address for public clients', async () => {
    const client = await registerClient(server, owner, { public: true })
    const ip = freshAddress()
    const fields = { grant_type: 'refresh_token', refresh_token: 'x', client_id: client.client_id }
    const ask = () => sendForm(server, '/oauth/token', fields, { 'x-forwarded-for': ip })
    const answers = await Promise.all(Array.from({ length: 61 }, ask))
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(1)
    expect((await redeem(server, client, 'x')).status).toBe(400)
  })
})

test('the metadata is exact and complete', async () => {
  const answer = await fetch(`${server.url}/.well-known/oauth-authorization-server`)
  expect(answer.headers.get('content-type')).toContain('application/json')
  const { url } = server
  expect(await answer.json()).toEqual({
    issuer: url,
    authorization_endpoint: `${url}/oauth/authorize`,
    token_endpoint: `${url}/oauth/token`,
    revocation_endpoint: `${url}/oauth/revoke`,
    introspection_endpoint: `${url}/oauth/introspect`,
    jwks_uri: `${url}/.well-known/jwks.json`,
    scopes_supported: ['models.read', 'models.generate', 'workflows.run', 'workflows.manage', 'tours.manage'],
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    grant_types_supported: ['authorization_code', 'client_credentials', 'refresh_token'],
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    revocation_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post', 'none'],
    introspection_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    authorization_response_iss_parameter_supported: true,
    prompt_values_supported: ['none', 'consent'],
    service_documentation: `${url}/docs`,
  })
})

test.each([
  'models.read,models.generate',
  'models.read models.generate',
  'models.read, models.generate',
  'models.read+models.generate',
  '',
])('scopes written as %j are parsed', async (scope) => {
  const client = await registerClient(server, owner)
  const tokens = await tokensOf(await getClientToken(server, client, { scope }))
  expect(tokens.scope).toBe('models.read models.generate')
})

test('expired entries are deleted by the clean-up', async () => {
  const client = await registerClient(server, owner)
  await getTokens(server, owner, client)
  const count = async () => {
    const rows = await server.database.query<{ model: string }>(
      'select model from identity_oauth_records where client_id = $1 order by model',
      [client.client_id],
    )
    return rows.map(({ model }) => model)
  }
  await server.identity.cleanUp.run()
  expect(await count()).toEqual(['AuthorizationCode', 'Consent', 'Grant', 'RefreshToken'])
  await server.database.query(
    `update identity_oauth_records set expires_at = now() where client_id = $1 and expires_at is not null`,
    [client.client_id],
  )
  await server.identity.cleanUp.run()
  expect(await count()).toEqual(['Consent'])
})
