import * as oauth from 'oauth4webapi'
import * as openid from 'openid-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type IdentityServer, shareIdentityServer } from './identity-server.ts'
import {
  addPerson,
  decide,
  follow,
  type RegisteredClient,
  registerClient,
  tryToken,
} from './oauth-support.ts'
import { locationOf, type Person, Visitor } from './oauth-visitor.ts'

let server: IdentityServer
let robert: Person
let confidential: RegisteredClient
let open: RegisteredClient
beforeAll(async () => {
  server = await shareIdentityServer()
  robert = await addPerson(server)
  confidential = await registerClient(server, robert)
  open = await registerClient(server, robert, { public: true })
})
afterAll(() => server[Symbol.asyncDispose]())

/** The browser part of the flow. */
async function agree(url: URL): Promise<URL> {
  const visitor = new Visitor(server, robert)
  const page = await follow(visitor, url.href)
  return locationOf(page.status === 200 ? await decide(visitor, page, 'approve') : page)
}

async function discoverFor(
  { client_id, client_secret }: RegisteredClient,
  authentication: openid.ClientAuth,
): Promise<openid.Configuration> {
  return await openid.discovery(new URL(server.url), client_id, client_secret, authentication, {
    algorithm: 'oauth2',
    execute: [openid.allowInsecureRequests],
  })
}

describe('openid-client', () => {
  test.each([
    ['HTTP Basic', () => confidential, (secret: string) => openid.ClientSecretBasic(secret)],
    ['a secret in the form', () => confidential, (secret: string) => openid.ClientSecretPost(secret)],
    ['no secret', () => open, () => openid.None()],
  ])('completes the code flow with PKCE, refreshes and revokes, by %s', async (_name, which, how) => {
    const client = which()
    const configuration = await discoverFor(client, how(client.client_secret))
    const pkceCodeVerifier = openid.randomPKCECodeVerifier()
    const expectedState = openid.randomState()
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: client.redirect_uris[0] ?? '',
      scope: 'models.read models.generate',
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: 'S256',
      state: expectedState,
    })
    const landed = await agree(url)
    const tokens = await openid.authorizationCodeGrant(configuration, landed, {
      pkceCodeVerifier,
      expectedState,
    })
    expect(tokens.token_type).toBe('bearer')
    expect(tokens.scope).toBe('models.read models.generate')
    const profile = await openid.fetchProtectedResource(
      configuration,
      tokens.access_token,
      new URL(`${server.url}/api/v1/user/profile`),
      'GET',
    )
    expect(await profile.json()).toMatchObject({ username: robert.username })

    const next = await openid.refreshTokenGrant(configuration, tokens.refresh_token ?? '')
    expect((await tryToken(server, next.access_token)).status).toBe(200)
    await openid.tokenRevocation(configuration, next.refresh_token ?? '')
    expect((await tryToken(server, next.access_token)).status).toBe(401)
    expect((await tryToken(server, tokens.access_token)).status).toBe(401)
    await expect(openid.refreshTokenGrant(configuration, next.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    })
  })

  test('gets a token for client credentials and introspects it', async () => {
    const configuration = await discoverFor(
      confidential,
      openid.ClientSecretBasic(confidential.client_secret),
    )
    const { access_token } = await openid.clientCredentialsGrant(configuration, { scope: 'models.read' })
    const state = await openid.tokenIntrospection(configuration, access_token)
    expect(state).toMatchObject({ active: true, client_id: confidential.client_id, scope: 'models.read' })
    await openid.tokenRevocation(configuration, access_token)
    expect(await openid.tokenIntrospection(configuration, access_token)).toEqual({ active: false })
    expect((await tryToken(server, access_token)).status).toBe(401)
  })
})

describe('oauth4webapi', () => {
  const insecure = { [oauth.allowInsecureRequests]: true }

  async function discover(): Promise<oauth.AuthorizationServer> {
    const issuer = new URL(server.url)
    const answer = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    return await oauth.processDiscoveryResponse(issuer, answer)
  }

  test('completes the code flow with PKCE and validates the access token by RFC 9068', async () => {
    const as = await discover()
    const client: oauth.Client = { client_id: confidential.client_id }
    const authentication = oauth.ClientSecretBasic(confidential.client_secret)
    const redirectUri = confidential.redirect_uris[0] ?? ''
    const verifier = oauth.generateRandomCodeVerifier()
    const state = oauth.generateRandomState()
    const url = new URL(as.authorization_endpoint ?? '')
    url.search = new URLSearchParams({
      response_type: 'code',
      client_id: client.client_id,
      redirect_uri: redirectUri,
      scope: 'models.read',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
    }).toString()

    const parameters = oauth.validateAuthResponse(as, client, await agree(url), state)
    const tokens = await oauth.processAuthorizationCodeResponse(
      as,
      client,
      await oauth.authorizationCodeGrantRequest(
        as,
        client,
        authentication,
        parameters,
        redirectUri,
        verifier,
        insecure,
      ),
    )
    const claims = await oauth.validateJwtAccessToken(
      as,
      new Request(server.url, { headers: { authorization: `Bearer ${tokens.access_token}` } }),
      'tutti',
      insecure,
    )
    expect(claims.sub).toBe(robert.id)

    const refreshed = await oauth.processRefreshTokenResponse(
      as,
      client,
      await oauth.refreshTokenGrantRequest(as, client, authentication, tokens.refresh_token ?? '', insecure),
    )
    await oauth.processRevocationResponse(
      await oauth.revocationRequest(as, client, authentication, refreshed.access_token, insecure),
    )
    expect((await tryToken(server, refreshed.access_token)).status).toBe(401)
  })

  test('gets a token for client credentials', async () => {
    const as = await discover()
    const client: oauth.Client = { client_id: confidential.client_id }
    const answer = await oauth.clientCredentialsGrantRequest(
      as,
      client,
      oauth.ClientSecretPost(confidential.client_secret),
      new URLSearchParams({ scope: 'models.read' }),
      insecure,
    )
    const tokens = await oauth.processClientCredentialsResponse(as, client, answer)
    expect(tokens.refresh_token).toBeUndefined()
    expect((await tryToken(server, tokens.access_token)).status).toBe(200)
  })
})
