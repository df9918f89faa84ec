import { readText } from '../../parts/read-search.ts'

/** The two executions that are compared. */
export interface CompareSearch {
  a?: string
  b?: string
}

export function readCompareSearch(address: Record<string, unknown>): CompareSearch {
  const [a, b] = [readText(address['a']), readText(address['b'])]
  return { ...(a === undefined ? {} : { a }), ...(b === undefined ? {} : { b }) }
}
