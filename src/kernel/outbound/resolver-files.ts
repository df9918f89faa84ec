import { open } from 'node:fs/promises'
import { isIP } from 'node:net'
import type { Logger } from '#kernel/telemetry'

const maxHostsBytes = 1_048_576
const maxResolvConfBytes = 65_536

type Hosts = ReadonlyMap<string, readonly string[]>

/** Reads the hosts file, again after each change. */
export function cacheHosts(path: string, log: Logger): () => Promise<Hosts> {
  return cacheFile({ path, maxBytes: maxHostsBytes, parse: parseHosts, log })
}

/** Reads the search rules of resolv.conf, again after each change. */
export function cacheSearchRules(path: string, log: Logger): () => Promise<SearchRules> {
  return cacheFile({ path, maxBytes: maxResolvConfBytes, parse: parseSearchRules, log })
}

/** Parses a hosts file: the addresses of each name, in the order of the lines. */
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

/** How short names are completed with search domains. */
interface SearchRules {
  readonly domains: readonly string[]
  /** A name with at least this many dots is queried as it is before the domains are tried. */
  readonly ndots: number
}

const maxDomains = 32
const maxNdots = 15

/** Parses `search`, `domain` and `options ndots` of resolv.conf. The last `search` or `domain` applies, as in the C library. */
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

/** The full names to query, in order; the first one with an address is used. */
export function candidateNames(host: string, { domains, ndots }: SearchRules): readonly string[] {
  const completed = domains.map((domain) => `${host}.${domain}`)
  return host.split('.').length - 1 >= ndots ? [host, ...completed] : [...completed, host]
}

interface CachedFileOptions<Value> {
  readonly path: string
  /** Lines that end after this position are not read. */
  readonly maxBytes: number
  readonly parse: (text: string) => Value
  readonly log: Logger
}

/** How long a parsed file is used without checking for changes. */
const freshMs = 1000

/** Reads a system file when it is needed, and parses it again after a change. A missing file counts as empty. */
function cacheFile<Value>(options: CachedFileOptions<Value>): () => Promise<Value> {
  const { path, maxBytes, parse, log } = options
  let known: { readonly version: string; readonly value: Value } | undefined
  let checkedAtMs = Number.NEGATIVE_INFINITY
  let reading: Promise<Value> | undefined

  async function read(): Promise<Value> {
    try {
      await using file = await open(path)
      const { ino, size, mtimeMs } = await file.stat()
      const version = `${ino} ${size} ${mtimeMs}`
      if (known?.version === version) return known.value
      const { buffer, bytesRead } = await file.read(Buffer.alloc(maxBytes))
      const text = buffer.toString('utf8', 0, bytesRead)
      const isCut = size > maxBytes
      if (isCut) log.warn({ path, size, maxBytes }, 'the file is too large, using only its beginning')
      known = { version, value: parse(isCut ? text.slice(0, text.lastIndexOf('\n') + 1) : text) }
    } catch (error) {
      const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
      if (!isMissing) log.warn({ err: error, path }, 'could not read the file')
      if (isMissing || known === undefined) known = { version: 'missing', value: parse('') }
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
