import { isIP } from 'node:net'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
import type { RefusalReason } from './errors.ts'

export type Address = IPv4 | IPv6

/** Parses an IP address; an IPv4 address mapped into IPv6 becomes that IPv4 address. */
export function parseAddress(text: string): Address | undefined {
  const kind = isIP(text)
  if (kind === 0) return undefined
  return ipaddr.process(kind === 4 ? text : normaliseIpv6(text))
}

/** Writes an IPv6 address without dots, because ipaddr.js mistakes ::8.8.8.8 for the mapped ::ffff:8.8.8.8. */
function normaliseIpv6(text: string): string {
  const [address = '', zone] = text.split('%')
  const normalised = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  return zone === undefined ? normalised : `${normalised}%${zone}`
}

// Ranges that are missing here are refused as reserved, so a newer version of the library can only refuse more.
const reasonsByRange: Readonly<Record<string, RefusalReason>> = {
  unspecified: 'loopback',
  loopback: 'loopback',
  private: 'private',
  carrierGradeNat: 'private',
  uniqueLocal: 'private',
  deprecatedSiteLocal: 'private',
  linkLocal: 'link_local',
  multicast: 'multicast',
  broadcast: 'multicast',
  ipv4Mapped: 'tunnel',
  rfc6145: 'tunnel',
  rfc6052: 'tunnel',
  '6to4': 'tunnel',
  teredo: 'tunnel',
  amt: 'tunnel',
}

// Cloud services that return the credentials of a machine. Azure's has a public address.
const metadataAddresses = new Set([
  '169.254.169.254',
  '169.254.170.2',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  'fd00:ec2::254',
  'fd20:ce::254',
])

const globalUnicast = ipaddr.IPv6.parse('2000::')
const translated = ipaddr.IPv6.parse('64:ff9b::')

/** The reason why an address must not be called; undefined for a public address. */
export function refusalOfAddress(address: Address): RefusalReason | undefined {
  if (metadataAddresses.has(address.toString())) return 'metadata'
  return address instanceof ipaddr.IPv4 ? refusalOfRange(address) : refusalOfIpv6(address)
}

function refusalOfRange(address: Address): RefusalReason | undefined {
  const range = address.range()
  return range === 'unicast' ? undefined : (reasonsByRange[range] ?? 'reserved')
}

function refusalOfIpv6(address: IPv6): RefusalReason | undefined {
  // NAT64: on networks without IPv4 this prefix contains the whole IPv4 internet, so the inner address decides.
  if (address.match(translated, 96)) return refusalOfAddress(new ipaddr.IPv4(address.toByteArray().slice(12)))
  const reason = refusalOfRange(address)
  if (reason !== undefined) return reason
  if (address.zoneId !== undefined) return 'link_local'
  if (!address.match(globalUnicast, 3)) return 'reserved'
  return isIsatap(address) ? 'tunnel' : undefined
}

/** ISATAP embeds an IPv4 address after the interface id 0:5efe or 200:5efe, under any prefix. */
function isIsatap({ parts }: IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}
