import type { TokenUsage } from '../providers/provider.ts'

const maxTokens = 1_000_000_000_000

/**
 * The usage that a provider reported, with null for impossible counts: fractions, negative numbers, absurdly large numbers, or
 * more cached input than input. Some servers compatible with OpenAI send such counts.
 */
export function saneUsage(usage: TokenUsage): TokenUsage {
  const inputTokens = saneCount(usage.inputTokens)
  const cached = saneCount(usage.cachedInputTokens)
  const written = saneCount(usage.cacheWriteTokens)
  const fits = inputTokens === null || (cached ?? 0) + (written ?? 0) <= inputTokens
  return {
    inputTokens,
    cachedInputTokens: fits ? cached : null,
    ...(usage.cacheWriteTokens !== undefined && { cacheWriteTokens: fits ? written : null }),
    outputTokens: saneCount(usage.outputTokens),
  }
}

/** The count, or null when it is impossible. */
export function saneCount(count: number | null | undefined): number | null {
  const sane = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= maxTokens
  return sane ? count : null
}
