/** What a model costs: whole micro-dollars for a million tokens. */
export interface TokenPrices {
  readonly input: number
  readonly cachedInput: number
  /** For input the provider is to remember; absent when that costs no more than any other input. */
  readonly cacheWrite?: number | undefined
  readonly output: number
}

/** What holds instead for a whole call whose input is longer. */
export interface PriceTier {
  /** The call has more input tokens than this. */
  readonly above: number
  readonly prices: TokenPrices
}

/**
 * What is known about a price.
 *
 * | source     | means                                                          |
 * |------------|----------------------------------------------------------------|
 * | override   | an operator of this installation set it                        |
 * | table      | it stands in the price table of this version                   |
 * | free       | it costs nothing: models that run here or on our nodes         |
 * | unpriced   | a cloud model whose price is not known; answers tell its cost as 0 and say `unpriced` |
 */
export type ModelPrice =
  | {
      readonly source: 'override' | 'table' | 'free'
      readonly prices: TokenPrices
      /** By `above`, the smallest first; absent when one price holds for every length. */
      readonly tiers?: readonly PriceTier[] | undefined
      readonly version: string
    }
  | { readonly source: 'unpriced' }
