import { Resolver } from 'node:dns/promises'
import { isIPv6 } from 'node:net'
import { networkInterfaces } from 'node:os'
import type { Logger } from '#kernel/telemetry'
import { startDeadline } from './deadline.ts'
import { cacheHosts, cacheSearchRules, candidateNames } from './resolver-files.ts'

export interface LookupOptions {
  /** Lookups are limited by account. */
  readonly account: string
  /** Aborts the lookup. */
  readonly signal: AbortSignal
}

/** Resolves a name to its addresses, in the order in which to try them. */
export type Resolve = (host: string, options: LookupOptions) => Promise<readonly string[]>

export interface NameResolverOptions {
  readonly log: Logger
  /** Name servers as `address:port`. Default: those of resolv.conf. */
  readonly servers?: readonly string[]
  readonly hostsPath?: string
  readonly resolvConfPath?: string
  /** Timeout of one lookup, including the wait for a slot. */
  readonly timeoutMs?: number
}

const slotLimits = { perAccount: 8, total: 256, maxWaiting: 1000 }

/** Timeout of the first try of one server; the second may take twice as long. Two tries stay within the default timeout of a lookup. */
const query = { timeout: 1500, tries: 2 }

/** Responses of a name server without an address: the next name of the search list may have one. */
const noAddressCodes = new Set([
  'ENOTFOUND',
  'ENODATA',
  'ESERVFAIL',
  'EREFUSED',
  'EFORMERR',
  'ENOTIMP',
  'EBADNAME',
])

/**
 * Resolves names by the hosts file and then by DNS, with the search list of resolv.conf. The system's getaddrinfo is not used: it cannot be
 * cancelled, and Node.js runs two calls at a time, so two names whose servers never respond would block all others.
 */
export function createNameResolver(options: NameResolverOptions): Resolve {
  const {
    log,
    servers,
    hostsPath = '/etc/hosts',
    resolvConfPath = '/etc/resolv.conf',
    timeoutMs = 5000,
  } = options
  const readHosts = cacheHosts(hostsPath, log)
  const readRules = cacheSearchRules(resolvConfPath, log)
  const slots = createLookupSlots(slotLimits)

  return async (host, { account, signal }) => {
    const known = (await readHosts()).get(host) ?? (isLocalhost(host) ? ['::1', '127.0.0.1'] : undefined)
    if (known !== undefined) return orderAddresses(known)
    const names = candidateNames(host, await readRules())
    using deadline = startDeadline(timeoutMs, signal)
    const slot = await slots.take(account, deadline.signal)
    try {
      return orderAddresses(await queryServers(names, servers, deadline.signal))
    } finally {
      slot[Symbol.dispose]()
    }
  }
}

/** Names that are never sent to a name server (RFC 6761). */
function isLocalhost(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost')
}

/** Queries one name after the other until one has an address. Its own resolver lets it cancel exactly these queries. */
async function queryServers(
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
      // Waits for both families: all addresses of a name are checked, and the order does not depend on the faster response.
      const results = await Promise.allSettled([resolver.resolve6(name), resolver.resolve4(name)])
      const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []))
      if (addresses.length > 0) return addresses
      const reasons = results.flatMap((result) =>
        result.status === 'rejected' ? [result.reason as unknown] : [],
      )
      const serverError = reasons.find((reason) => !noAddressCodes.has(codeOf(reason)))
      if (serverError !== undefined) throw serverError
      failure ??= reasons[0]
    }
    throw failure ?? new Error('the name does not exist')
  } finally {
    signal.removeEventListener('abort', cancel)
  }
}

function codeOf(error: unknown): string {
  return String((error as NodeJS.ErrnoException).code)
}

/**
 * Sorts addresses by the main rules of RFC 6724: loopback, global IPv6, IPv4, local IPv6, and last an IPv6 address of a kind that this
 * machine does not have itself. The sort is stable.
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

interface LookupSlotsOptions {
  /** Maximum number of concurrent lookups of one account; more wait. */
  readonly perAccount: number
  /** Maximum number of concurrent lookups of all accounts. */
  readonly total: number
  /** Maximum number of waiting lookups of one account; more are refused. */
  readonly maxWaiting: number
}

/** Limits concurrent lookups, so that names whose servers do not respond only delay the account that uses them. */
interface LookupSlots {
  /** Waits for a slot; dispose it to release it. Rejects with the signal's reason, or when too many lookups wait. */
  take(account: string, signal: AbortSignal): Promise<Disposable>
}

interface Waiter {
  readonly account: string
  readonly start: (slot: Disposable) => void
}

export function createLookupSlots({ perAccount, total, maxWaiting }: LookupSlotsOptions): LookupSlots {
  const runningBy = new Map<string, number>()
  const waitingBy = new Map<string, number>()
  /** In order of arrival. */
  const waiting = new Set<Waiter>()
  let running = 0

  const isFree = (account: string) => running < total && (runningBy.get(account) ?? 0) < perAccount

  function start(account: string): Disposable {
    running += 1
    count(runningBy, account, 1)
    let isTaken = true
    return {
      [Symbol.dispose]() {
        if (!isTaken) return
        isTaken = false
        running -= 1
        count(runningBy, account, -1)
        startWaiting()
      },
    }
  }

  /** Skips accounts that use all their slots. */
  function startWaiting(): void {
    for (const waiter of waiting) {
      if (running >= total) return
      if (!isFree(waiter.account)) continue
      remove(waiter)
      waiter.start(start(waiter.account))
    }
  }

  function remove(waiter: Waiter): void {
    if (waiting.delete(waiter)) count(waitingBy, waiter.account, -1)
  }

  return {
    async take(account, signal) {
      signal.throwIfAborted()
      if (isFree(account)) return start(account)
      if ((waitingBy.get(account) ?? 0) >= maxWaiting) {
        throw new Error(`more than ${maxWaiting} lookups of account ${account} are waiting`)
      }
      const { promise, resolve, reject } = Promise.withResolvers<Disposable>()
      const waiter = { account, start: resolve }
      const rejectOnAbort = () => {
        remove(waiter)
        reject(signal.reason)
      }
      waiting.add(waiter)
      count(waitingBy, account, 1)
      signal.addEventListener('abort', rejectOnAbort, { once: true })
      try {
        return await promise
      } finally {
        signal.removeEventListener('abort', rejectOnAbort)
      }
    },
  }
}

function count(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const now = (counts.get(key) ?? 0) + change
  if (now === 0) counts.delete(key)
  else counts.set(key, now)
}
