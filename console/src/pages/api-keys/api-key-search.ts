import { readPage } from '../../parts/read-search.ts'

/** The search parameters of the API keys page: whose keys, which page of them, and whether one is being made. */
export interface ApiKeySearch {
  owner?: 'all'
  page?: number
  create?: true
}

/** Reads the address; what makes no sense is left out. */
export function readApiKeySearch({ owner, page, create }: Record<string, unknown>): ApiKeySearch {
  const pageNumber = readPage(page)
  return {
    ...(owner === 'all' ? { owner } : {}),
    ...(pageNumber === undefined ? {} : { page: pageNumber }),
    ...(create === true ? { create } : {}),
  }
}
