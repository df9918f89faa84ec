import { createHash } from 'node:crypto'
import { outputOf } from '../providers/content.ts'
import type { ModelCall, ModelPart, ProviderName } from '../providers/provider.ts'
import type { ChatRequest } from './contract.ts'

/** Complete responses to deterministic calls, in the memory of this process. */
export interface ResponseCache {
  /** False when the size or the time to live is 0. */
  readonly enabled: boolean
  get(key: string): readonly ModelPart[] | undefined
  /** Ignores a response larger than `maxResponseBytes`, so that one response cannot evict most of the others. */
  put(key: string, parts: readonly ModelPart[]): void
  /** An eighth of the size of the cache. */
  readonly maxResponseBytes: number
  bytes(): number
  stats(): ResponseCacheStats
}

/** Statistics of the response cache since the process started. */
export interface ResponseCacheStats {
  readonly enabled: boolean
  readonly answers: number
  readonly bytes: number
  readonly maxBytes: number
  readonly hits: number
  readonly misses: number
  readonly stored: number
  /** Responses removed because the cache was full. */
  readonly evicted: number
}

interface CacheEntry {
  readonly parts: readonly ModelPart[]
  readonly bytes: number
  readonly expiresAtMs: number
}

export interface ResponseCacheOptions {
  readonly cacheBytes: number
  readonly cacheTtlMs: number
  readonly now?: () => number
}

/** Memory of a cached response besides its text: key, objects, usage. */
const overheadBytes = 1000

function bytesOfParts(parts: readonly ModelPart[]): number {
  return parts.reduce((sum, part) => sum + sizeOf(part), overheadBytes)
}

function sizeOf(part: ModelPart): number {
  return part.type === 'raw' ? part.bytes.length : 2 * outputOf(part).length
}

/** Creates a cache with a time to live that evicts the least recently used responses. */
export function createResponseCache({
  cacheBytes,
  cacheTtlMs,
  now = () => performance.now(),
}: ResponseCacheOptions): ResponseCache {
  const entries = new Map<string, CacheEntry>()
  const maxResponseBytes = Math.floor(cacheBytes / 8)
  let total = 0
  const counts = { hits: 0, misses: 0, stored: 0, evicted: 0 }
  const enabled = cacheBytes > 0 && cacheTtlMs > 0

  function find(key: string): readonly ModelPart[] | undefined {
    const found = entries.get(key)
    if (found === undefined) return undefined
    entries.delete(key)
    if (found.expiresAtMs > now()) {
      entries.set(key, found)
      return found.parts
    }
    total -= found.bytes
    return undefined
  }

  function remove(key: string): void {
    total -= entries.get(key)?.bytes ?? 0
    entries.delete(key)
  }

  return {
    enabled,
    maxResponseBytes,
    get(key) {
      const parts = find(key)
      counts[parts === undefined ? 'misses' : 'hits'] += 1
      return parts
    },
    put(key, parts) {
      const bytes = bytesOfParts(parts)
      if (bytes > maxResponseBytes) return
      remove(key)
      entries.set(key, { parts, bytes, expiresAtMs: now() + cacheTtlMs })
      total += bytes
      counts.stored += 1
      for (const [oldest] of entries) {
        if (total <= cacheBytes) break
        remove(oldest)
        counts.evicted += 1
      }
    },
    bytes: () => total,
    stats: () => ({ enabled, answers: entries.size, bytes: total, maxBytes: cacheBytes, ...counts }),
  }
}

/** The result of a cache lookup. After a miss, `store` collects the parts of the response for the next lookup. */
type CacheLookup =
  | { readonly state: 'off' }
  | { readonly state: 'hit'; readonly parts: readonly ModelPart[] }
  | { readonly state: 'miss'; readonly store: (part: ModelPart) => void }

