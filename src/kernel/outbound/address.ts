import { isIP } from 'node:net'
import ipaddr, { type IPv4, type IPv6 } from 'ipaddr.js'
import type { RefusalReason } from './errors.ts'

export type Address = IPv4 | IPv6

/** Reads an address in its ordinary spelling; an IPv4 address mapped into IPv6 is read as the IPv4 address it is. */
export function parseAddress(text: string): Address | undefined {
  const kind = isIP(text)
  if (kind === 0) return undefined
  return ipaddr.process(kind === 4 ? text : spellIpv6(text))
}

/** Spells an IPv6 address without dots: ipaddr.js takes ::8.8.8.8 for the mapped ::ffff:8.8.8.8, which it is not. */
function spellIpv6(text: string): string {
  const [address = '', zone] = text.split('%')
  const spelled = new URL(`http://[${address}]/`).hostname.slice(1, -1)
  return zone === undefined ? spelled : `${spelled}%${zone}`
}

// A kind of address that is missing here is refused as reserved, so a newer list of ranges can only refuse more.
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

// The services that hand out a machine's own credentials. Azure's has a public address.
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

/** Says why an address must not be called, or nothing when it is an ordinary public one. */
export function judgeAddress(address: Address): RefusalReason | undefined {
  if (metadataAddresses.has(address.toString())) return 'metadata'
  return address instanceof ipaddr.IPv4 ? judgeRange(address) : judgeIpv6(address)
}

function judgeRange(address: Address): RefusalReason | undefined {
  const range = address.range()
  return range === 'unicast' ? undefined : (reasonsByRange[range] ?? 'reserved')
}

function judgeIpv6(address: IPv6): RefusalReason | undefined {
  // On networks without IPv4 the whole public IPv4 internet is reached through this prefix; what counts is inside.
  if (address.match(translated, 96)) return judgeAddress(new ipaddr.IPv4(address.toByteArray().slice(12)))
  const reason = judgeRange(address)
  if (reason !== undefined) return reason
  if (address.zoneId !== undefined) return 'link_local'
  if (!address.match(globalUnicast, 3)) return 'reserved'
  return isIsatap(address) ? 'tunnel' : undefined
}

/** ISATAP hides an IPv4 address behind the interface id 0:5efe or 200:5efe, under any prefix. */
function isIsatap({ parts }: IPv6): boolean {
  return (parts[4] === 0 || parts[4] === 0x200) && parts[5] === 0x5efe
}
