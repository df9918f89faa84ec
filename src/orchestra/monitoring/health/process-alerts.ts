import { units } from '#executions-api'
import type { MetricsPoint } from '#kernel/metrics-history'
import { type Finding, type Rule, startOfStreak } from './alert.ts'
import type { HealthStats } from './stats.ts'
import { recentAverage, recentErrorRate, thresholds } from './status.ts'

/** Alerts about failing requests, event loop delays, a slow database and cache evictions. */
export const processRules: readonly Rule[] = [
  (stats) => {
    const rate = recentErrorRate(stats)
    if (rate < thresholds.errorRate) return []
    return [
      {
        alert: {
          level: 'critical',
          component: 'orchestrator',
          message: `${units.round(rate, 1)} % of recent requests failed with a server error.`,
          since: startOfStreak(stats.minutes, stats.now, hasErrors),
          impact: 'Callers get errors that they cannot fix.',
        },
        recommendation: 'Search the log for errors; each has a request id.',
      },
    ]
  },

  eventLoopAlerts,

  ({ database: { queryMs, pool }, now }) => {
    if (queryMs < thresholds.queryMs && pool.waiting === 0) return []
    return [
      {
        alert: {
          level: 'warning',
          component: 'database',
          message:
            pool.waiting > 0
              ? `${pool.waiting} callers wait for a database connection.`
              : `A query by key took ${Math.round(queryMs)} ms.`,
          since: units.epochSeconds(now),
          impact: 'Every response is delayed.',
        },
        recommendation:
          pool.waiting > 0
            ? 'Raise DATABASE_POOL_SIZE within the connection limit of the database server.'
            : 'Check the load of the database server and the network to it.',
      },
    ]
  },

  cacheAlerts,
]

function hasErrors({ requests }: MetricsPoint): boolean {
  return requests.count > 0 && (requests.errors / requests.count) * 100 >= thresholds.errorRate
}

function isLate(point: MetricsPoint): boolean {
  return (point.average('event_loop_delay_ms') ?? 0) >= thresholds.eventLoopDelayMs
}

function eventLoopAlerts(stats: HealthStats): readonly Finding[] {
  const delayMs = recentAverage(stats, 'event_loop_delay_ms') ?? 0
  if (delayMs < thresholds.eventLoopDelayMs) return []
  return [
    {
      alert: {
        level: 'warning',
        component: 'orchestrator',
        message: `The event loop is delayed by ${Math.round(delayMs)} ms on average.`,
        since: startOfStreak(stats.minutes, stats.now, isLate),
        impact: 'Every response is delayed by at least that much.',
      },
      recommendation: 'Add a process, and run workers separately from the processes that serve requests.',
    },
  ]
}

function cacheAlerts({ cache, process }: HealthStats): readonly Finding[] {
  const percent = cache.stored === 0 ? 0 : (cache.evicted / cache.stored) * 100
  if (percent < thresholds.evictions) return []
  return [
    {
      alert: {
        level: 'info',
        component: 'cache',
        message: `${units.round(percent, 1)} % of the cached responses were evicted.`,
        since: units.epochSeconds(process.startedAt),
        impact: 'Calls that could be answered from the cache are paid for again.',
      },
      recommendation: 'Raise MODEL_CACHE_SIZE.',
    },
  ]
}
