import type { VitalsPoint } from '#kernel/vitals'
import { epochSeconds } from '#runs'
import { rounded } from '../numbers.ts'
import type { Facts } from './facts.ts'
import { type Finding, type Rule, sinceWhen } from './finding.ts'
import { recentAverage, recentErrorRate, thresholds } from './judge.ts'

/** Requests that fail, processes that are late, a database that is slow, a memory that is too small. */
export const processRules: readonly Rule[] = [
  (facts) => {
    const rate = recentErrorRate(facts)
    if (rate < thresholds.errorRate) return []
    return [
      {
        alert: {
          level: 'critical',
          component: 'orchestrator',
          message: `${rounded(rate, 1)} % of the requests of the last minutes failed by our fault.`,
          since: sinceWhen(facts.minutes, facts.now, hasErrors),
          impact: 'Callers get errors they can do nothing about.',
        },
        recommendation: 'Look for errors in the log; each has the id of its request.',
      },
    ]
  },

  aboutLoop,

  ({ database: { queryMs, pool }, now }) => {
    if (queryMs < thresholds.queryMs && pool.waiting === 0) return []
    return [
      {
        alert: {
          level: 'warning',
          component: 'database',
          message:
            pool.waiting > 0
              ? `${pool.waiting} callers wait for a connection to the database.`
              : `A query by key took ${Math.round(queryMs)} ms.`,
          since: epochSeconds(now),
          impact: 'Every answer waits for it.',
        },
        recommendation:
          pool.waiting > 0
            ? 'Raise DATABASE_POOL_SIZE, as far as the server takes connections.'
            : 'Look at the load of the database server, and at the network to it.',
      },
    ]
  },

  aboutCache,
]

function hasErrors({ requests }: VitalsPoint): boolean {
  return requests.count > 0 && (requests.errors / requests.count) * 100 >= thresholds.errorRate
}

function isLate(point: VitalsPoint): boolean {
  return (point.average('event_loop_delay_ms') ?? 0) >= thresholds.eventLoopDelayMs
}

function aboutLoop(facts: Facts): readonly Finding[] {
  const delayMs = recentAverage(facts, 'event_loop_delay_ms') ?? 0
  if (delayMs < thresholds.eventLoopDelayMs) return []
  return [
    {
      alert: {
        level: 'warning',
        component: 'orchestrator',
        message: `Processes come to their work ${Math.round(delayMs)} ms late on the average.`,
        since: sinceWhen(facts.minutes, facts.now, isLate),
        impact: 'Every answer takes at least that much longer.',
      },
      recommendation: 'Add a process, and let workers run apart from those that answer requests.',
    },
  ]
}

function aboutCache({ cache, process }: Facts): readonly Finding[] {
  const percent = cache.stored === 0 ? 0 : (cache.evicted / cache.stored) * 100
  if (percent < thresholds.evictions) return []
  return [
    {
      alert: {
        level: 'info',
        component: 'cache',
        message: `${rounded(percent, 1)} % of the remembered answers made room for others.`,
        since: epochSeconds(process.startedAt),
        impact: 'Calls that could be answered from memory are paid for again.',
      },
      recommendation: 'Raise MODEL_CACHE_SIZE.',
    },
  ]
}
