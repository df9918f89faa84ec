import { Type } from 'typebox'
import { kernelFailure } from '#kernel/errors'
import type { HttpServer } from '#kernel/http'
import { identityFailure } from '../errors.ts'
import type { RequestLimits } from '../request-limits.ts'
import { originOf, type SecurityEvents } from '../security-events.ts'
import type { CheckPassword } from '../sign-in/check-password.ts'
import { type AccessTokens, invalidToken } from '../tokens/access-tokens.ts'
import type { EndSignIns } from '../tokens/end-sign-ins.ts'
import { issuerOf } from '../tokens/issuer.ts'
import type { SigningKeys } from '../tokens/signing-keys.ts'
import type { TokenFamilies } from '../tokens/token-families.ts'

export interface AuthRoutesOptions {
  readonly checkPassword: CheckPassword
  readonly accessTokens: AccessTokens
  readonly families: TokenFamilies
  readonly endSignIns: EndSignIns
  readonly limits: RequestLimits
  readonly securityEvents: SecurityEvents
  readonly publicUrl: string | undefined
}

const TokenResponse = Type.Object(
  {
    token: Type.String({ description: 'The access token, a JWT for `Authorization: Bearer`.' }),
    refreshToken: Type.String({
      description: 'Gets the next pair of tokens at the refresh endpoint. It works once.',
    }),
    expiresIn: Type.Integer({ description: 'Seconds until `token` expires.' }),
  },
  { description: 'An access token and a refresh token.' },
)

const RefreshTokenField = Type.String({ minLength: 1, maxLength: 256 })

/** Token sign-in for programs: login, refresh and logout. */
export function addAuthRoutes(routes: HttpServer, options: AuthRoutesOptions): void {
  const { checkPassword, accessTokens, families, endSignIns, limits, securityEvents, publicUrl } = options

  async function issueTokens(
    issuer: string,
    issued: { userId: string; familyId: string; refreshToken: string },
  ) {
    const { userId, familyId: grant, refreshToken } = issued
    const { token, expiresInSeconds } = await accessTokens.sign({ userId, grant, issuer })
    return { token, refreshToken, expiresIn: expiresInSeconds }
  }

  routes.post(
    '/api/v1/auth/login',
    {
      config: { access: { open: 'this is where one signs in' } },
      schema: {
        operationId: 'login',
        summary: 'Sign in for tokens',
        description:
          'Exchanges username and password for an access token and a refresh token. After 10 failed attempts within a minute, from one IP address or for one username, the response is 429 with `Retry-After`.',
        body: Type.Object(
          {
            username: Type.String({ minLength: 1, maxLength: 256 }),
            password: Type.String({ minLength: 1, maxLength: 1024 }),
          },
          { additionalProperties: false },
        ),
        response: { 200: TokenResponse },
      },
    },
    async (request, reply) => {
      const origin = originOf(request)
      const account = await checkPassword({ ...request.body, method: 'token', origin })
      const issued = await families.begin({ account, origin })
      // The account was disabled, or its password changed, after the check.
      if (issued === undefined) throw identityFailure('invalid_credentials')
      await securityEvents.append({
        type: 'identity.signed_in',
        subject: account.id,
        account: account.id,
        origin,
        data: { method: 'token' },
      })
      return reply
        .header('cache-control', 'no-store')
        .send(await issueTokens(issuerOf(request, publicUrl), issued))
    },
  )

  routes.post(
    '/api/v1/auth/refresh',
    {
      config: { access: { open: 'the refresh token in the body is the credential' } },
      schema: {
        operationId: 'refreshToken',
        summary: 'Refresh an access token',
        description:
          'A refresh token works once. Using it again ends its sign-in: all tokens of that sign-in stop working at once.',
        body: Type.Object({ refreshToken: RefreshTokenField }, { additionalProperties: false }),
        response: { 200: TokenResponse },
      },
    },
    async (request, reply) => {
      await limits.takeForAddress(request)
      const issued = await families.rotate(request.body.refreshToken, originOf(request))
      if (issued === undefined) throw invalidToken('This refresh token is not valid. Sign in again.')
      return reply
        .header('cache-control', 'no-store')
        .send(await issueTokens(issuerOf(request, publicUrl), issued))
    },
  )

  routes.post(
    '/api/v1/auth/logout',
    {
      config: {
        access: { open: 'it ends the credential it is given, and nothing without one', identify: true },
      },
      schema: {
        operationId: 'logout',
        summary: 'Sign out and revoke tokens',
        description:
          'Ends the sign-in of the access token in `Authorization`, or of `refreshToken` in the body. Its access and refresh tokens stop working at once.',
        body: Type.Optional(
          Type.Union([
            Type.Object({ refreshToken: Type.Optional(RefreshTokenField) }, { additionalProperties: false }),
            Type.Null(),
          ]),
        ),
        response: { 204: Type.Null({ description: 'Signed out.' }) },
      },
    },
    async (request, reply) => {
      const { principal, body } = request
      const refreshToken = body?.refreshToken
      const family = refreshToken === undefined ? undefined : await families.find(refreshToken)
      const byToken = principal.method === 'token' ? principal.credential : null
      if (refreshToken === undefined && byToken === null) {
        throw kernelFailure('invalid_input', {
          message:
            principal.method === 'api_key'
              ? 'An API key cannot sign out. Revoke it with DELETE /api/v1/api-keys/{id}.'
              : 'Send the access token in Authorization, or refreshToken in the body.',
        })
      }
      const actor = { by: principal.id, origin: originOf(request) }
      if (family !== undefined)
        await endSignIns.grant({ grant: family.familyId, userId: family.userId, ...actor })
      if (byToken !== null && byToken !== family?.familyId && principal.id !== null) {
        await endSignIns.grant({ grant: byToken, userId: principal.id, ...actor })
      }
      return reply.code(204).send(null)
    },
  )
}

/** Publishes the keys that verify access tokens. */
export function addKeySetRoute(routes: HttpServer, keys: SigningKeys): void {
  routes.get(
    '/.well-known/jwks.json',
    {
      config: { access: { open: 'public keys are for everyone' } },
      schema: {
        operationId: 'readKeySet',
        summary: 'Get the JSON Web Key Set',
        description: 'The public keys that verify access tokens.',
        response: {
          200: Type.Object(
            { keys: Type.Array(Type.Object({ kty: Type.String() }, { additionalProperties: true })) },
            { description: 'Every key that a valid token may be signed with.' },
          ),
        },
      },
    },
    async (_request, reply) => {
      const keySet = { keys: (await keys.published()).map((key) => ({ ...key, kty: key.kty ?? '' })) }
      return reply.header('cache-control', 'public, max-age=300').send(keySet)
    },
  )
}
