import type { ModelPrice } from '../prices/price.ts'
import type { ProvidedModel, ProviderName } from '../providers/provider.ts'

/** A model that can be asked for: who has it, and what it costs. */
export interface CatalogueEntry {
  readonly provider: ProviderName
  readonly model: ProvidedModel
  readonly price: ModelPrice
}

/** Where the gateway looks up the models there are. */
export interface CatalogueSource {
  find(): Promise<readonly CatalogueEntry[]>
}
