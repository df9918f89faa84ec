import { readText } from '../../parts/read-search.ts'

/** The search parameters of the agent editor. */
export interface AgentEditorSearch {
  /** The agent that a new one begins as a copy of. */
  from?: string
  view?: 'json'
  /** The execution of the last test run. */
  test?: string
}

/** Parses the search parameters and drops invalid values. */
export function readAgentEditorSearch(address: Record<string, unknown>): AgentEditorSearch {
  const from = readText(address['from'])
  const test = readText(address['test'])
  return {
    ...(from === undefined ? {} : { from }),
    ...(address['view'] === 'json' ? { view: 'json' } : {}),
    ...(test === undefined ? {} : { test }),
  }
}
