import ipaddr from 'ipaddr.js'

/**
 * The address that requests are counted by. One customer usually has a whole IPv6 /64, so its addresses count as one.
 * Returns text that is no address unchanged.
 */
export function rateLimitAddress(ip: string): string {
  if (!ipaddr.isValid(ip)) return ip
  const address = ipaddr.process(ip)
  if (address instanceof ipaddr.IPv4) return address.toString()
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(':')}::/64`
}
