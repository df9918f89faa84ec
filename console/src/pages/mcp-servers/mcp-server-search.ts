import { readText } from '../../parts/read-search.ts'

/** The search parameters of the page: the open server, and whether the form of a new server is open. */
export interface McpServerSearch {
  server?: string
  create?: true
}

/** Parses the search parameters and drops invalid values. */
export function readMcpServerSearch(address: Record<string, unknown>): McpServerSearch {
  const server = readText(address['server'])
  return {
    ...(server === undefined ? {} : { server }),
    ...(address['create'] === true ? { create: true } : {}),
  }
}
