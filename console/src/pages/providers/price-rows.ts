import type { CatalogueModel } from '../playground/catalogue.ts'
import type { SetPrice } from './provider-queries.ts'

/** The price of a model and its source, in dollars per million tokens; null when unknown. */
export interface PriceRow {
  readonly key: string
  readonly provider: string
  readonly model: string
  readonly source: CatalogueModel['pricing']['source']
  readonly input: number | null
  readonly cachedInput: number | null
  readonly output: number | null
  /** The time and the author of a custom price. */
  readonly set: SetPrice | undefined
  /** Whether a provider offers the model. */
  readonly isListed: boolean
}

function keyOf({ provider, model }: { readonly provider: string; readonly model: string }): string {
  return `${provider}/${model}`
}

/** A model name may have any character; a row key has none that needs escaping. */
export function rowKeyOf(key: string): string {
  return encodeURIComponent(key)
}

/** Every model with its price, and every custom price of a model no provider offers (yet, or any more). */
export function listPrices(models: readonly CatalogueModel[], prices: readonly SetPrice[]): PriceRow[] {
  const setFor = new Map(prices.map((price) => [keyOf(price), price]))
  const listed = models.map(({ id, provider, pricing }): PriceRow => {
    const key = keyOf({ provider, model: id })
    return { ...amountsOf(pricing), key, provider, model: id, set: setFor.get(key), isListed: true }
  })
  const known = new Set(listed.map(({ key }) => key))
  const others = prices
    .filter((price) => !known.has(keyOf(price)))
    .map((price): PriceRow => {
      const { provider, model, input, cached_input: cachedInput, output } = price
      return {
        key: keyOf(price),
        provider,
        model,
        source: 'override',
        input,
        cachedInput,
        output,
        set: price,
        isListed: false,
      }
    })
  return [...listed, ...others].toSorted((one, other) => one.model.localeCompare(other.model))
}

function amountsOf({ source, input, cached_input: cachedInput, output }: CatalogueModel['pricing']) {
  return { source, input, cachedInput, output }
}

/** Prices whose model or provider contains a text, ignoring case. */
export function narrow(rows: readonly PriceRow[], text: string | undefined): readonly PriceRow[] {
  const wanted = text?.toLowerCase()
  return wanted === undefined ? rows : rows.filter(({ key }) => key.toLowerCase().includes(wanted))
}
