import { readPage, readText } from '../../parts/read-search.ts'

/** The search parameters of the Providers page. */
export interface ProviderSearch {
  /** The open provider. */
  provider?: string
  /** The filter and the page of the prices. */
  search?: string
  page?: number
  /** The model whose price is open, as `provider/model`. */
  price?: string
  /** The form of a price for an unlisted model is open. */
  create?: true
  /** The page of the limits. */
  limitPage?: number
  /** The model or provider whose limits are open, as `provider/model`. */
  limit?: string
  /** The form of new limits is open. */
  setLimit?: true
  /** The form of a new provider is open. */
  add?: true
}

/** Parses the search parameters and drops invalid values. */
export function readProviderSearch(address: Record<string, unknown>): ProviderSearch {
  const provider = readText(address['provider'])
  const search = readText(address['search'])?.slice(0, 200)
  const page = readPage(address['page'])
  const price = readText(address['price'])
  const limitPage = readPage(address['limitPage'])
  const limit = readText(address['limit'])
  return {
    ...(provider === undefined ? {} : { provider }),
    ...(search === undefined ? {} : { search }),
    ...(page === undefined ? {} : { page }),
    ...(price === undefined ? {} : { price }),
    ...(limitPage === undefined ? {} : { limitPage }),
    ...(limit === undefined ? {} : { limit }),
    ...(address['setLimit'] === true ? { setLimit: true } : {}),
    ...(address['create'] === true ? { create: true } : {}),
    ...(address['add'] === true ? { add: true } : {}),
  }
}
