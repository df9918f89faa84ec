import type { ServiceName } from '../services/service.ts'

/** The periods that can be queried. */
export const historyRanges = ['24h', '30d', '90d'] as const

export type HistoryRange = (typeof historyRanges)[number]

/** Number of probes by result. `checks` is the sum of the others. */
export interface Counts {
  readonly checks: number
  readonly online: number
  readonly degraded: number
  readonly offline: number
}

/** A quarter of an hour (24h) or a day in UTC (30d, 90d). `none`: no probes. */
export interface HistoryBar extends Counts {
  readonly at: Date
  readonly state: 'online' | 'degraded' | 'offline' | 'none'
  /** Percentage of probes that were not offline; null without probes. */
  readonly uptime: number | null
  readonly averageMs: number | null
}

/** The history of one service. Times are in milliseconds; null without measurements. */
export interface ServiceHistory extends Counts {
  readonly service: ServiceName
  readonly uptime: number | null
  readonly averageMs: number | null
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly maxMs: number | null
  /** The earliest first; the number depends only on the range. */
  readonly bars: readonly HistoryBar[]
}

export interface HistoryQuery {
  /** Default: all services. */
  readonly service?: ServiceName | undefined
  readonly range: HistoryRange
  /** End of the period. Default: now. */
  readonly to?: Date | undefined
}

/** The stored results of probes. */
export interface History {
  /** In display order. */
  read(query: HistoryQuery): Promise<readonly ServiceHistory[]>
}
