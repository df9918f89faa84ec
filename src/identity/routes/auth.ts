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

const TokenBody = Type.Object(
  {
    token: Type.String({ description: 'The access token: a JWT for `Authorization: Bearer`.' }),
    refreshToken: Type.String({ description: 'Gets the next pair, once, at the refresh endpoint.' }),
    expiresIn: Type.Integer({ description: 'Seconds until `token` expires.' }),
  },
  { description: 'A token and what renews it.' },
)

const RefreshTokenField = Type.String({ minLength: 1, maxLength: 256 })

/** Sign-in for programs: a password for a token, a refresh token for the next one. */
export function addAuthRoutes(routes: HttpServer, options: AuthRoutesOptions): void {
  const { checkPassword, accessTokens, families, endSignIns, limits, securityEvents, publicUrl } = options

  async function answer(issuer: string, issued: { userId: string; familyId: string; refreshToken: string }) {
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
        summary: 'Get a token for username and password',
        description:
          'After 10 failed attempts within a minute, from one address or for one username, the answer is 429 with `Retry-After`.',
        body: Type.Object(
          {
            username: Type.String({ minLength: 1, maxLength: 256 }),
            password: Type.String({ minLength: 1, maxLength: 1024 }),
          },
          { additionalProperties: false },
        ),
        response: { 200: TokenBody },
      },
    },
    async (request, reply) => {
      const origin = originOf(request)
      const account = await checkPassword({ ...request.body, method: 'token', origin })
      const issued = await families.begin({ account, origin })
      // Disabled, or given another password, in the instant since it was checked.
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
        .send(await answer(issuerOf(request, publicUrl), issued))
    },
  )

  routes.post(
    '/api/v1/auth/refresh',
    {
      config: { access: { open: 'the refresh token in the body is the credential' } },
      schema: {
        operationId: 'refreshToken',
        summary: 'Get the next token',
        description:
          'Each refresh token works once. One that is used again ends the sign-in it came from: its tokens stop working at once.',
        body: Type.Object({ refreshToken: RefreshTokenField }, { additionalProperties: false }),
        response: { 200: TokenBody },
      },
    },
    async (request, reply) => {
      await limits.takeForAddress(request)
      const issued = await families.rotate(request.body.refreshToken, originOf(request))
      if (issued === undefined) throw invalidToken('This refresh token is not valid. Sign in again.')
      return reply
        .header('cache-control', 'no-store')
        .send(await answer(issuerOf(request, publicUrl), issued))
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
        summary: 'End a sign-in',
        description:
          'Ends what the access token in `Authorization` belongs to, or the sign-in of `refreshToken`: both its tokens stop working.',
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
              ? 'An API key is not signed out; revoke it with DELETE /api/v1/api-keys/{id}.'
              : 'Send the access token in Authorization, or refreshToken in the body.',
        })
      }
      const by = { by: principal.id, origin: originOf(request) }
      if (family !== undefined)
        await endSignIns.grant({ grant: family.familyId, userId: family.userId, ...by })
      if (byToken !== null && byToken !== family?.familyId && principal.id !== null) {
        await endSignIns.grant({ grant: byToken, userId: principal.id, ...by })
      }
      return reply.code(204).send(null)
    },
  )
}
