import { randomUUID } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { identityFailure } from '../errors.ts'
import { audience } from './issuer.ts'
import { loginTokenSeconds } from './lifetimes.ts'
import type { Revocations } from './revocations.ts'
import { signingAlgorithm } from './signing-key.ts'
import type { SigningKeys } from './signing-keys.ts'

/** The `typ` header that distinguishes an access token from other JWTs signed with the same key. */
const accessTokenType = 'at+jwt'

/** The claims of an access token. */
export interface AccessToken {
  /** The account; for client credentials, the client. */
  readonly subject: string
  /** The sign-in, consent or single token that a revocation refers to (claim `gid`). */
  readonly grant: string
  /** Set for a token issued to a client, which is limited to `scopes`. */
  readonly clientId: string | null
  readonly scopes: readonly string[]
  readonly expiresAt: Date
}

export interface AccessTokens {
  /** Signs a token with every permission of its account. */
  sign(options: {
    readonly userId: string
    readonly grant: string
    readonly issuer: string
  }): Promise<{ readonly token: string; readonly expiresInSeconds: number }>
  /** Returns the claims of a token that was verified before and is still valid; undefined when it must be verified. */
  recall(token: string): AccessToken | undefined
  /** Verifies a token and returns its claims; throws `token_expired` or `invalid_token`. */
  verify(token: string): Promise<AccessToken>
}

export interface AccessTokensOptions {
  readonly keys: SigningKeys
  readonly revocations: Revocations
  /** When set, tokens must name exactly this issuer. */
  readonly publicUrl: string | undefined
  readonly now?: () => number
}

/** Verified tokens are cached: checking a signature costs more than the rest of a request. */
const cacheCapacity = 5000

export function createAccessTokens({
  keys,
  revocations,
  publicUrl,
  now = Date.now,
}: AccessTokensOptions): AccessTokens {
  const verified = new Map<string, { readonly kid: string; readonly read: AccessToken }>()

  async function readVerified(token: string): Promise<AccessToken> {
    let kid = ''
    const { payload } = await jwtVerify(
      token,
      async (header) => {
        kid = typeof header.kid === 'string' ? header.kid : ''
        const key = await keys.find(kid)
        if (key === undefined) throw new errors.JWKSNoMatchingKey()
        return key.publicKey
      },
      {
        algorithms: [signingAlgorithm],
        typ: accessTokenType,
        audience,
        requiredClaims: ['sub', 'gid', 'jti', 'exp', 'iss'],
        currentDate: new Date(now()),
        ...(publicUrl !== undefined && { issuer: publicUrl }),
      },
    )
    const read = readClaims(payload)
    verified.set(token, { kid, read })
    const [oldest] = verified.keys()
    if (verified.size > cacheCapacity && oldest !== undefined) verified.delete(oldest)
    return read
  }

  return {
    async sign({ userId, grant, issuer }) {
      const key = await keys.current()
      const issuedAt = Math.floor(now() / 1000)
      const token = await new SignJWT({ gid: grant })
        .setProtectedHeader({ alg: signingAlgorithm, typ: accessTokenType, kid: key.kid })
        .setSubject(userId)
        .setIssuer(issuer)
        .setAudience(audience)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + loginTokenSeconds)
        .sign(key.privateKey)
      return { token, expiresInSeconds: loginTokenSeconds }
    },

    recall(token) {
      const cached = verified.get(token)
      if (cached === undefined) return undefined
      const valid = cached.read.expiresAt.getTime() > now() && keys.trusts(cached.kid)
      if (valid && !revocations.has(cached.read.grant)) return cached.read
      verified.delete(token)
      return undefined
    },

    async verify(token) {
      const read = await readVerified(token).catch((error: unknown) => {
        if (error instanceof errors.JWTExpired) throw tokenExpired()
        if (error instanceof errors.JOSEError) throw invalidToken()
        throw error
      })
      if (revocations.has(read.grant)) throw invalidToken()
      return read
    },
  }
}

function readClaims(payload: JWTPayload): AccessToken {
  const { sub, exp, gid, client_id: clientId, scope } = payload as Readonly<Record<string, unknown>>
  if (typeof sub !== 'string' || typeof gid !== 'string' || typeof exp !== 'number') throw invalidToken()
  if (clientId !== undefined && typeof clientId !== 'string') throw invalidToken()
  return {
    subject: sub,
    grant: gid,
    clientId: clientId ?? null,
    scopes: typeof scope === 'string' && scope !== '' ? scope.split(' ') : [],
    expiresAt: new Date(exp * 1000),
  }
}

export function invalidToken(message?: string) {
  return identityFailure('invalid_token', {
    ...(message !== undefined && { message }),
    headers: { 'www-authenticate': 'Bearer realm="tutti", error="invalid_token"' },
  })
}

function tokenExpired() {
  return identityFailure('token_expired', {
    headers: {
      'www-authenticate':
        'Bearer realm="tutti", error="invalid_token", error_description="The token has expired"',
    },
  })
}
