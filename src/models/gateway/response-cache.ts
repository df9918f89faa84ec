import type { ModelPart } from '../providers/provider.ts'

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

export function bytesOfParts(parts: readonly ModelPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === 'end' ? 0 : 2 * part.text.length), overheadBytes)
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
