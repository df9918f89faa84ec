import { rounded } from '../numbers.ts'
import type { Facts } from './facts.ts'
import { type Finding, type Rule, sinceWhen } from './finding.ts'
import { recentAverage, thresholds } from './judge.ts'

/** Machines at their limits. */
export const machineRules: readonly Rule[] = [
  (facts) =>
    atLimit(facts, {
      gauge: 'cpu_percent',
      what: 'The processors are',
      limit: thresholds.cpu,
      value: recentAverage(facts, 'cpu_percent'),
      impact: 'Answers and executions take longer.',
      recommendation: 'Add a process on another machine, or lower TUTTI_EXECUTION_CONCURRENCY.',
    }),

  (facts) =>
    atLimit(facts, {
      gauge: 'memory_percent',
      what: 'The memory is',
      limit: thresholds.memory,
      value: facts.process.sample.memoryPercent,
      impact: 'The system may end processes; their executions are taken up by others.',
      recommendation:
        'Give the machine more memory, or lower MODEL_CACHE_SIZE and TUTTI_EXECUTION_CONCURRENCY.',
    }),

  (facts) =>
    atLimit(facts, {
      gauge: 'disk_percent',
      what: 'The disk of the data folder is',
      limit: thresholds.disk,
      value: facts.process.sample.diskPercent,
      impact: 'A full disk stops the embedded database.',
      recommendation: 'Make room, or shorten TUTTI_EXECUTION_RETENTION and EVENT_RETENTION.',
    }),
]

function atLimit(
  facts: Facts,
  about: {
    readonly gauge: string
    readonly what: string
    readonly limit: number
    readonly value: number | null
    readonly impact: string
    readonly recommendation: string
  },
): readonly Finding[] {
  const { gauge, what, limit, value, impact, recommendation } = about
  if (value === null || value < limit) return []
  return [
    {
      alert: {
        level: value >= 97 ? 'critical' : 'warning',
        component: 'orchestrator',
        message: `${what} ${rounded(value, 1)} % in use.`,
        since: sinceWhen(facts.minutes, facts.now, (point) => (point.average(gauge) ?? 0) >= limit),
        impact,
      },
      recommendation,
    },
  ]
}
