import type { TokenUsage } from '../providers/provider.ts'
import type { ModelPrice, TokenPrices } from './price.ts'

/**
 * The cost of a call in whole micro-dollars, rounded up once. Null when the model is unpriced or the provider did not report
 * its usage.
 */
export function costOf(price: ModelPrice, usage: TokenUsage): number | null {
  if (price.source === 'unpriced') return null
  const { inputTokens, outputTokens } = usage
  if (inputTokens === null || outputTokens === null) return null
  const input = whole(inputTokens)
  // Cached input is part of the input, so it is capped at the input that the provider reports.
  const cached = Math.min(input, whole(usage.cachedInputTokens ?? 0))
  const written = Math.min(input - cached, whole(usage.cacheWriteTokens ?? 0))
  const prices = pricesFor(price, input)
  return addUp([
    [input - cached - written, prices.input],
    [cached, prices.cachedInput],
    [written, prices.cacheWrite ?? prices.input],
    [whole(outputTokens), prices.output],
  ])
}

/** The most a call with at most this many tokens can cost. Null when the model is unpriced. */
export function worstCaseOf(
  price: ModelPrice,
  max: { readonly inputTokens: number; readonly outputTokens: number },
): number | null {
  if (price.source === 'unpriced') return null
  const [input, output] = [whole(max.inputTokens), whole(max.outputTokens)]
  const reached = (price.tiers ?? []).filter(({ above }) => above < input)
  // A longer input may have lower prices, so the cost is computed at each tier boundary.
  const steps = [price.prices, ...reached.map(({ prices }) => prices)].map((prices, index) =>
    addUp([
      [reached[index]?.above ?? input, highestInputPrice(prices)],
      [output, prices.output],
    ]),
  )
  return Math.max(...steps)
}

function pricesFor({ prices, tiers = [] }: Exclude<ModelPrice, { source: 'unpriced' }>, input: number) {
  return tiers.findLast(({ above }) => input > above)?.prices ?? prices
}

function highestInputPrice({ input, cachedInput, cacheWrite = 0 }: TokenPrices): number {
  return Math.max(input, cachedInput, cacheWrite)
}

/** Uses bigint, because tokens times price can exceed 2^53. */
function addUp(parts: readonly (readonly [tokens: number, price: number])[]): number {
  const sum = parts.reduce((total, [tokens, price]) => total + BigInt(tokens) * BigInt(price), 0n)
  return Number((sum + 999_999n) / 1_000_000n)
}

/** A valid token count: fractions are rounded up, negative counts are 0. */
function whole(tokens: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.ceil(tokens || 0)))
}
