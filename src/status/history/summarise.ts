import type { ServiceName } from '../services/service.ts'
import type { Counts, HistoryBar, ServiceHistory } from './history-report.ts'
import { timeAt } from './took.ts'

/** What was seen of a service from a moment on, added up. */
export interface SummedBar extends Omit<Counts, 'checks'> {
  readonly service: ServiceName
  readonly at: number
  readonly timed: number
  readonly sum: number
  readonly max: number
}

/** The whole of a time, from its bars and from how many probes took how long. */
export function summarise(
  service: ServiceName,
  rows: readonly SummedBar[],
  took: readonly number[],
  moments: readonly number[],
): ServiceHistory {
  const byTime = new Map(rows.map((row) => [row.at, row]))
  const maxMs = rows.some(({ timed }) => timed > 0) ? Math.max(...rows.map(({ max }) => max)) : null
  const timed = rows.reduce((count, row) => count + row.timed, 0)
  const at = (share: number) => {
    const ms = timeAt(took, share)
    if (ms === null || maxMs === null) return ms
    // No probe was shorter than it must have been if all the others took as long as the longest.
    const atLeastMs = rows.reduce((sum, row) => sum + row.sum, 0) - (timed - 1) * maxMs
    return Math.max(atLeastMs, Math.min(ms, maxMs))
  }
  return {
    service,
    ...figuresOf(rows),
    p50: at(0.5),
    p95: at(0.95),
    p99: at(0.99),
    maxMs,
    bars: moments.map((moment) => {
      const row = byTime.get(moment)
      return barOf(new Date(moment), row === undefined ? [] : [row])
    }),
  }
}

function barOf(at: Date, rows: readonly SummedBar[]): HistoryBar {
  const figures = figuresOf(rows)
  return { at, ...figures, state: stateOf(figures) }
}

function figuresOf(
  rows: readonly SummedBar[],
): Counts & { readonly uptime: number | null; readonly averageMs: number | null } {
  const sumOf = (field: 'online' | 'degraded' | 'offline' | 'timed' | 'sum') =>
    rows.reduce((sum, row) => sum + row[field], 0)
  const [online, degraded, offline, timed] = [
    sumOf('online'),
    sumOf('degraded'),
    sumOf('offline'),
    sumOf('timed'),
  ]
  const checks = online + degraded + offline
  return {
    checks,
    online,
    degraded,
    offline,
    uptime: checks === 0 ? null : (100 * (online + degraded)) / checks,
    averageMs: timed === 0 ? null : sumOf('sum') / timed,
  }
}

/**
 * A bar has one colour.
 *
 * | of its probes                              | it is    |
 * |--------------------------------------------|----------|
 * | there are none                             | none     |
 * | more than half were offline                | offline  |
 * | more than one of a hundred were not online | degraded |
 * | any other                                  | online   |
 */
function stateOf({ checks, online, offline }: Counts): HistoryBar['state'] {
  if (checks === 0) return 'none'
  if (offline * 2 > checks) return 'offline'
  return (checks - online) * 100 > checks ? 'degraded' : 'online'
}
