const flowTabs = ['graph', 'steps', 'definition', 'versions'] as const

/** The search parameters of a flow's page. */
export interface WorkflowPageSearch {
  tab?: (typeof flowTabs)[number]
  /** The selected version; absent for the current one. */
  version?: number
  run?: true
}

/** Parses the search parameters and drops invalid values. */
export function readWorkflowPageSearch(address: Record<string, unknown>): WorkflowPageSearch {
  const tab = flowTabs.find((name) => name === address['tab'] && name !== 'graph')
  const version = Number(address['version'])
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(Number.isSafeInteger(version) && version > 0 && version < 2 ** 31 ? { version } : {}),
    ...(address['run'] === true ? { run: true } : {}),
  }
}
