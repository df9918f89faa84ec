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
import { addPostOnly, answerOAuthFailure, OAuthError, requireForm } from './oauth-answers.ts'

export interface IssuedTokensOptions {
  readonly tokens: IssuedTokens
  readonly authenticateClient: AuthenticateClient
  readonly authenticate: Authenticate
}

const TokenForm = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 16_384 }),
  token_type_hint: Type.Optional(
    Type.String({ maxLength: 200, description: 'Not needed: a token is recognised by itself.' }),
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
  { description: 'What the token is good for.' },
)

const seesAllTokens: Permission = 'administer users'

/** Taking tokens back, and asking what they are. */
export function addIssuedTokenRoutes(
  routes: HttpServer,
  { tokens, authenticateClient, authenticate }: IssuedTokensOptions,
): void {
  /** The client whose tokens may be looked at; undefined for somebody who may look at all. */
  async function whoseTokens(
    request: FastifyRequest<{ Body: Static<typeof TokenForm> }>,
  ): Promise<string | undefined> {
    const { authorization = '', 'x-api-key': apiKey } = request.headers
    if (/^bearer\b/i.test(authorization) || apiKey !== undefined) {
      const { permissions } = await authenticate(request).catch(refuseCaller)
      if (permissions.has(seesAllTokens)) return undefined
      throw oauthFailure('invalid_client', {
        message: `You need the permission "${seesAllTokens}", or the credentials of the token's client.`,
      })
    }
    const { client, secret } = await authenticateClient(request, request.body)
    if (secret !== undefined) return client.clientId
    throw oauthFailure('unauthorized_client', {
      message: 'A public client cannot prove whose tokens it may see.',
    })
  }

  addPostOnly(routes, '/oauth/introspect')
  routes.post(
    '/oauth/introspect',
    {
      config: { access: { open: 'the client, or an administrator, proves itself in the request' } },
      errorHandler: answerOAuthFailure,
      schema: {
        operationId: 'introspectToken',
        summary: 'Ask what a token is good for',
        description:
          'RFC 7662. A client learns of its own tokens; a caller with the permission `administer users`, by API key or token, of all.',
        consumes: ['application/x-www-form-urlencoded'],
        body: TokenForm,
        response: { 200: TokenState, 400: OAuthError, 401: OAuthError, 429: OAuthError },
      },
    },
    async (request, reply) => {
      requireForm(request)
      const clientId = await whoseTokens(request)
      const state = await tokens.inspect(request.body.token, clientId)
      return reply.header('cache-control', 'no-store').send(state)
    },
  )

  addPostOnly(routes, '/oauth/revoke')
  routes.post(
    '/oauth/revoke',
    {
      config: { access: { open: 'the client proves itself in the request' } },
      errorHandler: answerOAuthFailure,
      schema: {
        operationId: 'revokeToken',
        summary: 'Take a token back',
        description:
          'RFC 7009. An access or refresh token of this client; both stop working, with all that came from the same authorization. What is no token is answered the same.',
        consumes: ['application/x-www-form-urlencoded'],
        body: TokenForm,
        response: {
          200: {
            description: 'It does not work any more; there is nothing to read.',
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
