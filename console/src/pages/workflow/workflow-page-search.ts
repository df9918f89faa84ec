import { readText } from '../../parts/read-search.ts'
import { type Timeframe, timeframes } from '../overview/overview-search.ts'

const flowTabs = [
  'graph',
  'steps',
  'definition',
  'runs',
  'versions',
  'schedules',
  'triggers',
  'tests',
  'api',
] as const

export type FlowTab = (typeof flowTabs)[number]

/** The search parameters of a flow's page. */
export interface WorkflowPageSearch {
  tab?: FlowTab
  /** The selected version; absent for the current one. */
  version?: number
  /** The order of the runs: `-duration` is the longest first. */
  sort?: string
  /** The period of the statistics. Default: 30 days. */
  timeframe?: Exclude<Timeframe, '30d'>
  run?: true
}

/** Parses the search parameters and drops invalid values. */
export function readWorkflowPageSearch(address: Record<string, unknown>): WorkflowPageSearch {
  const tab = flowTabs.find((name) => name === address['tab'] && name !== 'graph')
  const version = Number(address['version'])
  const timeframe = timeframes.find((name) => name === address['timeframe'])
  const sort = readText(address['sort'])
  return {
    ...(tab === undefined ? {} : { tab }),
    ...(Number.isSafeInteger(version) && version > 0 && version < 2 ** 31 ? { version } : {}),
    ...(sort === undefined ? {} : { sort }),
    ...(timeframe === undefined || timeframe === '30d' ? {} : { timeframe }),
    ...(address['run'] === true ? { run: true } : {}),
  }
}