/** Looks a call up in the response cache, unless the request turns the cache off or the call is not deterministic. */
export function lookUpResponse(
  cache: ResponseCache,
  { accountId, cache: mode }: Pick<ChatRequest, 'accountId' | 'cache'>,
  provider: ProviderName,
  call: ModelCall,
): CacheLookup {
  const key = cache.enabled && mode !== 'off' ? cacheKeyOf(accountId, provider, call) : undefined
  if (key === undefined) return { state: 'off' }
  const parts = mode === 'use' ? cache.get(key) : undefined
  if (parts !== undefined) return { state: 'hit', parts }
  return { state: 'miss', store: collectForCache(cache, key) }
}

/** Collects the parts of a response and stores it at its end. A response above the size bound is dropped at once. */
function collectForCache(cache: ResponseCache, key: string): (part: ModelPart) => void {
  let collected: ModelPart[] | undefined = []
  let bytes = overheadBytes
  return (part) => {
    if (collected === undefined) return
    if (part.type === 'end') {
      if (part.finish !== 'other') cache.put(key, [...collected, withoutDurations(part)])
      collected = undefined
      return
    }
    bytes += sizeOf(part)
    if (bytes > cache.maxResponseBytes) {
      collected = undefined
      return
    }
    const last = collected.at(-1)
    const joined = last && joinParts(last, part)
    if (joined === undefined) collected.push(ownCopyOf(part))
    else collected[collected.length - 1] = joined
  }
}

/** A small piece of a connection's buffer would keep the whole buffer in memory. */
function ownCopyOf(part: ModelPart): ModelPart {
  return part.type === 'raw' ? { ...part, bytes: Buffer.from(part.bytes) } : part
}

/** Two adjacent pieces of the same text as one part. */
function joinParts(last: ModelPart, next: ModelPart): ModelPart | undefined {
  if (last.type === 'text' && next.type === 'text') return { ...last, text: last.text + next.text }
  if (last.type === 'thinking' && next.type === 'thinking') return { ...last, text: last.text + next.text }
  const isSameCall =
    last.type === 'tool_arguments' && next.type === 'tool_arguments' && last.index === next.index
  return isSameCall ? { ...last, text: last.text + next.text } : undefined
}

/** The durations that a node measured do not hold for a response from the cache. */
function withoutDurations(end: ModelPart & { readonly type: 'end' }): ModelPart {
  if (end.runtime === undefined) return end
  const kept = Object.entries(end.runtime).filter(([name]) => !name.endsWith('_duration'))
  return { ...end, runtime: Object.fromEntries(kept) }
}

/** Runtime fields that only affect the text of a response. Others load models or continue a conversation. */
const statelessFields: ReadonlySet<string> = new Set([
  'options',
  'raw',
  'template',
  'suffix',
  'think',
  'images',
])

/** Whether the same request always gets the same response. */
function isDeterministic(provider: ProviderName, { temperature, seed, runtime = {} }: ModelCall): boolean {
  if (provider === 'builtin') return true
  return (
    (temperature === 0 || seed !== undefined) &&
    Object.keys(runtime).every((field) => statelessFields.has(field))
  )
}

/** The cache key of a call, undefined for a call that is not cached. It contains the account: accounts share no responses. */
export function cacheKeyOf(accountId: string, provider: ProviderName, call: ModelCall): string | undefined {
  if (!isDeterministic(provider, call)) return undefined
  const canonical = JSON.stringify(
    [accountId, provider, { ...call, session: undefined, trace: undefined }],
    createReplacer(),
  )
  return hash(canonical)
}

/** Characters of a text that is hashed on its own: writing it as JSON first takes several times as long. */
const minHashedLength = 256 * 1024

/** A JSON replacer that makes the text independent of the order of keys, and replaces long texts, which a call has twice, by their hashes. */
function createReplacer() {
  const hashes = new Map<string, string>()
  return (_key: string, value: unknown): unknown => {
    if (typeof value !== 'string' || value.length < minHashedLength) return sortKeys(value)
    const known = hashes.get(value) ?? `sha256:${hash(value)}`
    hashes.set(value, known)
    return known
  }
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

function sortKeys(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).sort(([left], [right]) => (left < right ? -1 : 1)))
}
