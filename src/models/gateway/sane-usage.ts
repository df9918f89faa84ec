import type { TokenUsage } from '../providers/provider.ts'

const mostTokens = 1_000_000_000_000

/**
 * What a provider counted, without what cannot be a count: a part of a token, less than none, more than was ever written,
 * or more remembered input than there was input. Servers that only look like a known provider send such things.
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

/** A count that cannot be one is as good as none. */
export function saneCount(count: number | null | undefined): number | null {
  const sane = typeof count === 'number' && Number.isInteger(count) && count >= 0 && count <= mostTokens
  return sane ? count : null
}
