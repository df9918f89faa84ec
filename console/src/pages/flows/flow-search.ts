import { readPage, readText } from '../../parts/read-search.ts'

/** The search parameters of the list of flows. */
export interface FlowSearch {
  search?: string
  tag?: string
  /** Only built-in flows, or only the user's own. */
  which?: 'built_in' | 'mine'
  page?: number
  import?: true
}

/** Parses the search parameters and drops invalid values. */
export function readFlowSearch(address: Record<string, unknown>): FlowSearch {
  const search = readText(address['search'])
  const tag = readText(address['tag'])
  const which = (['built_in', 'mine'] as const).find((name) => name === address['which'])
  const page = readPage(address['page'])
  return {
    ...(search === undefined || search.length > 200 ? {} : { search }),
    ...(tag === undefined || tag.length > 200 ? {} : { tag }),
    ...(which === undefined ? {} : { which }),
    ...(page === undefined ? {} : { page }),
    ...(address['import'] === true ? { import: true } : {}),
  }
}
