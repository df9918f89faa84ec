import { readScopes } from '../scopes.ts'
import { oauthFailure } from './errors.ts'

/**
 * Normalises requested scopes to the space-separated form of RFC 6749. Clients may separate them by commas, spaces or
 * plus signs; a request without scopes gets all scopes of the client.
 */
export function normalizeScopes(given: string | undefined, registered: readonly string[]): string {
  const requested = readScopes((given ?? '').replaceAll('+', ' '))
  return (requested.length === 0 ? registered : requested).join(' ')
}

/** Throws `invalid_scope` unless the client is registered for all of them. */
export function requireRegistered(scopes: string, registered: readonly string[]): void {
  const unknown = readScopes(scopes).filter((scope) => !registered.includes(scope))
  if (unknown.length > 0) throw oauthFailure('invalid_scope')
}
