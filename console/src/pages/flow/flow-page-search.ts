const flowTabs = ['graph', 'steps', 'definition', 'versions'] as const

/** The search parameters of a flow's page. */
export interface FlowPageSearch {
  tab?: (typeof flowTabs)[number]
  /** Another than the current version. */
  version?: number
  run?: true
}

/** Reads the address; what makes no sense is left out. */
export function readFlowPageSearch(address: Record<string, unknown>): FlowPageSearch {
  const tab = flowTabs.find((name) => name === address['tab'] && name !== 'graph')
  const version = Number(address['version'])
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(Number.isSafeInteger(version) && version > 0 && version < 2 ** 31 ? { version } : {}),
    ...(address['run'] === true ? { run: true } : {}),
  }
}
