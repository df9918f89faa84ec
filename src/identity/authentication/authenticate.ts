import type { FastifyRequest } from 'fastify'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import type { Principal } from '#kernel/http'
import { identityFailure } from '../errors.ts'
import { originOf } from '../security-events.ts'
import { isSameToken } from '../sessions/csrf-token.ts'
import { readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { CheckPassword } from '../sign-in/check-password.ts'
import { principalOf } from '../users/account.ts'
import { loadAnonymous } from '../users/anonymous.ts'
import { findAccount } from '../users/find-account.ts'
import { readBasicCredentials } from './basic-credentials.ts'
import { createVerifiedPasswords } from './verified-passwords.ts'

export type Authenticate = (request: FastifyRequest) => Promise<Principal>

export interface AuthenticateOptions {
  readonly database: Database
  readonly sessions: Sessions
  readonly checkPassword: CheckPassword
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Finds out who is asking. The first credential in this order decides alone; one that does not hold is refused, never
 * passed over for the next:
 *
 * | credential | who | else |
 * |---|---|---|
 * | `Authorization: Basic` | the account of that password | `invalid_credentials` |
 * | `Authorization: Bearer` | nobody yet | `invalid_token`, or `invalid_api_key` for one that begins with `tk_` |
 * | `Authorization:` anything else | nobody | `authentication_required` |
 * | `X-API-Key` | nobody yet | `invalid_api_key` |
 * | cookie `SESS` of an open session | its account; a write needs the session's token | `invalid_csrf_token` |
 * | none, or the cookie of a session that is over | whoever the role `anonymous` describes | |
 */
export function createAuthenticate({ database, sessions, checkPassword }: AuthenticateOptions): Authenticate {
  const verified = createVerifiedPasswords()

  async function byPassword(encoded: string, request: FastifyRequest): Promise<Principal> {
    const credentials = readBasicCredentials(encoded)
    if (credentials === undefined) throw identityFailure('invalid_credentials')
    const known = await findAccount(database, credentials.username)
    if (known !== undefined && !known.disabled && verified.has(credentials, known.password_hash)) {
      return principalOf(known, 'basic')
    }
    const origin = originOf(request)
    const account = await verified.share(credentials, origin.ip, () =>
      checkPassword({ ...credentials, method: 'basic', origin }),
    )
    verified.remember(credentials, account.password_hash)
    return principalOf(account, 'basic')
  }

  async function byAuthorization(header: string, request: FastifyRequest): Promise<Principal> {
    const [scheme = '', credential = ''] = header.trim().split(/\s+/, 2)
    switch (scheme.toLowerCase()) {
      case 'basic':
        return await byPassword(credential, request)
      case 'bearer':
        throw credential.startsWith('tk_') ? identityFailure('invalid_api_key') : invalidToken()
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
    return principalOf(session.account, 'session')
  }

  return async (request) => {
    const { authorization, 'x-api-key': apiKey } = request.headers
    if (authorization !== undefined) return await byAuthorization(authorization, request)
    if (apiKey !== undefined) throw identityFailure('invalid_api_key')
    return (await bySession(request)) ?? (await loadAnonymous(database))
  }
}

function invalidToken() {
  return identityFailure('invalid_token', {
    headers: { 'www-authenticate': 'Bearer realm="tutti", error="invalid_token"' },
  })
}
