/** The search parameters of the overview. */
export interface OverviewSearch {
  tab?: 'system'
}

/** Parses the search parameters and drops invalid values. */
export function readOverviewSearch({ tab }: Record<string, unknown>): OverviewSearch {
  return tab === 'system' ? { tab } : {}
}
