import ipaddr from 'ipaddr.js'
import { type Address, parseAddress } from './address.ts'

/** What the list opens at a place: nothing, the place with its web ports, or exactly this port of it. */
type Opening = 'nothing' | 'place' | 'port'

export interface AllowList {
  openingByName(name: string, port: number): Opening
  openingByAddress(address: Address, port: number): Opening
  /** Whether any entry is about addresses, so that it makes sense to resolve a private name. */
  readonly namesAddresses: boolean
}

type Entry = { readonly port: number | undefined } & (
  | { readonly name: string }
  | { readonly network: readonly [Address, number] }
)

/** Reads hosts, addresses and networks, each with or without a port. Throws an Error that names the first wrong one. */
export function parseAllowList(texts: readonly string[]): AllowList {
  const entries = texts.map(parseEntry)
  const names = entries.filter((entry) => 'name' in entry)
  const networks = entries.filter((entry) => 'network' in entry)
  return {
    namesAddresses: networks.length > 0,
    openingByName: (name, port) =>
      widest(
        names.filter((entry) => entry.name === name),
        port,
      ),
    openingByAddress: (address, port) =>
      widest(
        networks.filter(({ network }) => isInside(address, network)),
        port,
      ),
  }
}

function widest(entries: readonly Entry[], port: number): Opening {
  if (entries.some((entry) => entry.port === port)) return 'port'
  return entries.some((entry) => entry.port === undefined) ? 'place' : 'nothing'
}

function isInside(address: Address, [network, bits]: readonly [Address, number]): boolean {
  return address.kind() === network.kind() && address.match(network, bits)
}

function parseEntry(text: string): Entry {
  const { place, port } = splitPort(text)
  const entry = parseNetwork(place) ?? parseName(place)
  if (entry === undefined || Number.isNaN(port)) {
    throw new Error(`has an entry that is no host, address or network such as 10.0.0.0/8: "${text}"`)
  }
  return { ...entry, port }
}

// An IPv6 address needs brackets to be followed by a port: fd00::1:80 is an address.
const bracketed = /^\[([^\]]+)\](?::(\d{1,5}))?$/
const withPort = /^([^:]+):(\d{1,5})$/

function splitPort(text: string): { readonly place: string; readonly port: number | undefined } {
  const [, place = text, port] = bracketed.exec(text) ?? withPort.exec(text) ?? []
  if (port === undefined) return { place, port: undefined }
  const number = Number(port)
  return { place, port: number >= 1 && number <= 65_535 ? number : Number.NaN }
}

function parseNetwork(place: string): { readonly network: readonly [Address, number] } | undefined {
  const [base = '', bitsText, ...rest] = place.split('/')
  const address = parseAddress(base)
  if (address === undefined || rest.length > 0) return undefined
  const most = address.kind() === 'ipv4' ? 32 : 128
  if (bitsText === undefined) return { network: [address, most] }
  // A network written as mapped IPv6 counts its bits from the start of the IPv6 address.
  const bits = Number(bitsText) - (base.includes(':') && most === 32 ? 96 : 0)
  if (!/^\d{1,3}$/.test(bitsText) || bits < 0 || bits > most || !isNetworkAddress(address, bits))
    return undefined
  return { network: [address, bits] }
}

/** 10.0.0.5/8 is a slip: it opens sixteen million addresses to somebody who wrote down one. */
function isNetworkAddress(address: Address, bits: number): boolean {
  const bytes = address.toByteArray()
  return bytes.every((byte, index) => {
    const networkBits = Math.min(8, Math.max(0, bits - index * 8))
    return (byte & (0xff >> networkBits)) === 0
  })
}

const hostName = /^(?!-)[a-z0-9_-]{1,63}(?<!-)(?:\.(?!-)[a-z0-9_-]{1,63}(?<!-))*$/

function parseName(place: string): { readonly name: string } | undefined {
  const name = place.toLowerCase().replace(/\.$/, '')
  // What the URL parser turns into something else (2130706433, 0x7f.1) is an address in disguise, not a name.
  const isName =
    hostName.test(name) && URL.canParse(`http://${name}/`) && new URL(`http://${name}/`).hostname === name
  return isName && !ipaddr.isValid(name) ? { name } : undefined
}
