import { executionGauges } from '#engine'
import { units } from '#executions-api'
import type { ProviderView } from '#models'
import type { HealthStats } from './stats.ts'
import {
  type Finding,
  isAvailable,
  isQueueStuck,
  processRules,
  type Rule,
  recentAverage,
  startOfStreak,
  thresholds,
  withLanguageModels,
} from './status.ts'

const order = ['critical', 'warning', 'info'] as const

/** All alerts, the most severe first. */
export function findAlerts(stats: HealthStats): readonly Finding[] {
  return [...queueRules, ...providerRules, ...processRules, ...machineRules]
    .flatMap((rule) => rule(stats))
    .toSorted((one, other) => order.indexOf(one.alert.level) - order.indexOf(other.alert.level))
}

/** Alerts about configured providers that are degraded or offline. */
const providerRules: readonly Rule[] = [
  ({ providers }) =>
    withLanguageModels(providers)
      .filter(({ status }) => status !== 'online')
      .map((provider) => providerAlert(provider, providers)),
]

function providerAlert(provider: ProviderView, all: readonly ProviderView[]): Finding {
  const { name, status, lastError, changedAt } = provider
  const left = withLanguageModels(all).filter(isAvailable)
  const isLast = left.length === 0
  const others = left.filter((other) => other.name !== name).map((other) => other.name)
  return {
    alert: {
      level: isLast ? 'critical' : 'warning',
      component: 'ai_providers',
      message: `Provider ${name} is ${status}${lastError === null ? '.' : `: ${lastError}`}`,
      since: units.epochSeconds(changedAt),
      impact: isLast
        ? 'No language model is available; only the built-in analysis responds.'
        : status === 'degraded'
          ? 'Its responses may be slow or fail.'
          : `Its models are unavailable; ${others.join(' and ')} can be used.`,
    },
    recommendation:
      status === 'offline'
        ? `Check the address and the key of ${name}, and allow a fallback to other providers.`
        : `Watch ${name}, and prefer another provider for urgent steps.`,
  }
}

/** Alerts about missing workers and long queue waits. */
const queueRules: readonly Rule[] = [
  ({ queue, now }) =>
    queue.workers.some(({ alive }) => alive)
      ? []
      : [
          {
            alert: {
              level: 'critical',
              component: 'queue_processor',
              message: 'No worker runs executions.',
              since: units.epochSeconds(queue.workers.at(-1)?.heartbeatAt ?? now),
              impact: `No execution starts; ${queue.pending} executions wait.`,
            },
            recommendation: 'Start a process with the role `all` or `worker`, and check its log if it ended.',
          },
        ],

  (stats) => {
    const { queue, minutes, now } = stats
    const stuck = isQueueStuck(stats)
    if (!stuck && (queue.waitMs ?? 0) < thresholds.queueWaitMs) return []
    const minutesLeft = Math.round((queue.waitMs ?? 0) / 60_000)
    return [
      {
        alert: {
          level: 'warning',
          component: 'queue_processor',
          message: stuck
            ? `${queue.due} executions wait for a worker, and none runs.`
            : `${queue.due} executions wait for a worker.`,
          since: startOfStreak(minutes, now, (point) => (point.average(executionGauges.queued) ?? 0) >= 1),
          impact: stuck ? 'No execution starts.' : `A new execution starts in about ${minutesLeft} minutes.`,
        },
        recommendation: 'Add a worker, or raise TUTTI_EXECUTION_CONCURRENCY where the machine has capacity.',
      },
    ]
  },
]

/** Alerts about CPU, memory and disk usage. */
const machineRules: readonly Rule[] = [
  (stats) =>
    atLimit(stats, {
      gauge: 'cpu_percent',
      what: 'CPU:',
      limit: thresholds.cpu,
      value: recentAverage(stats, 'cpu_percent'),
      impact: 'Responses and executions take longer.',
      recommendation: 'Add a process on another machine, or lower TUTTI_EXECUTION_CONCURRENCY.',
    }),

  (stats) =>
    atLimit(stats, {
      gauge: 'memory_percent',
      what: 'Memory:',
      limit: thresholds.memory,
      value: stats.process.sample.memoryPercent,
      impact: 'The system may kill processes; other workers take over their executions.',
      recommendation:
        'Give the machine more memory, or lower MODEL_CACHE_SIZE and TUTTI_EXECUTION_CONCURRENCY.',
    }),

  (stats) =>
    atLimit(stats, {
      gauge: 'disk_percent',
      what: 'Disk of the data folder:',
      limit: thresholds.disk,
      value: stats.process.sample.diskPercent,
      impact: 'A full disk stops the embedded database.',
      recommendation: 'Free disk space, or shorten TUTTI_EXECUTION_RETENTION and EVENT_RETENTION.',
    }),
]

function atLimit(
  stats: HealthStats,
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
        message: `${what} ${units.round(value, 1)} % in use.`,
        since: startOfStreak(stats.minutes, stats.now, (point) => (point.average(gauge) ?? 0) >= limit),
        impact,
      },
      recommendation,
    },
  ]
}
