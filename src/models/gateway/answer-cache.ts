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

  function remove(key: string): void {
    total -= kept.get(key)?.bytes ?? 0
    kept.delete(key)
  }

  return {
    enabled: cacheBytes > 0 && cacheTtlMs > 0,
    mostAnswerBytes,
    get(key) {
      const found = kept.get(key)
      if (found === undefined) return undefined
      kept.delete(key)
      if (found.untilMs > now()) {
        kept.set(key, found)
        return found.parts
      }
      total -= found.bytes
      return undefined
    },
    put(key, parts) {
      const bytes = bytesOfParts(parts)
      if (bytes > mostAnswerBytes) return
      remove(key)
      kept.set(key, { parts, bytes, untilMs: now() + cacheTtlMs })
      total += bytes
      for (const [oldest] of kept) {
        if (total <= cacheBytes) break
        remove(oldest)
      }
    },
    bytes: () => total,
  }
}
