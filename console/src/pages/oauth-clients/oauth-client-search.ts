import { readPage, readText } from '../../parts/read-search.ts'

/** The search parameters of the OAuth clients page: whose clients, which page, and the one that is open or new. */
export interface OauthClientSearch {
  owner?: 'all'
  page?: number
  client?: string
  create?: true
}

/** Reads the address; what makes no sense is left out. */
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
