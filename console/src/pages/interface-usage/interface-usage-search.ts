/** How many days back one can look; thirty go without saying. */
export const interfaceUsageDays = [7, 30, 90] as const

export type InterfaceUsageDays = (typeof interfaceUsageDays)[number]

export const usualInterfaceUsageDays: InterfaceUsageDays = 30

/** The search parameters of the Interface usage page. */
export interface InterfaceUsageSearch {
  days?: InterfaceUsageDays
}

/** Reads the address; what makes no sense is left out. */
export function readInterfaceUsageSearch(address: Record<string, unknown>): InterfaceUsageSearch {
  const days = interfaceUsageDays.find((it) => it === address['days'] && it !== usualInterfaceUsageDays)
  return days === undefined ? {} : { days }
}
