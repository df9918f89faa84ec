import { readPage, readText } from '../../parts/read-search.ts'

/** The search parameters of the Providers page. */
export interface ProviderSearch {
  /** The provider that is open. */
  provider?: string
  /** What the prices are narrowed to, and which page of them. */
  search?: string
  page?: number
  /** The model whose price is open, as `provider/model`. */
  price?: string
  /** A price is being set for a model that is not listed. */
  create?: true
}

/** Reads the address; what makes no sense is left out. */
export function readProviderSearch(address: Record<string, unknown>): ProviderSearch {
  const provider = readText(address['provider'])
  const search = readText(address['search'])?.slice(0, 200)
  const page = readPage(address['page'])
  const price = readText(address['price'])
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(search === undefined ? {} : { search }),
    ...(page === undefined ? {} : { page }),
    ...(price === undefined ? {} : { price }),
    ...(address['create'] === true ? { create: true } : {}),
  }
}
