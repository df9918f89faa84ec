import type { ModelPart } from '../providers/provider.ts'

/** Whole answers to deterministic calls, in memory. */
export interface AnswerCache {
  /** False when nothing is remembered at all. */
  readonly enabled: boolean
  get(key: string): readonly ModelPart[] | undefined
  /** Answers that would take more than an eighth of the room are not kept. */
  put(key: string, parts: readonly ModelPart[]): void
  /** The most one answer may take. */
  readonly mostAnswerBytes: number
  bytes(): number
  figures(): AnswerCacheFigures
}

/** What became of a memory since it began. */
export interface AnswerCacheFigures {
  readonly enabled: boolean
  readonly answers: number
  readonly bytes: number
  readonly mostBytes: number
  readonly hits: number
  readonly misses: number
  readonly stored: number
  /** Answers that had to make room for others. */
  readonly evicted: number
}

interface Kept {
  readonly parts: readonly ModelPart[]
  readonly bytes: number
  readonly untilMs: number
}

export interface AnswerCacheOptions {
  readonly cacheBytes: number
  readonly cacheTtlMs: number
  readonly now?: () => number
}

/** What an answer takes besides its text: key, objects, usage. */
const bytesAround = 1000

export function bytesOfParts(parts: readonly ModelPart[]): number {
  return parts.reduce((sum, part) => sum + (part.type === 'end' ? 0 : 2 * part.text.length), bytesAround)
}

/** The answers that were used longest ago make room for new ones. */
export function createAnswerCache({
  cacheBytes,
  cacheTtlMs,
  now = () => performance.now(),
}: AnswerCacheOptions): AnswerCache {
  const kept = new Map<string, Kept>()
  const mostAnswerBytes = Math.floor(cacheBytes / 8)
  let total = 0
  const counts = { hits: 0, misses: 0, stored: 0, evicted: 0 }
  const enabled = cacheBytes > 0 && cacheTtlMs > 0

  function find(key: string): readonly ModelPart[] | undefined {
    const found = kept.get(key)
    if (found === undefined) return undefined
    kept.delete(key)
    if (found.untilMs > now()) {
      kept.set(key, found)
      return found.parts
    }
    total -= found.bytes
    return undefined
  }

  function remove(key: string): void {
    total -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  return {
    enabled,
    mostAnswerBytes,
    get(key) {
      const parts = find(key)
      counts[parts === undefined ? 'misses' : 'hits'] += 1
      return parts
    },
    put(key, parts) {
      const bytes = bytesOfParts(parts)
      if (bytes > mostAnswerBytes) return
      remove(key)
      kept.set(key, { parts, bytes, untilMs: now() + cacheTtlMs })
      total += bytes
      counts.stored += 1
      for (const [oldest] of kept) {
        if (total <= cacheBytes) break
        remove(oldest)
        counts.evicted += 1
      }
    },
    bytes: () => total,
    figures: () => ({ enabled, answers: kept.size, bytes: total, mostBytes: cacheBytes, ...counts }),
  }
}
