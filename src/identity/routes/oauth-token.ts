import { type Static, Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { LastUsedWriter } from '../last-used-writer.ts'
import { type GrantType, grantTypes } from '../oauth/client.ts'
import type { AuthenticateClient } from '../oauth/client-authentication.ts'
import type { CachedClient } from '../oauth/client-cache.ts'
import { oauthFailure } from '../oauth/errors.ts'
import type { Providers } from '../oauth/providers.ts'
import { normalizeScopes, requireRegistered } from '../oauth/requested-scopes.ts'
import type { RequestLimits } from '../request-limits.ts'
import { originOf } from '../security-events.ts'
import { issuerOf } from '../tokens/issuer.ts'
import { addPostOnly, OAuthError, requireForm, sendOAuthError } from './oauth-errors.ts'

export interface OAuthTokenOptions {
  readonly providers: Providers
  readonly authenticateClient: AuthenticateClient
  readonly limits: RequestLimits
  readonly lastUsed: LastUsedWriter
  readonly publicUrl: string | undefined
}

const Text = Type.Optional(Type.String({ maxLength: 8192 }))

const TokenRequest = Type.Object({
  grant_type: Type.String({
    description: 'One of `authorization_code`, `client_credentials`, `refresh_token`.',
  }),
  client_id: Text,
  client_secret: Text,
  code: Text,
  redirect_uri: Text,
  code_verifier: Text,
  refresh_token: Text,
  scope: Text,
})

const TokenResponse = Type.Object(
  {
    access_token: Type.String(),
    token_type: Type.Literal('bearer'),
    expires_in: Type.Integer({ description: 'Lifetime of the access token in seconds.' }),
    refresh_token: Type.Optional(Type.String({ description: 'Absent for client credentials.' })),
    scope: Type.String({ description: 'Separated by spaces.' }),
  },
  { description: 'The tokens.' },
)

/** The form fields of each grant type; other fields are not passed to the provider. */
const fieldsOf: Readonly<
  Record<GrantType, readonly ('code' | 'redirect_uri' | 'code_verifier' | 'refresh_token')[]>
> = {
  authorization_code: ['code', 'redirect_uri', 'code_verifier'],
  refresh_token: ['refresh_token'],
  client_credentials: [],
}

/** The OAuth token endpoint. */
export function addOAuthTokenRoute(routes: HttpServer, options: OAuthTokenOptions): void {
  const { providers, authenticateClient, limits, lastUsed, publicUrl } = options
  addPostOnly(routes, '/oauth/token')
  routes.post(
    '/oauth/token',
    {
      config: { access: { open: 'the client authenticates in the request' } },
      errorHandler: sendOAuthError,
      schema: {
        operationId: 'issueToken',
        summary: 'Issue a token',
        description:
          'Exchanges an authorization code, client credentials or a refresh token for an access token. The client authenticates by HTTP Basic or by `client_id` and `client_secret`; a public client uses PKCE. Codes and refresh tokens work once: using one again revokes all tokens of its authorization. Limit: 60 requests a minute for each client.',
        consumes: ['application/x-www-form-urlencoded'],
        body: TokenRequest,
        response: { 200: TokenResponse, 400: OAuthError, 401: OAuthError, 429: OAuthError },
      },
    },
    async (request, reply) => {
      requireForm(request)
      const { body } = request
      const issuer = issuerOf(request, publicUrl)
      const { client, secret } = await authenticateClient(request, body)
      // An unauthenticated client is counted by IP address, so that it cannot use up the limit of another client.
      if (secret === undefined) await limits.takeForAddress(request)
      else await limits.takeForClient(client.clientId)

      const grantType = requireGrantType(body.grant_type, client)
      const form = new URLSearchParams({ grant_type: grantType, client_id: client.clientId })
      if (secret !== undefined) form.set('client_secret', secret)
      for (const name of fieldsOf[grantType]) {
        const value = body[name]
        if (value !== undefined) form.set(name, value)
      }
      const scope = scopeFor(grantType, body.scope, client)
      if (scope !== undefined) form.set('scope', scope)

      const { call } = await providers.of(issuer)
      const result = await call({ method: 'POST', url: '/oauth/token', form, origin: originOf(request) })
      const parsed = JSON.parse(result.body) as Static<typeof TokenResponse>
      reply.code(result.status as 200).header('cache-control', 'no-store')
      if (result.status !== 200) return reply.send(parsed)
      lastUsed.touchClient(client.clientId)
      return reply.send({ ...parsed, token_type: 'bearer' })
    },
  )
}

function requireGrantType(given: string, client: CachedClient): GrantType {
  const grantType = grantTypes.find((name) => name === given)
  if (grantType === undefined) throw oauthFailure('unsupported_grant_type')
  if (!client.grantTypes.includes(grantType)) {
    throw oauthFailure('unauthorized_client', { message: `This client is not registered for ${grantType}.` })
  }
  if (grantType === 'client_credentials' && !client.ownerEnabled) {
    throw oauthFailure('unauthorized_client', { message: 'The account this client acts for is disabled.' })
  }
  return grantType
}

/** A code has its own scopes; a refresh request may reduce them; client credentials get the scopes of the client. */
function scopeFor(grantType: GrantType, given: string | undefined, client: CachedClient): string | undefined {
  if (grantType === 'authorization_code') return undefined
  if (grantType === 'refresh_token' && (given === undefined || given.trim() === '')) return undefined
  const scope = normalizeScopes(given, client.scopes)
  requireRegistered(scope, client.scopes)
  return scope
}
