import { readScopes } from '../scopes.ts'
import { oauthFailure } from './errors.ts'

/**
 * Scopes as the provider reads them: separated by commas, spaces or plus signs, encoded or not, and all of the client's
 * own when it named none.
 */
export function writeScopes(given: string | undefined, registered: readonly string[]): string {
  const wanted = readScopes((given ?? '').replaceAll('+', ' '))
  return (wanted.length === 0 ? registered : wanted).join(' ')
}

/** Throws `invalid_scope` unless the client is registered for all of them. */
export function requireRegistered(scopes: string, registered: readonly string[]): void {
  const unknown = readScopes(scopes).filter((scope) => !registered.includes(scope))
  if (unknown.length > 0) throw oauthFailure('invalid_scope')
}
