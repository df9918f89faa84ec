import { type Address, parseAddress } from './address.ts'
import { refuse } from './errors.ts'

/** Where a request goes, before anything was looked up. */
export interface Target {
  /** Normalised: no fragment, no trailing dot, addresses in their ordinary spelling. */
  readonly url: URL
  /** The host without brackets: a name, or the text of `address`. */
  readonly host: string
  readonly port: number
  /** Set when the host is an address and not a name. */
  readonly address: Address | undefined
}

const longestUrl = 8192

/** Reads an address the way the connection will: what looks different and means the same comes out the same. */
export function parseTarget(text: string | URL): Target {
  const given = String(text)
  if (given.length > longestUrl || !URL.canParse(given)) throw refuse('malformed')
  const url = new URL(given)
  if (url.protocol !== 'http:' && url.protocol !== 'https:') throw refuse('scheme')
  if (url.username !== '' || url.password !== '') throw refuse('credentials')
  url.hash = ''
  url.hostname = url.hostname.replace(/\.$/, '')
  const host = url.hostname.replace(/^\[|\]$/g, '')
  const address = parseAddress(host)
  if (address === undefined && !isHostName(host)) throw refuse('malformed')
  const port = url.port === '' ? defaultPorts[url.protocol] : Number(url.port)
  return { url, host, port, address }
}

const defaultPorts = { 'http:': 80, 'https:': 443 } as const

/** The URL parser has lower-cased it and turned other alphabets into ASCII; what is left must be plain labels. */
function isHostName(host: string): boolean {
  return host.length <= 253 && /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/.test(host)
}

const privateName =
  /^(?:localhost|localdomain|metadata|metadata\.goog|.+\.(?:localhost|localdomain|local|internal|home\.arpa|lan))$/

/** Names that by agreement never belong to the public internet, whatever a name server says. */
export function isPrivateName(host: string): boolean {
  return privateName.test(host)
}
