import { readPage, readText } from '../../parts/read-search.ts'

/** The search parameters of the Connections page: the list, its page, and the open or new entry. */
export interface ConnectionSearch {
  list?: 'secrets'
  page?: number
  name?: string
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readConnectionSearch(address: Record<string, unknown>): ConnectionSearch {
  const { list, create } = address
  const page = readPage(address['page'])
  const name = readText(address['name'])
  return {
    ...(list === 'secrets' ? { list } : {}),
    ...(page === undefined ? {} : { page }),
    ...(name === undefined ? {} : { name }),
    ...(create === true ? { create } : {}),
  }
}
