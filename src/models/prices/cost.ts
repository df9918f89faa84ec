import type { TokenUsage } from '../providers/provider.ts'
import type { ModelPrice, TokenPrices } from './price.ts'

/**
 * What a call cost in whole micro-dollars, rounded up once. Null when nobody knows: the model is unpriced, or the provider
 * did not count.
 */
export function costOf(price: ModelPrice, usage: TokenUsage): number | null {
  if (price.source === 'unpriced') return null
  const { inputTokens, outputTokens } = usage
  if (inputTokens === null || outputTokens === null) return null
  const input = whole(inputTokens)
  // Parts cannot be more than the whole, whatever a provider says.
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

/** The most a call can cost that has at most so many tokens. Null when the model is unpriced. */
export function worstCaseOf(
  price: ModelPrice,
  most: { readonly inputTokens: number; readonly outputTokens: number },
): number | null {
  if (price.source === 'unpriced') return null
  const [input, output] = [whole(most.inputTokens), whole(most.outputTokens)]
  const reached = (price.tiers ?? []).filter(({ above }) => above < input)
  // A longer input may have lower prices, so each length at which they change is looked at.
  const steps = [price.prices, ...reached.map(({ prices }) => prices)].map((prices, index) =>
    addUp([
      [reached[index]?.above ?? input, dearestInput(prices)],
      [output, prices.output],
    ]),
  )
  return Math.max(...steps)
}

function pricesFor({ prices, tiers = [] }: Exclude<ModelPrice, { source: 'unpriced' }>, input: number) {
  return tiers.findLast(({ above }) => input > above)?.prices ?? prices
}

function dearestInput({ input, cachedInput, cacheWrite = 0 }: TokenPrices): number {
  return Math.max(input, cachedInput, cacheWrite)
}

/** Numbers are exact up to 2^53; a million tokens times a price are more than that now and then. */
function addUp(parts: readonly (readonly [tokens: number, price: number])[]): number {
  const sum = parts.reduce((total, [tokens, price]) => total + BigInt(tokens) * BigInt(price), 0n)
  return Number((sum + 999_999n) / 1_000_000n)
}

/** A count that makes no sense is never less than what it could have meant. */
function whole(tokens: number): number {
  return Math.min(Number.MAX_SAFE_INTEGER, Math.max(0, Math.ceil(tokens || 0)))
}
