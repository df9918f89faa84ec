import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'

/**
 * Puts the addresses in the order in which they are tried, by the main rules of RFC 6724: loopback, global IPv6, IPv4, local IPv6,
 * and last an IPv6 address of a kind this machine has none of itself. Equals keep their order.
 */
export function orderAddresses(
  addresses: readonly string[],
  readOwn: () => readonly string[] = ownAddresses,
): readonly string[] {
  const families = new Set(addresses.map((address) => isIPv6(address)))
  if (families.size < 2) return addresses
  const ownKinds = new Set(
    readOwn()
      .filter((address) => isIPv6(address))
      .map(kindOf),
  )
  return addresses.toSorted((one, other) => rankOf(one, ownKinds) - rankOf(other, ownKinds))
}

function ownAddresses(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((found) => (found ?? []).map(({ address }) => address))
}

type Kind = 'loopback' | 'global' | 'local'

function kindOf(address: string): Kind {
  if (address === '::1') return 'loopback'
  return /^f[cde]/i.test(address) ? 'local' : 'global'
}

const ipv4Rank = 2
const ipv6Ranks = { loopback: 0, global: 1, local: 3 } as const
const unusableRank = 4

function rankOf(address: string, ownKinds: ReadonlySet<Kind>): number {
  if (!isIPv6(address)) return ipv4Rank
  const kind = kindOf(address)
  return ownKinds.has(kind) ? ipv6Ranks[kind] : unusableRank
}
