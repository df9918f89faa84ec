import { type Static, Type } from 'typebox'
import type { HttpServer } from '#kernel/http'
import type { LastUses } from '../last-uses.ts'
import { type GrantType, grantTypes } from '../oauth/client.ts'
import type { AuthenticateClient } from '../oauth/client-authentication.ts'
import { oauthFailure } from '../oauth/errors.ts'
import type { KnownClient } from '../oauth/known-clients.ts'
import type { Providers } from '../oauth/providers.ts'
import { requireRegistered, writeScopes } from '../oauth/requested-scopes.ts'
import type { RequestLimits } from '../request-limits.ts'
import { originOf } from '../security-events.ts'
import { issuerOf } from '../tokens/issuer.ts'
import { addPostOnly, answerOAuthFailure, OAuthError, requireForm } from './oauth-answers.ts'

export interface OAuthTokenOptions {
  readonly providers: Providers
  readonly authenticateClient: AuthenticateClient
  readonly limits: RequestLimits
  readonly lastUses: LastUses
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
    expires_in: Type.Integer({ description: 'Seconds.' }),
    refresh_token: Type.Optional(Type.String({ description: 'Not with client credentials.' })),
    scope: Type.String({ description: 'Separated by spaces.' }),
  },
  { description: 'The tokens.' },
)

/** Which fields go with which grant; the provider sees no others. */
const fieldsOf: Readonly<
  Record<GrantType, readonly ('code' | 'redirect_uri' | 'code_verifier' | 'refresh_token')[]>
> = {
  authorization_code: ['code', 'redirect_uri', 'code_verifier'],
  refresh_token: ['refresh_token'],
  client_credentials: [],
}

/** Where clients get their tokens. */
export function addOAuthTokenRoute(routes: HttpServer, options: OAuthTokenOptions): void {
  const { providers, authenticateClient, limits, lastUses, publicUrl } = options
  addPostOnly(routes, '/oauth/token')
  routes.post(
    '/oauth/token',
    {
      config: { access: { open: 'the client proves itself in the request' } },
      errorHandler: answerOAuthFailure,
      schema: {
        operationId: 'issueToken',
        summary: 'Get a token for a code, for client credentials or for a refresh token',
        description:
          'The client proves itself by HTTP Basic or by `client_id` and `client_secret`; a public one by PKCE. 60 requests a minute for each client. A refresh token and a code work once; used again they end everything that came from them.',
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
      // Whoever has not proved anything is counted by address: nobody can use up another's share.
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

      const { ask } = await providers.of(issuer)
      const answer = await ask({ method: 'POST', url: '/oauth/token', form, origin: originOf(request) })
      const told = JSON.parse(answer.body) as Static<typeof TokenResponse>
      reply.code(answer.status as 200).header('cache-control', 'no-store')
      if (answer.status !== 200) return reply.send(told)
      lastUses.ofClient(client.clientId)
      return reply.send({ ...told, token_type: 'bearer' })
    },
  )
}

function requireGrantType(given: string, client: KnownClient): GrantType {
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

/** A code carries its scopes; a refresh token may be narrowed; a client by itself gets what it is registered for. */
function scopeFor(grantType: GrantType, given: string | undefined, client: KnownClient): string | undefined {
  if (grantType === 'authorization_code') return undefined
  if (grantType === 'refresh_token' && (given === undefined || given.trim() === '')) return undefined
  const scope = writeScopes(given, client.scopes)
  requireRegistered(scope, client.scopes)
  return scope
}
