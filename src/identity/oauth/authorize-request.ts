import { readScopes } from '../scopes.ts'
import type { KnownClients } from './known-clients.ts'
import { writeScopes } from './requested-scopes.ts'

/**
 * What an authorization request can say. Anything else is passed over, as RFC 6749 asks; the two that would bring a whole
 * request by another way are kept, to be refused.
 */
const known = new Set([
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

/** Writes a request as the provider reads it. A field that was sent twice stays so, and is refused there. */
export async function writeAuthorizeQuery(search: string, clients: KnownClients): Promise<URLSearchParams> {
  const query = new URLSearchParams(search)
  for (const name of new Set(query.keys())) if (!known.has(name)) query.delete(name)
  const [clientId] = query.getAll('client_id')
  const client = clientId === undefined ? undefined : await clients.find(clientId)
  if (client !== undefined && query.getAll('scope').length < 2) {
    const scopes = writeScopes(query.get('scope') ?? undefined, client.scopes)
    // The provider passes over a scope it knows from OpenID instead of refusing it.
    const registered = readScopes(scopes).every((scope) => client.scopes.includes(scope))
    query.set('scope', registered ? scopes : 'not.registered')
  }
  // The provider would answer in ways that put a code into a page or a fragment.
  if (query.has('response_mode') && query.get('response_mode') !== 'query')
    query.set('response_mode', 'refused')
  return query
}
