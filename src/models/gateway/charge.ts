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

/** What an attempt took. */
export interface Charge {
  readonly inputTokens: number | null
  readonly cachedInputTokens: number | null
  readonly outputTokens: number | null
  /** Null when the model is unpriced. */
  readonly microDollars: number | null
  readonly estimated: boolean
  /** What the provider's own count would cost, when that is more than was set aside. */
  readonly beyond?: number | undefined
}

/** Kinds of failure before the first word that no provider asks money for. */
const refusals: ReadonlySet<ProviderFailureKind> = new Set([
  'rate_limited',
  'unavailable',
  'unauthorized',
  'model_not_found',
  'refused',
  'unsupported',
])

const untold: TokenUsage = { inputTokens: null, cachedInputTokens: null, outputTokens: null }

/**
 * What is paid for an attempt, never more than was set aside.
 *
 * | the attempt                                            | tokens                                     | paid            |
 * |--------------------------------------------------------|--------------------------------------------|-----------------|
 * | of an unpriced model                                   | as told                                    | null            |
 * | of a model that costs nothing                          | as told                                    | 0               |
 * | was answered, and the provider told what it counted    | as told                                    | their price     |
 * | was answered, and the provider told less               | what is missing: the most it can have been | estimated       |
 * | was refused before the first word                      | none                                       | 0               |
 * | was cut off, timed out or cancelled                    | all input, and each byte that was seen     | estimated       |
 */
export function chargeFor(
  { price, bound }: { readonly price: ModelPrice; readonly bound: Bound | undefined },
  ending: Ending,
  { begun, seenBytes }: { readonly begun: boolean; readonly seenBytes: number },
): Charge {
  if (ending.outcome === 'answered') return chargeTold(price, bound, saneUsage(ending.usage), seenBytes)
  const refused = ending.outcome === 'failed' && refusals.has(ending.kind) && !begun
  return chargeTold(price, refused ? undefined : bound, untold, seenBytes)
}

function chargeTold(
  price: ModelPrice,
  bound: Bound | undefined,
  told: TokenUsage,
  seenBytes: number,
): Charge {
  const { inputTokens, cachedInputTokens, outputTokens } = told
  if (bound === undefined) {
    const microDollars = price.source === 'unpriced' ? null : 0
    return { inputTokens, cachedInputTokens, outputTokens, microDollars, estimated: false }
  }
  const usage = {
    ...told,
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
