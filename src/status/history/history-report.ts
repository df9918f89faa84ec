import type { ServiceName } from '../services/service.ts'

/** How far back is looked. */
export const historyRanges = ['24h', '30d', '90d'] as const

export type HistoryRange = (typeof historyRanges)[number]

/** How many probes of some time saw a service how. `checks` is the sum of the others. */
export interface Counts {
  readonly checks: number
  readonly online: number
  readonly degraded: number
  readonly offline: number
}

/** A quarter of an hour (24h) or a day in UTC (30d, 90d). `none`: nobody looked. */
export interface HistoryBar extends Counts {
  readonly at: Date
  readonly state: 'online' | 'degraded' | 'offline' | 'none'
  /** Percent of the probes that were not offline; null when nobody looked. */
  readonly uptime: number | null
  readonly averageMs: number | null
}

/** How a service was over a time. Times are in milliseconds; null when nothing was measured. */
export interface ServiceHistory extends Counts {
  readonly service: ServiceName
  readonly uptime: number | null
  readonly averageMs: number | null
  readonly p50: number | null
  readonly p95: number | null
  readonly p99: number | null
  readonly maxMs: number | null
  /** The earliest first; always as many as the range has. */
  readonly bars: readonly HistoryBar[]
}

export interface HistoryQuery {
  /** All of them when absent. */
  readonly service?: ServiceName | undefined
  readonly range: HistoryRange
  /** Up to when; now when absent. */
  readonly to?: Date | undefined
}

/** What is kept of the probes. */
export interface History {
  /** In the order of the services. */
  read(query: HistoryQuery): Promise<readonly ServiceHistory[]>
}
