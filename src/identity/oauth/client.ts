import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import type { Problem } from '#kernel/errors'
import type { ScopeName } from '../scopes.ts'
import { findRedirectUriProblem, isPrivateUse, isSecureLoopback } from './redirect-uris.ts'

export const grantTypes = ['authorization_code', 'client_credentials', 'refresh_token'] as const

export type GrantType = (typeof grantTypes)[number]

/** A registered OAuth client, as its owner sees it. */
export interface OAuthClient {
  readonly client_id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly scopes: readonly ScopeName[]
  readonly grant_types: readonly GrantType[]
  /** A public client runs in a browser or on a device and cannot keep a secret. */
  readonly public: boolean
  readonly user_id: string
  readonly username: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** The fields its owner can change. */
export type ClientSettings = Pick<OAuthClient, 'name' | 'redirect_uris' | 'scopes' | 'grant_types'>

/** An authorization code always comes with a refresh token, so the first grant type includes the second. */
export function completeGrantTypes(given: readonly GrantType[]): readonly GrantType[] {
  const complete = new Set<GrantType>(given)
  if (complete.has('authorization_code')) complete.add('refresh_token')
  return grantTypes.filter((grantType) => complete.has(grantType))
}

/** Validates the settings of a client; an empty list when they are valid. */
export function findClientProblems(
  { redirect_uris: uris, grant_types: grants }: ClientSettings,
  isPublic: boolean,
): readonly Problem[] {
  const problems: Problem[] = []
  const add = (path: string, message: string) => problems.push({ path, message, code: 'invalid' })
  for (const [index, uri] of uris.entries()) {
    const problem = findRedirectUriProblem(uri, isPublic)
    if (problem !== undefined) add(`redirect_uris[${index}]`, problem)
  }
  if (uris.some(isPrivateUse) && uris.some(isSecureLoopback)) {
    add('redirect_uris', 'mixes a private-use scheme with https on localhost; use http on localhost')
  }
  const redirects = grants.includes('authorization_code')
  if (redirects && uris.length === 0)
    add('redirect_uris', 'must contain a URI for the grant type authorization_code')
  if (!redirects && uris.length > 0)
    add('redirect_uris', 'is allowed only with the grant type authorization_code')
  if (!redirects && grants.includes('refresh_token')) {
    add(
      'grant_types',
      'contains refresh_token without authorization_code, the only grant that issues refresh tokens',
    )
  }
  if (isPublic && grants.includes('client_credentials')) {
    add('grant_types', 'contains client_credentials, which needs a secret; a public client has none')
  }
  return problems
}

/** Client ids are no secrets, but they are random, so that the ids of other clients cannot be enumerated. */
export function generateClientId(): string {
  return `tutti-${randomBytes(12).toString('hex')}`
}

/** 256 random bits, so a fast hash without salt is safe. */
export function generateClientSecret(): string {
  return `tcs_${randomBytes(32).toString('base64url')}`
}

export function hashClientSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

/** Without a hash it takes as long and returns false, so that an unknown client looks like a wrong secret. */
export function isClientSecret(secret: string, hash: Buffer | null): boolean {
  const same = timingSafeEqual(hashClientSecret(secret), hash ?? Buffer.alloc(32))
  return same && hash !== null
}
