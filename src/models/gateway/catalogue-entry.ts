import type { ModelPrice } from '../prices/price.ts'
import type { ProvidedModel, ProviderName } from '../providers/provider.ts'

/** A model of the catalogue with its provider and price. */
export interface CatalogueEntry {
  readonly provider: ProviderName
  readonly model: ProvidedModel
  readonly price: ModelPrice
}

/** Where the gateway looks up models. */
export interface CatalogueSource {
  find(): Promise<readonly CatalogueEntry[]>
}
