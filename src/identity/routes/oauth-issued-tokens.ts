import type { FastifyRequest } from 'fastify'
import { type Static, Type } from 'typebox'
import { Failure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import type { Authenticate } from '../authentication/authenticate.ts'
import type { AuthenticateClient } from '../oauth/client-authentication.ts'
import { oauthFailure } from '../oauth/errors.ts'
import type { IssuedTokens } from '../oauth/issued-tokens.ts'
import type { Permission } from '../permissions.ts'
import { originOf } from '../security-events.ts'
import { addPostOnly, OAuthError, requireForm, sendOAuthError } from './oauth-errors.ts'

export interface IssuedTokensOptions {
  readonly tokens: IssuedTokens
  readonly authenticateClient: AuthenticateClient
  readonly authenticate: Authenticate
}

const TokenForm = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 16_384 }),
  token_type_hint: Type.Optional(
    Type.String({ maxLength: 200, description: 'Ignored: the type of a token is detected.' }),
  ),
  client_id: Type.Optional(Type.String({ maxLength: 8192 })),
  client_secret: Type.Optional(Type.String({ maxLength: 8192 })),
})

const TokenState = Type.Object(
  {
    active: Type.Boolean(),
    client_id: Type.Optional(Type.String()),
    username: Type.Optional(Type.String()),
    scope: Type.Optional(Type.String()),
    token_type: Type.Optional(Type.String()),
    sub: Type.Optional(Type.String()),
    aud: Type.Optional(Type.String()),
    iss: Type.Optional(Type.String()),
    jti: Type.Optional(Type.String()),
    iat: Type.Optional(Type.Integer()),
    exp: Type.Optional(Type.Integer()),
  },
  { description: 'The state of the token, as defined by RFC 7662.' },
)

const allTokensPermission: Permission = 'administer users'

/** Token introspection (RFC 7662) and revocation (RFC 7009). */
export function addIssuedTokenRoutes(
  routes: HttpServer,
  { tokens, authenticateClient, authenticate }: IssuedTokensOptions,
): void {
  /** The caller may introspect the tokens of this client; undefined for an administrator, who may introspect all tokens. */
  async function visibleClientOf(
    request: FastifyRequest<{ Body: Static<typeof TokenForm> }>,
  ): Promise<string | undefined> {
    const { authorization = '', 'x-api-key': apiKey } = request.headers
    if (/^bearer\b/i.test(authorization) || apiKey !== undefined) {
      const { permissions } = await authenticate(request).catch(refuseCaller)
      if (permissions.has(allTokensPermission)) return undefined
      throw oauthFailure('invalid_client', {
        message: `Send the credentials of the token's client, or use an account with the permission "${allTokensPermission}".`,
      })
    }
    const { client, secret } = await authenticateClient(request, request.body)
    if (secret !== undefined) return client.clientId
    throw oauthFailure('unauthorized_client', {
      message: 'A public client has no secret and cannot introspect tokens.',
    })
  }

  addPostOnly(routes, '/oauth/introspect')
  routes.post(
    '/oauth/introspect',
    {
      config: { access: { open: 'the client or the administrator authenticates in the request' } },
      errorHandler: sendOAuthError,
      schema: {
        operationId: 'introspectToken',
        summary: 'Introspect a token',
        description:
          'RFC 7662. A client can introspect its own tokens; a caller with the permission `administer users`, by API key or access token, all tokens.',
        consumes: ['application/x-www-form-urlencoded'],
        body: TokenForm,
        response: { 200: TokenState, 400: OAuthError, 401: OAuthError, 429: OAuthError },
      },
    },
    async (request, reply) => {
      requireForm(request)
      const clientId = await visibleClientOf(request)
      const state = await tokens.inspect(request.body.token, clientId)
      return reply.header('cache-control', 'no-store').send(state)
    },
  )

  addPostOnly(routes, '/oauth/revoke')
  routes.post(
    '/oauth/revoke',
    {
      config: { access: { open: 'the client authenticates in the request' } },
      errorHandler: sendOAuthError,
      schema: {
        operationId: 'revokeToken',
        summary: 'Revoke a token',
        description:
          'RFC 7009. Revokes an access or refresh token of this client, with all tokens of the same authorization. The response is the same for an unknown token.',
        consumes: ['application/x-www-form-urlencoded'],
        body: TokenForm,
        response: {
          200: {
            description: 'Revoked. The response is empty.',
            content: { 'text/plain': { schema: Type.String({ maxLength: 0 }) } },
          },
          400: OAuthError,
          401: OAuthError,
          429: OAuthError,
        },
      },
    },
    async (request, reply) => {
      requireForm(request)
      const { client } = await authenticateClient(request, request.body)
      const own = await tokens.revoke(request.body.token, client.clientId, originOf(request))
      if (!own)
        throw oauthFailure('invalid_request', { message: 'This token was not issued to this client.' })
      return reply.type('text/plain; charset=utf-8').header('cache-control', 'no-store').send('')
    },
  )
}

function refuseCaller(error: unknown): never {
  if (!(error instanceof Failure) || error.status !== 401) throw error
  throw oauthFailure('invalid_client', { message: error.message, headers: error.headers })
}
