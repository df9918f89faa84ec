import { readScopes } from '../scopes.ts'
import type { ClientCache } from './client-cache.ts'
import { normalizeScopes } from './requested-scopes.ts'

/**
 * The parameters of an authorization request; others are ignored, as RFC 6749 requires. `request` and `request_uri`
 * would replace the whole request, so they are kept for the provider to refuse.
 */
const parameters = new Set([
  'response_type',
  'response_mode',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'request',
  'request_uri',
])

/** Normalises an authorization request for the provider, which refuses parameters that were sent twice. */
export async function normalizeAuthorizeQuery(
  search: string,
  clients: Pick<ClientCache, 'find'>,
): Promise<URLSearchParams> {
  // Built anew: each deletion from a query goes through all of it.
  const query = new URLSearchParams([...new URLSearchParams(search)].filter(([name]) => parameters.has(name)))
  const [clientId] = query.getAll('client_id')
  const client = clientId === undefined ? undefined : await clients.find(clientId)
  if (client !== undefined && query.getAll('scope').length < 2) {
    const scopes = normalizeScopes(query.get('scope') ?? undefined, client.scopes)
    // The provider ignores OpenID scopes instead of refusing them, so an unregistered scope is made invalid here.
    const registered = readScopes(scopes).every((scope) => client.scopes.includes(scope))
    query.set('scope', registered ? scopes : 'not.registered')
  }
  // Other response modes put the code into a page or a fragment; an invalid value makes the provider refuse them.
  if (query.has('response_mode') && query.get('response_mode') !== 'query')
    query.set('response_mode', 'refused')
  return query
}
