import { Resolver } from 'node:dns/promises'
import type { Logger } from '#kernel/telemetry'
import { startDeadline } from '../deadline.ts'
import { followFile } from './followed-file.ts'
import { parseHosts } from './hosts-file.ts'
import { createLookupSlots } from './lookup-slots.ts'
import { orderAddresses } from './order-addresses.ts'
import { namesToAsk, parseSearchRules } from './search-list.ts'

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
