import { readText } from '../../parts/read-search.ts'
import { type RangeName, readRange } from './ranges.ts'
import type { Outcome } from './usage-queries.ts'

/** The metric of the chart. */
export type Measure = 'cost' | 'tokens' | 'calls'

/** The dimension that the chart groups by. */
export type Group = (typeof groups)[number]

export const groups = ['model', 'provider', 'key', 'tag'] as const

/** The search parameters of the Usage page. */
export interface UsageSearch {
  range?: RangeName
  /** The account; the user's own when absent, all accounts with `all`. */
  account?: string
  measure?: Measure
  by?: Exclude<Group, 'model'>
  /** The API key whose usage is shown; all when absent. */
  key?: string
  /** The filters of the listed calls. */
  model?: string
  tag?: string
  outcome?: Outcome
  /** The open call. */
  call?: string
}

const outcomes = ['answered', 'failed', 'cancelled', 'lost'] as const
const measures = ['cost', 'tokens', 'calls'] as const
const callId = /^[\da-f]{8}-(?:[\da-f]{4}-){3}[\da-f]{12}$/

/** Parses the search parameters and drops invalid values. */
export function readUsageSearch(address: Record<string, unknown>): UsageSearch {
  const range = readRange(address['range'])
  const account = readText(address['account'])
  const key = readText(address['key'])
  const model = readText(address['model'])
  const tag = readText(address['tag'])
  const by = groups.find((name) => name === address['by'])
  const measure = measures.find((name) => name === address['measure'])
  const outcome = outcomes.find((name) => name === address['outcome'])
  const call = readText(address['call'])
  return {
    ...(range === undefined ? {} : { range }),
    ...(account === undefined || account.length > 64 ? {} : { account }),
    ...(measure === undefined ? {} : { measure }),
    ...(by === undefined || by === 'model' ? {} : { by }),
    ...(key === undefined || key.length > 64 ? {} : { key }),
    ...(model === undefined || model.length > 512 ? {} : { model }),
    ...(tag === undefined || tag.length > 64 ? {} : { tag }),
    ...(outcome === undefined ? {} : { outcome }),
    ...(call !== undefined && callId.test(call) ? { call } : {}),
  }
}
