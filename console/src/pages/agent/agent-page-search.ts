const agentTabs = ['about', 'measured', 'output', 'versions', 'ratings'] as const

export type AgentTab = (typeof agentTabs)[number]

/** The search parameters of an agent's page. */
export interface AgentPageSearch {
  tab?: AgentTab
  /** Another than the current version. */
  version?: number
  run?: true
}

/** Reads the address; what makes no sense is left out. */
export function readAgentPageSearch(address: Record<string, unknown>): AgentPageSearch {
  const tab = agentTabs.find((name) => name === address['tab'] && name !== 'about')
  const version = Number(address['version'])
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(Number.isSafeInteger(version) && version > 0 && version < 2 ** 31 ? { version } : {}),
    ...(address['run'] === true ? { run: true } : {}),
  }
}
