import { readText } from '../../parts/read-search.ts'

/** The search parameters of the comparison: the two executions. */
export interface CompareSearch {
  a?: string
  b?: string
}

export function readCompareSearch(address: Record<string, unknown>): CompareSearch {
  const [a, b] = [readText(address['a']), readText(address['b'])]
  return { ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) }
}
