import { readPage, readText } from '../../parts/read-search.ts'

/** The search parameters of the Users page: the filter, the page, and the account that is open or being added. */
export interface UserSearch {
  search?: string
  page?: number
  user?: string
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readUserSearch({ search, page, user, create }: Record<string, unknown>): UserSearch {
  const text = readText(search)?.slice(0, 200)
  const pageNumber = readPage(page)
  const id = readText(user)
  return {
    ...(text === undefined ? {} : { search: text }),
    ...(pageNumber === undefined ? {} : { page: pageNumber }),
    ...(id === undefined ? {} : { user: id }),
    ...(create === true ? { create } : {}),
  }
}
