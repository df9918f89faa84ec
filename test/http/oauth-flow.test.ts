import { decodeJwt, decodeProtectedHeader } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdentityServer, shareIdentityServer } from './identity-server.ts'
import {
  addPerson,
  authorize,
  authorizeUrl,
  getClientToken,
  getTokens,
  makePkce,
  redeem,
  refresh,
  registerClient,
  tokensOf,
  tryToken,
} from './oauth-support.ts'
import type { Person } from './oauth-visitor.ts'

let server: IdentityServer
let clara: Person
beforeAll(async () => {
  server = await shareIdentityServer()
  clara = await addPerson(server)
})
afterAll(() => server[Symbol.asyncDispose]())

describe('the authorization code flow', () => {
  test('leads from the application through consent to valid tokens', async () => {
    const client = await registerClient(server, clara)
    const landed = await authorize(server, clara, client, {
      scope: 'models.read,models.generate',
      state: 'a b',
    })
    expect(landed.origin + landed.pathname).toBe('https://app.example/callback')
    expect([...landed.searchParams.keys()].sort()).toEqual(['code', 'iss', 'state'])
    expect(landed.searchParams.get('state')).toBe('a b')
    expect(landed.searchParams.get('iss')).toBe(server.url)

    const answer = await redeem(server, client, landed.searchParams.get('code') ?? '')
    expect(answer.status).toBe(200)
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.headers.get('x-request-id')).not.toBeNull()
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    const tokens = await tokensOf(answer)
    expect(tokens).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'bearer',
      expires_in: 3600,
      refresh_token: expect.any(String) as string,
      scope: 'models.read models.generate',
    })
    const profile = await tryToken(server, tokens.access_token)
    expect(profile.status).toBe(200)
    expect(await profile.json()).toMatchObject({ id: clara.id, username: clara.username })
  })

  test('issues access tokens that the platform accepts', async () => {
    const client = await registerClient(server, clara)
    const { access_token } = await getTokens(server, clara, client, { scope: 'models.read' })
    expect(decodeProtectedHeader(access_token)).toMatchObject({ alg: 'ES256', typ: 'at+jwt' })
    const claims = decodeJwt(access_token)
    expect(Object.keys(claims).sort()).toEqual(
      ['aud', 'client_id', 'exp', 'gid', 'iat', 'iss', 'jti', 'scope', 'sub'].sort(),
    )
    expect(claims).toMatchObject({
      aud: 'tutti',
      client_id: client.client_id,
      iss: server.url,
      scope: 'models.read',
      sub: clara.id,
    })
    expect((claims.exp ?? 0) - (claims.iat ?? 0)).toBe(3600)
  })

  test('issues new tokens for a refresh token, with fewer scopes on request', async () => {
    const client = await registerClient(server, clara)
    const first = await getTokens(server, clara, client)
    expect(first.scope).toBe('models.read models.generate')
    const second = await tokensOf(
      await refresh(server, client, first.refresh_token, { scope: 'models.read' }),
    )
    expect(second).toMatchObject({ token_type: 'bearer', expires_in: 3600, scope: 'models.read' })
    expect(second.refresh_token).not.toBe(first.refresh_token)
    const third = await tokensOf(await refresh(server, client, second.refresh_token))
    expect(third.scope).toBe('models.read models.generate')
    expect((await tryToken(server, third.access_token)).status).toBe(200)
  })

  test('accepts a public client with PKCE and no secret', async () => {
    const client = await registerClient(server, clara, { public: true })
    expect(client.client_secret).toBe('')
    const { verifier, challenge } = makePkce()
    const landed = await authorize(server, clara, client, {
      code_challenge: challenge,
      code_challenge_method: 'S256',
    })
    const code = landed.searchParams.get('code') ?? ''
    const tokens = await tokensOf(await redeem(server, client, code, { code_verifier: verifier }))
    expect((await tryToken(server, tokens.access_token)).status).toBe(200)
    expect((await refresh(server, client, tokens.refresh_token)).status).toBe(200)
  })

  test('leads an anonymous visitor to the sign-in page and back', async () => {
    const client = await registerClient(server, clara)
    const answer = await fetch(authorizeUrl(server, client, { state: 'x' }), { redirect: 'manual' })
    expect(answer.status).toBe(303)
    const location = new URL(answer.headers.get('location') ?? '', server.url)
    expect(location.pathname).toBe('/user/login')
    const destination = new URL(location.searchParams.get('destination') ?? '', server.url)
    expect(destination.pathname).toBe('/oauth/continue')
    const page = await fetch(destination)
    expect(await page.text()).toContain(
      `<meta http-equiv="refresh" content="0;url=/oauth/authorize?${destination.search.slice(1).replaceAll('&', '&amp;')}">`,
    )
    expect(answer.headers.getSetCookie()).toEqual([])
    const stored = await server.database.query(`select from identity_oauth_records where client_id = $1`, [
      client.client_id,
    ])
    expect(stored).toEqual([])
  })
})

describe('client credentials', () => {
  test('issue a token that acts for the owner of the client, without a refresh token', async () => {
    const client = await registerClient(server, clara)
    const answer = await getClientToken(server, client, { scope: 'models.read' })
    expect(answer.status).toBe(200)
    const tokens = await tokensOf(answer)
    expect(tokens).toEqual({
      access_token: expect.any(String) as string,
      token_type: 'bearer',
      expires_in: 3600,
      scope: 'models.read',
    })
    const claims = decodeJwt(tokens.access_token)
    expect(claims).toMatchObject({ sub: client.client_id, client_id: client.client_id, aud: 'tutti' })
    expect(claims['gid']).toBe(claims.jti)
    expect(await (await tryToken(server, tokens.access_token)).json()).toMatchObject({ id: clara.id })
  })
})
