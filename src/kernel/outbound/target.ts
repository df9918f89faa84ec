import { type Address, parseAddress } from './address.ts'
import { refuse } from './errors.ts'

/** The parsed URL of a request, before its name is resolved. */
export interface Target {
  /** Normalised: no fragment, no trailing dot, addresses in canonical form. */
  readonly url: URL
  /** The host without brackets: a name, or the text of `address`. */
  readonly host: string
  readonly port: number
  /** Set when the host is an address and not a name. */
  readonly address: Address | undefined
}

const maxUrlLength = 8192

/** Parses and normalises a URL, so that different spellings of an address become equal. Throws `outbound_refused`. */
export function parseTarget(text: string | URL): Target {
  const given = String(text)
  if (given.length > maxUrlLength || !URL.canParse(given)) throw refuse('malformed')
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

/** The URL parser has already converted the host to lower-case ASCII; only plain labels are allowed. */
function isHostName(host: string): boolean {
  return host.length <= 253 && /^[a-z0-9_-]{1,63}(?:\.[a-z0-9_-]{1,63})*$/.test(host)
}

const privateName =
  /^(?:localhost|localdomain|metadata|metadata\.goog|.+\.(?:localhost|localdomain|local|internal|home\.arpa|lan))$/

/** Names that are reserved for private networks, even if a name server returns a public address. */
export function isPrivateName(host: string): boolean {
  return privateName.test(host)
}
