import { readPage } from '../../parts/read-search.ts'

/** The search parameters of the API keys page: the account, the page, and whether the form of a new key is open. */
export interface ApiKeySearch {
  owner?: 'all'
  page?: number
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readApiKeySearch({ owner, page, create }: Record<string, unknown>): ApiKeySearch {
  const pageNumber = readPage(page)
  return {
    ...(owner === 'all' ? { owner } : {}),
    ...(pageNumber === undefined ? {} : { page: pageNumber }),
    ...(create === true ? { create } : {}),
  }
}
