import { readText } from '../../parts/read-search.ts'

/** The search parameters of the list of workflows. */
export interface WorkflowSearch {
  search?: string
  tag?: string
  /** Only workflows with agent steps. */
  kind?: 'agents'
  /** Only built-in workflows, or only the user's own. */
  which?: 'built_in' | 'mine'
  /** Only disabled workflows. */
  state?: 'disabled'
  /** The order of the list, such as `-changed`. */
  sort?: string
  import?: true
  /** Opens the form that makes a workflow of agents; the text is the first agent. */
  agents?: string | true
}

/** Parses the search parameters and drops invalid values. */
export function readWorkflowSearch(address: Record<string, unknown>): WorkflowSearch {
  const search = readText(address['search'])
  const tag = readText(address['tag'])
  const sort = readText(address['sort'])
  const agents = address['agents'] === true ? true : readText(address['agents'])
  const which = (['built_in', 'mine'] as const).find((name) => name === address['which'])
  return {
    ...(search === undefined || search.length > 200 ? {} : { search }),
    ...(tag === undefined || tag.length > 200 ? {} : { tag }),
    ...(address['kind'] === 'agents' ? { kind: 'agents' } : {}),
    ...(which === undefined ? {} : { which }),
    ...(address['state'] === 'disabled' ? { state: 'disabled' } : {}),
    ...(sort === undefined || sort.length > 20 ? {} : { sort }),
    ...(address['import'] === true ? { import: true } : {}),
    ...(agents === undefined ? {} : { agents }),
  }
}
