import { readText } from '../../parts/read-search.ts'

const agentCategories = ['content', 'seo', 'validation', 'transformation', 'analysis'] as const

/** The search parameters of the catalogue of agents. */
export interface AgentSearch {
  search?: string
  category?: (typeof agentCategories)[number]
}

/** Parses the search parameters and drops invalid values. */
export function readAgentSearch(address: Record<string, unknown>): AgentSearch {
  const search = readText(address['search'])?.slice(0, 200)
  const category = agentCategories.find((name) => name === address['category'])
  return {
    ...(search === undefined ? {} : { search }),
    ...(category === undefined ? {} : { category }),
  }
}
