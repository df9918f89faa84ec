import { randomUUID } from 'node:crypto'
import { errors, type JWTPayload, jwtVerify, SignJWT } from 'jose'
import { identityFailure } from '../errors.ts'
import { audience } from './issuer.ts'
import { loginTokenSeconds } from './lifetimes.ts'
import type { Revocations } from './revocations.ts'
import { type SigningKeys, signingAlgorithm } from './signing-keys.ts'

/** The header that tells an access token from every other thing that may be signed with the same key. */
const accessTokenType = 'at+jwt'

/** What an access token says. */
export interface AccessToken {
  /** The account; of a client that acts without a user, the client. */
  readonly subject: string
  /** The sign-in, consent or single token that a revocation names. */
  readonly grant: string
  /** Set when it was issued to a client: then `scopes` is all it reaches. */
  readonly clientId: string | null
  readonly scopes: readonly string[]
  readonly expiresAt: Date
}

export interface AccessTokens {
  /** Signs a token that does all its account may do. */
  sign(options: {
    readonly userId: string
    readonly grant: string
    readonly issuer: string
  }): Promise<{ readonly token: string; readonly expiresInSeconds: number }>
  /** Answers what a token says that was verified before and still holds; undefined when it has to be verified. */
  recall(token: string): AccessToken | undefined
  /** Answers what the token says, or throws `token_expired` or `invalid_token`. */
  verify(token: string): Promise<AccessToken>
}

export interface AccessTokensOptions {
  readonly keys: SigningKeys
  readonly revocations: Revocations
  /** When set, tokens must name exactly this issuer. */
  readonly publicUrl: string | undefined
  readonly now?: () => number
}

/** Checking a signature costs more than everything else a request does, so those that held are remembered. */
const remembered = 5000

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
    if (verified.size > remembered && oldest !== undefined) verified.delete(oldest)
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
      const known = verified.get(token)
      if (known === undefined) return undefined
      // A key that is no longer trusted takes its tokens with it.
      const holds = known.read.expiresAt.getTime() > now() && keys.trusts(known.kid)
      if (holds && !revocations.has(known.read.grant)) return known.read
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
