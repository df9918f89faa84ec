import { readPage, readText } from '../../parts/read-search.ts'

/** The search parameters of the Users page: the filter, the page, and the account that is open or being added. */
export interface UserSearch {
  search?: string
  /** The order of the list, such as `-last_login`. */
  sort?: string
  page?: number
  user?: string
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readUserSearch(address: Record<string, unknown>): UserSearch {
  const { search, page, user, create } = address
  const text = readText(search)?.slice(0, 200)
  const sort = readText(address['sort'])
  const pageNumber = readPage(page)
  const id = readText(user)
  return {
    ...(text === undefined ? {} : { search: text }),
    ...(sort === undefined || sort.length > 20 ? {} : { sort }),
    ...(pageNumber === undefined ? {} : { page: pageNumber }),
    ...(id === undefined ? {} : { user: id }),
    ...(create === true ? { create } : {}),
  }
}
