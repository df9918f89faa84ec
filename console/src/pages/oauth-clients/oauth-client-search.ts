import { readPage, readText } from '../../parts/read-search.ts'

/** The search parameters of the OAuth clients page: the account, the page, and the open or new client. */
export interface OauthClientSearch {
  owner?: 'all'
  page?: number
  client?: string
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readOauthClientSearch(address: Record<string, unknown>): OauthClientSearch {
  const { owner, create } = address
  const page = readPage(address['page'])
  const client = readText(address['client'])
  return {
    ...(owner === 'all' ? { owner } : {}),
    ...(page === undefined ? {} : { page }),
    ...(client === undefined ? {} : { client }),
    ...(create === true ? { create } : {}),
  }
}
