import type { FastifyRequest } from 'fastify'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import { digestApiKey } from '../api-keys/api-key-value.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import { identityFailure } from '../errors.ts'
import type { LastUses } from '../last-uses.ts'
import { originOf } from '../security-events.ts'
import type { AnonymousTokens } from '../sessions/anonymous-token.ts'
import { isSameToken } from '../sessions/csrf-token.ts'
import { readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { CheckPassword } from '../sign-in/check-password.ts'
import { type AccessTokens, invalidToken } from '../tokens/access-tokens.ts'
import { findTokenHolder } from '../tokens/token-holder.ts'
import { principalOf } from '../users/account.ts'
import { loadAnonymous } from '../users/anonymous.ts'
import { findAccount } from '../users/find-account.ts'
import { readBasicCredentials } from './basic-credentials.ts'
import type { KnownCredentials } from './known-credentials.ts'
import { createVerifiedPasswords } from './verified-passwords.ts'

export type Authenticate = (request: FastifyRequest) => Promise<Principal>

export interface AuthenticateOptions {
  readonly database: Database
  readonly sessions: Sessions
  readonly anonymousTokens: AnonymousTokens
  readonly checkPassword: CheckPassword
  readonly apiKeys: ApiKeys
  readonly accessTokens: AccessTokens
  readonly known: KnownCredentials
  readonly lastUses: LastUses
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Longer than any credential of ours; what is longer need not be hashed to be refused. */
const longestCredential = 8192

/**
 * Finds out who is asking. The first credential in this order decides alone; one that does not hold is refused, never
 * passed over for the next:
 *
 * | credential | who | else |
 * |---|---|---|
 * | `Authorization: Basic` | the account of that password | `invalid_credentials` |
 * | `Authorization: Bearer`, shaped like a JWT | the account of the access token | `token_expired`, `invalid_token` |
 * | `Authorization: Bearer`, anything else | the account of the API key | `invalid_api_key` |
 * | `Authorization:` anything else | nobody | `authentication_required` |
 * | `X-API-Key` | the account of the API key | `invalid_api_key` |
 * | cookie `SESS` of an open session | its account; a write needs the session's token | `invalid_csrf_token` |
 * | none, or the cookie of a session that is over | whoever the role `anonymous` describes | |
 */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const { database, sessions, anonymousTokens, checkPassword, apiKeys, accessTokens, known, lastUses } =
    options
  const verified = createVerifiedPasswords()

  async function byPassword(encoded: string, request: FastifyRequest): Promise<Principal> {
    const credentials = readBasicCredentials(encoded)
    if (credentials === undefined) throw identityFailure('invalid_credentials')
    const used = { method: 'basic', credential: null, scopes: null } as const
    const account = await findAccount(database, credentials.username)
    if (account !== undefined && !account.disabled && verified.has(credentials, account.password_hash)) {
      return principalOf(account, used)
    }
    const origin = originOf(request)
    const checked = await verified.share(credentials, origin.ip, () =>
      checkPassword({ ...credentials, method: 'basic', origin }),
    )
    verified.remember(credentials, checked.password_hash)
    return principalOf(checked, used)
  }

  async function byApiKey(key: string): Promise<Principal> {
    if (key.length > longestCredential) throw invalidApiKey()
    const found = await known.find(digestApiKey(key), () => apiKeys.find(key))
    if (found === undefined) throw invalidApiKey()
    if (found.expiresAt !== null && found.expiresAt.getTime() <= Date.now()) {
      throw invalidApiKey('This API key has expired.')
    }
    if (found.principal.credential !== null) lastUses.ofApiKey(found.principal.credential)
    return found.principal
  }

  async function byAccessToken(text: string): Promise<Principal> {
    const token = accessTokens.recall(text) ?? (await accessTokens.verify(text))
    const found = await known.find(text, () => findTokenHolder(database, token))
    if (found === undefined) throw invalidToken()
    if (token.clientId !== null) lastUses.ofClient(token.clientId)
    return found.principal
  }

  async function byBearer(credential: string): Promise<Principal> {
    if (!isShapedLikeJwt(credential)) return await byApiKey(credential)
    if (credential.length > longestCredential) throw invalidToken()
    return await byAccessToken(credential)
  }

  async function byAuthorization(header: string, request: FastifyRequest): Promise<Principal> {
    const [scheme = '', credential = '', ...rest] = header.trim().split(/\s+/)
    if (rest.length > 0) {
      throw kernelFailure('authentication_required', {
        message: 'The Authorization header must be a scheme and one credential.',
      })
    }
    switch (scheme.toLowerCase()) {
      case 'basic':
        return await byPassword(credential, request)
      case 'bearer':
        return await byBearer(credential)
      default:
        throw kernelFailure('authentication_required', {
          message: 'The Authorization header must begin with Bearer or Basic.',
        })
    }
  }

  async function bySession(request: FastifyRequest): Promise<Principal | undefined> {
    const session = await sessions.find(readSessionCookie(request))
    if (session === undefined) return undefined
    if (
      !readingMethods.has(request.method) &&
      !isSameToken(session.csrfToken, request.headers['x-csrf-token'])
    ) {
      throw identityFailure('invalid_csrf_token')
    }
    return principalOf(session.account, { method: 'session', credential: session.id, scopes: null })
  }

  async function byNothing(request: FastifyRequest): Promise<Principal> {
    const needsToken = request.routeOptions.config.csrfToken === 'always'
    if (needsToken && !(await anonymousTokens.holds(request.headers['x-csrf-token']))) {
      throw identityFailure('invalid_csrf_token')
    }
    return await loadAnonymous(database)
  }

  return async (request) => {
    const { authorization, 'x-api-key': apiKey } = request.headers
    if (authorization !== undefined) return await byAuthorization(authorization, request)
    if (apiKey !== undefined) return await byApiKey(String(apiKey))
    return (await bySession(request)) ?? (await byNothing(request))
  }
}

/** Three parts with dots, or the beginning of a token of which a part was lost: `eyJ` is how every header begins. */
function isShapedLikeJwt(credential: string): boolean {
  return credential.split('.').length === 3 || /^eyJ[\w-]*\./.test(credential)
}

/** RFC 6750 has one word for every bearer credential that does not hold. */
function invalidApiKey(message?: string) {
  return identityFailure('invalid_api_key', {
    ...(message !== undefined && { message }),
    headers: { 'www-authenticate': 'Bearer realm="tutti", error="invalid_token"' },
  })
}
