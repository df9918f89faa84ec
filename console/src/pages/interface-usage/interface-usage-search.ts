/** The time ranges in days; 30 is the default. */
export const interfaceUsageDays = [7, 30, 90] as const

export type InterfaceUsageDays = (typeof interfaceUsageDays)[number]

export const usualInterfaceUsageDays: InterfaceUsageDays = 30

/** The search parameters of the Interface usage page. */
export interface InterfaceUsageSearch {
  days?: InterfaceUsageDays
}

/** Parses the search parameters and drops invalid values. */
export function readInterfaceUsageSearch(address: Record<string, unknown>): InterfaceUsageSearch {
  const days = interfaceUsageDays.find((it) => it === address['days'] && it !== usualInterfaceUsageDays)
  return days === undefined ? {} : { days }
}
