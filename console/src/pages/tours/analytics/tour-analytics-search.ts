/** The timeframes of the page, as the address names them. */
export const timeframes = [
  { name: '7d', title: '7 days' },
  { name: '30d', title: '30 days' },
  { name: '90d', title: '90 days' },
  { name: 'all', title: 'All' },
] as const

export type Timeframe = (typeof timeframes)[number]['name']

export const usualTimeframe: Timeframe = '30d'

/** The search parameters of the page. */
export interface TourAnalyticsSearch {
  timeframe?: Timeframe
}

/** Reads the address; the default timeframe and invalid values are left out. */
export function readTourAnalyticsSearch(address: Record<string, unknown>): TourAnalyticsSearch {
  const found = timeframes.find(({ name }) => name === address['timeframe'])
  return found === undefined || found.name === usualTimeframe ? {} : { timeframe: found.name }
}
