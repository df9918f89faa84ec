import type { EntryKind } from './connection-draft.ts'

export const kindTitles: Readonly<Record<EntryKind, string>> = {
  secret: 'Secret',
  bearer: 'Bearer token',
  basic: 'User name and password',
  api_key: 'API key',
  oauth2_client_credentials: 'OAuth 2.0 client credentials',
}

export const valueTitles: Readonly<Record<EntryKind, string>> = {
  secret: 'Value',
  bearer: 'Token',
  basic: 'Password',
  api_key: 'Key',
  oauth2_client_credentials: 'Client secret',
}

/** The hosts in one line. */
export function describeHosts(hosts: readonly string[]): string {
  const [first, second] = hosts
  if (first === undefined) return 'Any host'
  return hosts.length > 2
    ? `${first} and ${hosts.length - 1} more`
    : [first, second].filter(Boolean).join(', ')
}

export function momentOf(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString()
}
