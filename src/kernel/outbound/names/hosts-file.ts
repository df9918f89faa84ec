import { isIP } from 'node:net'

export type Hosts = ReadonlyMap<string, readonly string[]>

/** Reads a hosts file: each name with the addresses of all lines it is on, in the order of the lines. */
export function parseHosts(text: string): Hosts {
  const hosts = new Map<string, string[]>()
  for (const line of text.split('\n')) {
    const [address = '', ...names] = (line.split('#')[0] ?? '').trim().split(/\s+/)
    if (isIP(address) === 0) continue
    for (const name of names) {
      const key = name.toLowerCase().replace(/\.$/, '')
      const addresses = hosts.get(key)
      if (addresses === undefined) hosts.set(key, [address])
      else if (!addresses.includes(address)) addresses.push(address)
    }
  }
  return hosts
}
