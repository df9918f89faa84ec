import { readText } from '../../parts/read-search.ts'

/** The search parameters of the Cluster page: the node that is open, and whether one is being added. */
export interface ClusterSearch {
  node?: string
  create?: true
}

/** Reads the address; what makes no sense is left out. */
export function readClusterSearch({ node, create }: Record<string, unknown>): ClusterSearch {
  const id = readText(node)
  return { ...(id === undefined ? {} : { node: id }), ...(create === true ? { create } : {}) }
}
