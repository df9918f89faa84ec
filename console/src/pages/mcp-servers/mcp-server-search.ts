import { readText } from '../../parts/read-search.ts'

/** The search parameters of the page: the server that is open, or the one that is being added. */
export interface McpServerSearch {
  server?: string
  create?: true
}

/** Reads the address; what makes no sense is left out. */
export function readMcpServerSearch(address: Record<string, unknown>): McpServerSearch {
  const server = readText(address['server'])
  return {
    ...(server === undefined ? {} : { server }),
    ...(address['create'] === true ? { create: true } : {}),
  }
}
