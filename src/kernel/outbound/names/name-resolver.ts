import { Resolver } from 'node:dns/promises'
import { open } from 'node:fs/promises'
import { isIP, isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Logger } from '#kernel/telemetry'
import { startDeadline } from '../deadline.ts'
import { createLookupSlots } from './lookup-slots.ts'

export interface LookupOptions {
  /** Whose call it is: look-ups are limited by account. */
  readonly account: string
  /** Ends the look-up at once. */
  readonly signal: AbortSignal
}

/** Gives all addresses of a name, in the order in which to try them. */
export type Resolve = (host: string, options: LookupOptions) => Promise<readonly string[]>

export interface NameResolverOptions {
  readonly log: Logger
  /** Name servers as `address:port`; those of resolv.conf unless given. */
  readonly servers?: readonly string[]
  readonly hostsPath?: string
  readonly resolvConfPath?: string
  /** For one look-up, waiting for its turn included. */
  readonly timeoutMs?: number
}

const slotsAtOnce = { perAccount: 8, total: 256, maxWaiting: 1000 }
const maxHostsBytes = 1_048_576
const maxResolvConfBytes = 65_536

/** The first try of one server; the second may take twice as long. Two tries stay within the default time of a look-up. */
const query = { timeout: 1500, tries: 2 }

/** What a name server answers when it has no address: the next name of the search list may have one. */
const answersWithoutAddress = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'EREFUSED',
  'EFORMERR',
  'ENOTIMP',
  'EBADNAME',
])

/**
 * Looks names up in the hosts file and then by DNS, with the search list of resolv.conf. The system's getaddrinfo is not used: it
 * cannot be cancelled, and Node.js runs two of it at a time, so two names whose servers never answer would keep all others waiting.
 */
export function createNameResolver(options: NameResolverOptions): Resolve {
  const {
    log,
    servers,
    hostsPath = '/etc/hosts',
    resolvConfPath = '/etc/resolv.conf',
    timeoutMs = 5000,
  } = options
  const readHosts = followFile({ path: hostsPath, maxBytes: maxHostsBytes, parse: parseHosts, log })
  const readRules = followFile({
    path: resolvConfPath,
    maxBytes: maxResolvConfBytes,
    parse: parseSearchRules,
    log,
  })
  const slots = createLookupSlots(slotsAtOnce)

  return async (host, { account, signal }) => {
    const known = (await readHosts()).get(host) ?? (isLocalhost(host) ? ['::1', '127.0.0.1'] : undefined)
    if (known !== undefined) return orderAddresses(known)
    const names = namesToAsk(host, await readRules())
    using deadline = startDeadline(timeoutMs, signal)
    const slot = await slots.take(account, deadline.signal)
    try {
      return orderAddresses(await askServers(names, servers, deadline.signal))
    } finally {
      slot[Symbol.dispose]()
    }
  }
}

/** Names that are never asked of a name server (RFC 6761). */
function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Asks for one name after the other until one has an address. A resolver of its own makes exactly these queries cancellable. */
async function askServers(
  names: readonly string[],
  servers: readonly string[] | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const resolver = new Resolver(query)
  if (servers !== undefined) resolver.setServers(servers)
  const cancel = () => resolver.cancel()
  signal.addEventListener('abort', cancel, { once: true })
  try {
    let failure: unknown
    for (const name of names) {
      signal.throwIfAborted()
      // Both kinds are waited for: all addresses a name has are checked, and the order does not depend on the faster answer.
      const answers = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)])
      const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []))
      if (addresses.length > 0) return addresses
      const reasons = answers.flatMap((answer) =>
        answer.status === 'rejected' ? [answer.reason as unknown] : [],
      )
      const unanswered = reasons.find((reason) => !answersWithoutAddress.has(codeOf(reason)))
      if (unanswered !== undefined) throw unanswered
      failure ??= reasons[0]
    }
    throw failure ?? new Error('there is no such name')
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code)
}

type Hosts = ReadonlyMap<string, readonly string[]>

/** Reads a hosts file: each name with the addresses of all lines it is on, in the order of the lines. */
function parseHosts(text: string): Hosts {
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

/** How short names are completed. */
interface SearchRules {
  readonly domains: readonly string[]
  /** A name with at least as many dots is asked for as it is before the domains are tried. */
  readonly ndots: number
}

const maxDomains = 32
const maxNdots = 15

/** Reads `search`, `domain` and `options ndots` of resolv.conf. The last of `search` and `domain` counts, as in the C library. */
export function parseSearchRules(text: string): SearchRules {
  let domains: readonly string[] = []
  let ndots = 1
  for (const line of text.split('\n')) {
    const [keyword, ...words] = line
      .replace(/[#;].*/, '')
      .trim()
      .split(/\s+/)
    if (keyword === 'search' || keyword === 'domain') {
      domains = words.map((word) => word.toLowerCase().replace(/\.$/, '')).filter((word) => word !== '')
    }
    if (keyword === 'options') {
      for (const word of words) {
        const value = /^ndots:(\d+)$/.exec(word)?.[1]
        if (value !== undefined) ndots = Math.min(Number(value), maxNdots)
      }
    }
  }
  return { domains: domains.slice(0, maxDomains), ndots }
}

/** The full names to ask for, in order; the first that has an address counts. */
export function namesToAsk(host: string, { domains, ndots }: SearchRules): readonly string[] {
  const completed = domains.map((domain) => `${host}.${domain}`)
  return host.split('.').length - 1 >= ndots ? [host, ...completed] : [...completed, host]
}

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

interface FollowedFileOptions<Value> {
  readonly path: string
  /** Lines that end beyond this are not read. */
  readonly maxBytes: number
  readonly parse: (text: string) => Value
  readonly log: Logger
}

/** How long a parsed file is used without asking whether it changed. */
const freshMs = 1000

/** Reads a system file of lines when it is needed, and parses it again only after it changed. A missing file is an empty one. */
function followFile<Value>(options: FollowedFileOptions<Value>): () => Promise<Value> {
  const { path, maxBytes, parse, log } = options
  let known: { readonly mark: string; readonly value: Value } | undefined
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<Value> | undefined

  async function read(): Promise<Value> {
    try {
      await using file = await open(path)
      const { ino, size, mtimeMs } = await file.stat()
      const mark = `${ino} ${size} ${mtimeMs}`
      if (known?.mark === mark) return known.value
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes))
      const text = buffer.toString('utf8', 0, bytesRead)
      const isCut = size > maxBytes
      if (isCut) log.warn({ path, size, maxBytes }, 'the file is too large; only its beginning is used')
      known = { mark, value: parse(isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text) }
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isMissing) log.warn({ err: error, path }, 'the file cannot be read')
      if (isMissing || known === undefined) known = { mark: 'missing', value: parse('') }
    }
    return known.value
  }

  return async () => {
    if (known !== undefined && performance.now() - checkedAtMs < freshMs) return known.value
    reading ??= read().finally(() => {
      checkedAtMs = performance.now()
      reading = undefined
    })
    return await reading
  }
}
