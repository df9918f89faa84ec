import { costOf } from '../prices/cost.ts'
import type { ModelPrice } from '../prices/price.ts'
import type { TokenUsage } from '../providers/provider.ts'
import type { ProviderFailureKind } from '../providers/provider-failure.ts'
import type { Bound } from './bound.ts'
import { saneUsage } from './sane-usage.ts'

/** How an attempt ended. */
export type Ending =
  | { readonly outcome: 'answered'; readonly usage: TokenUsage }
  | { readonly outcome: 'failed'; readonly kind: ProviderFailureKind; readonly code: string }
  | { readonly outcome: 'cancelled' }

/** The usage and the cost of an attempt. */
export interface Charge {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
  /** Null when the model is unpriced. */
  readonly microDollars: number | null
  readonly estimated: boolean
  /** The cost of the usage that the provider reports, when it is more than was reserved. */
  readonly beyond?: number | undefined
}

/** Kinds of failure before the first part that no provider charges for. */
const refusals: ReadonlySet<ProviderFailureKind> = new Set([
  'rate_limited',
  'unavailable',
  'unauthorized',
  'model_not_found',
  'refused',
  'unsupported',
])

const unknownUsage: TokenUsage = { inputTokens: null, cachedInputTokens: null, outputTokens: null }

/**
 * The charge for an attempt, never more than was reserved.
 *
 * | attempt                                                | tokens                                     | cost            |
 * |--------------------------------------------------------|--------------------------------------------|-----------------|
 * | of an unpriced model                                   | as reported                                | null            |
 * | of a free model                                        | as reported                                | 0               |
 * | answered, the provider reported its usage              | as reported                                | their price     |
 * | answered, the provider reported a part of its usage    | the missing part: the upper bound          | estimated       |
 * | refused before the first part                          | none                                       | 0               |
 * | cut off, timed out or cancelled                        | all input, one for each byte received      | estimated       |
 */
export function chargeFor(
  { price, bound }: { readonly price: ModelPrice; readonly bound: Bound | undefined },
  ending: Ending,
  { begun, seenBytes }: { readonly begun: boolean; readonly seenBytes: number },
): Charge {
  if (ending.outcome === 'answered') return chargeUsage(price, bound, saneUsage(ending.usage), seenBytes)
  const refused = ending.outcome === 'failed' && refusals.has(ending.kind) && !begun
  return chargeUsage(price, refused ? undefined : bound, unknownUsage, seenBytes)
}

function chargeUsage(
  price: ModelPrice,
  bound: Bound | undefined,
  reported: TokenUsage,
  seenBytes: number,
): Charge {
  const { inputTokens, cachedInputTokens, outputTokens } = reported
  if (bound === undefined) {
    const microDollars = price.source === 'unpriced' ? null : 0
    return { inputTokens, cachedInputTokens, outputTokens, microDollars, estimated: false }
  }
  const usage = {
    ...reported,
    inputTokens: inputTokens ?? bound.inputTokens,
    outputTokens: outputTokens ?? Math.min(seenBytes, bound.outputTokens),
  }
  const cost = costOf(price, usage) ?? bound.microDollars
  return {
    inputTokens: usage.inputTokens,
    cachedInputTokens,
    outputTokens: usage.outputTokens,
    microDollars: Math.min(cost, bound.microDollars),
    estimated: inputTokens === null || outputTokens === null,
    beyond: cost > bound.microDollars ? cost : undefined,
  }
}
