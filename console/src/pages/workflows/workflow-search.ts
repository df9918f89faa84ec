import { readText } from '../../parts/read-search.ts'

/** The search parameters of the list of workflows. */
export interface WorkflowSearch {
  search?: string
  tag?: string
  /** Only workflows with agent steps. */
  kind?: 'agents'
  /** Only built-in workflows, or only the user's own. */
  which?: 'built_in' | 'mine'
  /** The order of the list, such as `-changed`. */
  sort?: string
  import?: true
}

/** Parses the search parameters and drops invalid values. */
export function readWorkflowSearch(address: Record<string, unknown>): WorkflowSearch {
  const search = readText(address['search'])
  const tag = readText(address['tag'])
  const sort = readText(address['sort'])
  const which = (['built_in', 'mine'] as const).find((name) => name === address['which'])
  return {
    ...(search === undefined || search.length > 200 ? {} : { search }),
    ...(tag === undefined || tag.length > 200 ? {} : { tag }),
    ...(address['kind'] === 'agents' ? { kind: 'agents' } : {}),
    ...(which === undefined ? {} : { which }),
    ...(sort === undefined || sort.length > 20 ? {} : { sort }),
    ...(address['import'] === true ? { import: true } : {}),
  }
}
