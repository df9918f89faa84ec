import ipaddr from 'ipaddr.js'
import { type Address, parseAddress } from './address.ts'

/** The result of a lookup in the list: not allowed, allowed with its web ports, or allowed with exactly this port. */
type Permission = 'nothing' | 'host' | 'port'

export interface AllowList {
  permissionByName(name: string, port: number): Permission
  permissionByAddress(address: Address, port: number): Permission
  /** Whether an entry is an address or a network: only then a private name may be resolved. */
  readonly hasNetworks: boolean
}

type Entry = { readonly port: number | undefined } & (
  | { readonly name: string }
  | { readonly network: readonly [Address, number] }
)

/** Parses hosts, addresses and networks, each with or without a port. Throws an Error that names the first invalid entry. */
export function parseAllowList(texts: readonly string[]): AllowList {
  const entries = texts.map(parseEntry)
  const names = entries.filter((entry) => 'name' in entry)
  const networks = entries.filter((entry) => 'network' in entry)
  return {
    hasNetworks: networks.length > 0,
    permissionByName: (name, port) =>
      widest(
        names.filter((entry) => entry.name === name),
        port,
      ),
    permissionByAddress: (address, port) =>
      widest(
        networks.filter(({ network }) => isInside(address, network)),
        port,
      ),
  }
}

function widest(entries: readonly Entry[], port: number): Permission {
  if (entries.some((entry) => entry.port === port)) return 'port'
  return entries.some((entry) => entry.port === undefined) ? 'host' : 'nothing'
}

function isInside(address: Address, [network, bits]: readonly [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

function parseEntry(text: string): Entry {
  const { host, port } = splitPort(text)
  const entry = parseNetwork(host) ?? parseName(host)
  if (entry === undefined || Number.isNaN(port)) {
    throw new Error(`has an entry that is not a host, address or network such as 10.0.0.0/8: "${text}"`)
  }
  return { ...entry, port }
}

// An IPv6 address needs brackets before a port: fd00::1:80 is an address.
const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/
const withPort = /^([^:]+):(\d{1,5})$/

function splitPort(text: string): { readonly host: string; readonly port: number | undefined } {
  const [, host = text, port] = bracketed.exec(text) ?? withPort.exec(text) ?? []
  if (port === undefined) return { host, port: undefined }
  const number = Number(port)
  return { host, port: number >= 1 && number <= 65_535 ? number : Number.NaN }
}

function parseNetwork(host: string): { readonly network: readonly [Address, number] } | undefined {
  const [base = '', bitsText, ...rest] = host.split('/')
  const address = parseAddress(base)
  if (address === undefined || rest.length > 0) return undefined
  const maxBits = address.kind() === 'ipv4' ? 32 : 128
  if (bitsText === undefined) return { network: [address, maxBits] }
  // The prefix length of a mapped network counts from the start of the IPv6 address.
  const bits = Number(bitsText) - (base.includes(':') && maxBits === 32 ? 96 : 0)
  if (!/^\d{1,3}$/.test(bitsText) || bits < 0 || bits > maxBits || !isNetworkAddress(address, bits))
    return undefined
  return { network: [address, bits] }
}

/** Refuses 10.0.0.5/8, a typing mistake that would allow sixteen million addresses instead of one. */
function isNetworkAddress(address: Address, bits: number): boolean {
  const bytes = address.toByteArray()
  return bytes.every((byte, index) => {
    const networkBits = Math.min(8, Math.max(0, bits - index * 8))
    return (byte & (0xff >> networkBits)) === 0
  })
}

const hostName = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/

function parseName(host: string): { readonly name: string } | undefined {
  const name = host.toLowerCase().replace(/\.$/, '')
  // A text that the URL parser changes (2130706433, 0x7f.1) is an obfuscated address, not a name.
  const isName =
    hostName.test(name) && URL.canParse(`http://${name}/`) && new URL(`http://${name}/`).hostname === name
  return isName && !ipaddr.isValid(name) ? { name } : undefined
}
