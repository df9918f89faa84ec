/** The prices of a model in whole micro-dollars for a million tokens. */
export interface TokenPrices {
  readonly input: number
  readonly cachedInput: number
  /** For input written to the cache of the provider; absent when it costs the same as other input. */
  readonly cacheWrite?: number | undefined
  readonly output: number
}

/** Prices for a whole call with a longer input. */
export interface PriceTier {
  /** Applies to calls with more input tokens than this. */
  readonly above: number
  readonly prices: TokenPrices
}

/**
 * The price of a model and its source.
 *
 * | source     | meaning                                                        |
 * |------------|----------------------------------------------------------------|
 * | override   | set by an operator of this installation                        |
 * | table      | from the price table of this version                           |
 * | free       | models of the cluster and the built-in model                   |
 * | unpriced   | a cloud model with an unknown price; responses report cost 0 and `unpriced: true` |
 */
export type ModelPrice =
  | {
      readonly source: 'override' | 'table' | 'free'
      readonly prices: TokenPrices
      /** By `above`, ascending; absent when one price applies to every length. */
      readonly tiers?: readonly PriceTier[] | undefined
      readonly version: string
    }
  | { readonly source: 'unpriced' }
