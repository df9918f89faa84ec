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

/** About a secret of an earlier release, which could be stored without hosts. */
export const withoutHosts =
  'This secret has no allowed hosts, so only flows that you own and have saved can send it. Add the hosts that may get it under Settings.'

/** The hosts in one line. */
export function describeHosts(hosts: readonly string[]): string {
  const [first, second] = hosts
  if (first === undefined) return 'No allowed hosts'
  return hosts.length > 2
    ? `${first} and ${hosts.length - 1} more`
    : [first, second].filter(Boolean).join(', ')
}

/** A URL to test, from the first host without a wildcard. */
export function testUrlOf(hosts: readonly string[]): string {
  const host = hosts.find((allowed) => !allowed.includes('*.'))
  if (host === undefined) return 'https://…'
  return host.startsWith('http://') ? `${host}/` : `https://${host}/`
}

export function momentOf(epochSeconds: number): string {
  return new Date(epochSeconds * 1000).toISOString()
}
