/** The search parameters of the overview. */
export interface OverviewSearch {
  tab?: 'system'
}

/** Reads the address; what makes no sense is left out. */
export function readOverviewSearch({ tab }: Record<string, unknown>): OverviewSearch {
  return tab === 'system' ? { tab } : {}
}
