import { createHmac, hash, randomBytes } from 'node:crypto'
import type { Database } from '#kernel/database'
import { kernelFailure } from '#kernel/errors'
import { anonymousPrincipal, type CredentialRequest, type Principal } from '#kernel/http'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import { identityFailure } from '../errors.ts'
import type { LastUsedWriter } from '../last-used-writer.ts'
import { originOf } from '../security-events.ts'
import { type AnonymousCsrfTokens, isSameToken } from '../sessions/csrf-tokens.ts'
import { readSessionCookie } from '../sessions/session-cookie.ts'
import type { Sessions } from '../sessions/sessions.ts'
import type { CheckPassword } from '../sign-in/check-password.ts'
import { type AccessTokens, invalidToken } from '../tokens/access-tokens.ts'
import { findTokenHolder } from '../tokens/token-holder.ts'
import {
  type Account,
  findAccount,
  grantedPermissions,
  principalOf,
  type ResolvedCredential,
} from '../users/account.ts'

export type Authenticate = (request: CredentialRequest) => Promise<Principal>

export interface AuthenticateOptions {
  readonly database: Database
  readonly sessions: Sessions
  readonly anonymousCsrfTokens: AnonymousCsrfTokens
  readonly checkPassword: CheckPassword
  readonly apiKeys: ApiKeys
  readonly accessTokens: AccessTokens
  readonly credentialCache: CredentialCache
  readonly lastUsed: LastUsedWriter
}

const readingMethods = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Longer than any valid credential: a longer one is refused without being hashed. */
const maxCredentialLength = 8192

/**
 * Authenticates a request by its first credential in this order. An invalid credential is refused; the next one is not
 * tried:
 *
 * | credential | principal | failure |
 * |---|---|---|
 * | `Authorization: Basic` | the account of that password | `invalid_credentials` |
 * | `Authorization: Bearer`, looks like a JWT | the account of the access token | `token_expired`, `invalid_token` |
 * | `Authorization: Bearer`, anything else | the account of the API key | `invalid_api_key` |
 * | `Authorization:` anything else | none | `authentication_required` |
 * | `X-API-Key` | the account of the API key | `invalid_api_key` |
 * | cookie `SESS` of a valid session | its account; a write needs the session's CSRF token | `invalid_csrf_token` |
 * | none, or the cookie of an expired session | the anonymous principal, with the role `anonymous` | |
 */
