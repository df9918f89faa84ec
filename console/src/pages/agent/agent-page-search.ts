const agentTabs = ['about', 'measured', 'output', 'versions', 'ratings'] as const

export type AgentTab = (typeof agentTabs)[number]

/** The search parameters of an agent's page. */
export interface AgentPageSearch {
  tab?: AgentTab
  /** The selected version; absent for the current one. */
  version?: number
  run?: true
}

/** Parses the search parameters and drops invalid values. */
export function readAgentPageSearch(address: Record<string, unknown>): AgentPageSearch {
  const tab = agentTabs.find((name) => name === address['tab'] && name !== 'about')
  const version = Number(address['version'])
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(Number.isSafeInteger(version) && version > 0 && version < 2 ** 31 ? { version } : {}),
    ...(address['run'] === true ? { run: true } : {}),
  }
}
