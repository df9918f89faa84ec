import type { Problem } from '#kernel/errors'
import type { ScopeName } from '../scopes.ts'
import { findRedirectUriProblem, isPrivateUse, isSecureLoopback } from './redirect-uris.ts'

export const grantTypes = ['authorization_code', 'client_credentials', 'refresh_token'] as const

export type GrantType = (typeof grantTypes)[number]

/** An application that was registered here, as its owner sees it. */
export interface OAuthClient {
  readonly client_id: string
  readonly name: string
  readonly redirect_uris: readonly string[]
  readonly scopes: readonly ScopeName[]
  readonly grant_types: readonly GrantType[]
  /** It runs where others can look, and so keeps no secret. */
  readonly public: boolean
  readonly user_id: string
  readonly username: string
  readonly created_at: Date
  readonly last_used_at: Date | null
}

/** What its owner decides. */
export type ClientSettings = Pick<OAuthClient, 'name' | 'redirect_uris' | 'scopes' | 'grant_types'>

/** Whoever gets a code gets a refresh token with it, so the one grant brings the other. */
export function completeGrantTypes(given: readonly GrantType[]): readonly GrantType[] {
  const wanted = new Set<GrantType>(given)
  if (wanted.has('authorization_code')) wanted.add('refresh_token')
  return grantTypes.filter((grantType) => wanted.has(grantType))
}

/** Everything that is wrong with the settings of a client. */
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
    add('redirect_uris', 'mixes a scheme of an application with https on this machine; use http there')
  }
  const redirects = grants.includes('authorization_code')
  if (redirects && uris.length === 0) add('redirect_uris', 'needs an address for authorization_code')
  if (!redirects && uris.length > 0) add('redirect_uris', 'is only for authorization_code')
  if (!redirects && grants.includes('refresh_token')) {
    add('grant_types', 'has refresh_token without authorization_code, which alone gives one')
  }
  if (isPublic && grants.includes('client_credentials')) {
    add('grant_types', 'has client_credentials, which a public client has no secret for')
  }
  return problems
}
