import { readText } from '../../parts/read-search.ts'

export const timeframes = ['24h', '7d', '30d'] as const
export type Timeframe = (typeof timeframes)[number]

/** The search parameters of the overview. */
export interface OverviewSearch {
  tab?: 'system'
  /** Default: 24 hours. */
  timeframe?: Exclude<Timeframe, '24h'>
  /** The zoomed part of the charts: the starts of its first and last bucket. */
  from?: string
  to?: string
}

/** Parses the search parameters and drops invalid values. */
export function readOverviewSearch(address: Record<string, unknown>): OverviewSearch {
  if (address['tab'] === 'system') return { tab: 'system' }
  const timeframe = timeframes.find((name) => name === address['timeframe'])
  const [from, to] = [readMoment(address['from']), readMoment(address['to'])]
  return {
    ...(timeframe === undefined || timeframe === '24h' ? {} : { timeframe }),
    ...(from === undefined || to === undefined || to <= from ? {} : { from, to }),
  }
}

function readMoment(value: unknown): string | undefined {
  const text = readText(value)
  const at = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(at) ? undefined : new Date(at).toISOString()
}
