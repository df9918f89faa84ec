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

/** What is known of an attempt when it ends. */
export interface AttemptProgress {
  /** A part of the response arrived. */
  readonly begun: boolean
  /** Bytes of generated text that arrived. */
  readonly seenBytes: number
  /** The usage that the provider reported before the end of the response. */
  readonly reported?: TokenUsage | undefined
  /** Estimates the input of the call. Only used where the provider did not report it. */
  readonly estimateInput: () => Promise<number>
}

/** A token of most texts has about four bytes. */
const bytesPerToken = 4

/**
 * The charge for an attempt, never more than was reserved.
 *
 * | attempt                                                | tokens                                                | cost        |
 * |--------------------------------------------------------|-------------------------------------------------------|-------------|
 * | of an unpriced model                                   | as reported                                           | null        |
 * | of a free model                                        | as reported                                           | 0           |
 * | answered, the provider reported its usage              | as reported                                           | their price |
 * | refused before the first part                          | none                                                  | 0           |
 * | cut off, timed out or cancelled                        | as reported until then, the rest estimated            | estimated   |
 * | answered, the provider reported a part of its usage    | as reported, the rest estimated                       | estimated   |
 *
 * Input is estimated with a tokenizer from the text that was sent, output from the bytes that arrived.
 */
export async function chargeFor(
  { price, bound }: { readonly price: ModelPrice; readonly bound: Bound | undefined },
  ending: Ending,
  progress: AttemptProgress,
): Promise<Charge> {
  const refused = ending.outcome === 'failed' && refusals.has(ending.kind) && !progress.begun
  const reported = ending.outcome === 'answered' ? ending.usage : (progress.reported ?? unknownUsage)
  return await chargeUsage(price, refused ? undefined : bound, saneUsage(reported), progress)
}

async function chargeUsage(
  price: ModelPrice,
  bound: Bound | undefined,
  reported: TokenUsage,
  { seenBytes, estimateInput }: AttemptProgress,
): Promise<Charge> {
  const { inputTokens, cachedInputTokens, outputTokens } = reported
  if (bound === undefined) {
    const microDollars = price.source === 'unpriced' ? null : 0
    return { inputTokens, cachedInputTokens, outputTokens, microDollars, estimated: false }
  }
  const usage = {
    ...reported,
    inputTokens: inputTokens ?? Math.min(await estimateInput(), bound.inputTokens),
    outputTokens: outputTokens ?? Math.min(Math.ceil(seenBytes / bytesPerToken), bound.outputTokens),
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