export function createAuthenticate(options: AuthenticateOptions): Authenticate {
  const {
    database,
    sessions,
    anonymousCsrfTokens,
    checkPassword,
    apiKeys,
    accessTokens,
    credentialCache,
    lastUsed,
  } = options
  const verified = createVerifiedPasswords()

  async function byPassword(encoded: string, request: CredentialRequest): Promise<Principal> {
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
    verified.add(credentials, checked.password_hash)
    return principalOf(checked, used)
  }

  async function byApiKey(key: string): Promise<Principal> {
    if (key.length > maxCredentialLength) throw invalidApiKey()
    // The cache key does not contain the API key.
    const found = await credentialCache.find(hash('sha256', key, 'base64'), () => apiKeys.find(key))
    if (found === undefined) throw invalidApiKey()
    if (found.expiresAt !== null && found.expiresAt <= database.clock.now()) {
      throw invalidApiKey('This API key has expired.')
    }
    if (found.principal.credential !== null) lastUsed.touchApiKey(found.principal.credential)
    return found.principal
  }

  async function byAccessToken(text: string): Promise<Principal> {
    const token = accessTokens.recall(text) ?? (await accessTokens.verify(text))
    const found = await credentialCache.find(text, () => findTokenHolder(database, token))
    if (found === undefined) throw invalidToken()
    if (token.clientId !== null) lastUsed.touchClient(token.clientId)
    return found.principal
  }

  async function byBearer(credential: string): Promise<Principal> {
    if (!looksLikeJwt(credential)) return await byApiKey(credential)
    if (credential.length > maxCredentialLength) throw invalidToken()
    return await byAccessToken(credential)
  }

  async function byAuthorization(header: string, request: CredentialRequest): Promise<Principal> {
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

  async function bySession(request: CredentialRequest): Promise<Principal | undefined> {
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

  async function byNoCredential(request: CredentialRequest): Promise<Principal> {
    const needsToken = request.routeOptions.config.csrfToken === 'always'
    if (needsToken && !(await anonymousCsrfTokens.isValid(request.headers['x-csrf-token']))) {
      throw identityFailure('invalid_csrf_token')
    }
    return await loadAnonymous(database)
  }

  return async (request) => {
    const { authorization, 'x-api-key': apiKey } = request.headers
    if (authorization !== undefined) return await byAuthorization(authorization, request)
    if (apiKey !== undefined) return await byApiKey(String(apiKey))
    return (await bySession(request)) ?? (await byNoCredential(request))
  }
}

/** Three parts separated by dots, or a truncated token: every encoded JWT header begins with `eyJ`. */
function looksLikeJwt(credential: string): boolean {
  return credential.split('.').length === 3 || /^eyJ[\w-]*\./.test(credential)
}

/** RFC 6750 has one error code, `invalid_token`, for every invalid bearer credential. */
function invalidApiKey(message?: string) {
  return identityFailure('invalid_api_key', {
    ...(message !== undefined && { message }),
    headers: { 'www-authenticate': 'Bearer realm="tutti", error="invalid_token"' },
  })
}

/**
 * Passwords that this process has verified recently: a client that sends HTTP Basic with every request pays for one
 * Argon2 computation a minute.
 */
interface VerifiedPasswords {
  /** Whether the password was verified against exactly this stored hash. */
  has(credentials: BasicCredentials, passwordHash: string | null): boolean
  add(credentials: BasicCredentials, passwordHash: string | null): void
  /** Runs one check for all concurrent requests with the same credentials from the same IP address. */
  share<Result>(credentials: BasicCredentials, ip: string, check: () => Promise<Result>): Promise<Result>
}

interface VerifiedPasswordsOptions {
  readonly keepMs?: number
  readonly capacity?: number
  readonly now?: () => number
}

interface VerifiedPassword {
  readonly passwordHash: string
  readonly until: number
}

export function createVerifiedPasswords({
  keepMs = 60_000,
  capacity = 1000,
  now = Date.now,
}: VerifiedPasswordsOptions = {}): VerifiedPasswords {
  // The HMAC key never leaves the process, so the map's keys reveal nothing about a password.
  const secret = randomBytes(32)
  const entries = new Map<string, VerifiedPassword>()
  const pending = new Map<string, Promise<unknown>>()

  function digest(...parts: readonly string[]): string {
    return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64')
  }

  return {
    has({ username, password }, passwordHash) {
      const key = digest(username, password)
      const entry = entries.get(key)
      if (entry === undefined) return false
      if (entry.until > now() && entry.passwordHash === passwordHash) return true
      entries.delete(key)
      return false
    },

    add({ username, password }, passwordHash) {
      if (passwordHash === null) return
      const key = digest(username, password)
      entries.delete(key)
      entries.set(key, { passwordHash, until: now() + keepMs })
      const [oldest] = entries.keys()
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
    },

    async share<Result>({ username, password }: BasicCredentials, ip: string, check: () => Promise<Result>) {
      const key = digest(username, password, ip)
      const running = pending.get(key) as Promise<Result> | undefined
      if (running !== undefined) return await running
      const started = check().finally(() => pending.delete(key))
      pending.set(key, started)
      return await started
    },
  }
}

interface BasicCredentials {
  readonly username: string
  readonly password: string
}

/** Parses the credentials of `Authorization: Basic`: base64 of `username:password` in UTF-8. */
export function readBasicCredentials(encoded: string): BasicCredentials | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(encoded)) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const colon = text.indexOf(':')
  if (colon < 1) return undefined
  return { username: text.slice(0, colon), password: text.slice(colon + 1) }
}

/** The principal of open routes: no permissions are loaded for it, and it has none. */
export const anonymous: Principal = { ...anonymousPrincipal, roles: ['anonymous'], tier: 'anonymous' }

const anonymousStatement = `select all_permissions, permissions from identity_roles where name = 'anonymous'`

/** The principal of a request without a credential, with the current permissions of the role `anonymous`. */
async function loadAnonymous(database: Database): Promise<Principal> {
  const [role] = await database.query<Pick<Account, 'all_permissions' | 'permissions'>>(anonymousStatement)
  return role === undefined ? anonymous : { ...anonymous, permissions: grantedPermissions(role) }
}

/**
 * A TTL cache of data read from the account tables, such as the principal of a credential, so that most requests need no
 * database query. Every change of an account, role or credential clears it; a missed notification is bounded by `keepMs`.
 */
interface AccountCache<Value> {
  find(key: string, load: () => Promise<Value | undefined>): Promise<Value | undefined>
  clear(): void
}

type CredentialCache = AccountCache<ResolvedCredential>

interface AccountCacheOptions {
  readonly keepMs?: number
  readonly capacity?: number
  readonly now?: () => number
}

export function createAccountCache<Value>({
  keepMs = 10_000,
  capacity = 10_000,
  now = Date.now,
}: AccountCacheOptions = {}): AccountCache<Value> {
  const entries = new Map<string, { readonly value: Value; readonly until: number }>()
  let generation = 0

  return {
    async find(key, load) {
      const entry = entries.get(key)
      if (entry !== undefined && entry.until > now()) return entry.value
      const startedAt = generation
      const value = await load()
      entries.delete(key)
      // A value that was read before a change must not be cached after it.
      if (value === undefined || startedAt !== generation) return value
      entries.set(key, { value, until: now() + keepMs })
      const [oldest] = entries.keys()
      if (entries.size > capacity && oldest !== undefined) entries.delete(oldest)
      return value
    },

    clear() {
      generation += 1
      entries.clear()
    },
  }
}
