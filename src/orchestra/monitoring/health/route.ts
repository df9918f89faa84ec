import { executionGauges } from '#engine'
import { access, units } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import type { MetricsHistory } from '#kernel/metrics-history'
import type { ProviderView } from '#models'
import { orchestraPrefix } from '../../api.ts'
import { secondsOf } from '../numbers.ts'
import type { MonitoringOptions } from '../options.ts'
import { Health, HealthQuery } from './schemas.ts'
import { type HealthStats, readHealthStats } from './stats.ts'
import {
  type Components,
  componentStatuses,
  configured,
  type Finding,
  isAvailable,
  isQueueStuck,
  overallStatusOf,
  processRules,
  type Rule,
  recentAverage,
  scoreOf,
  startOfStreak,
  thresholds,
  withLanguageModels,
} from './status.ts'

/** The health of all components. */
export function addHealthRoute(routes: HttpServer, options: MonitoringOptions): void {
  routes.get(
    `${orchestraPrefix}/health`,
    {
      config: { access: access.seesFlows },
      schema: {
        operationId: 'readHealth',
        summary: 'Get health',
        description:
          'Returns the status of every component, alerts and recommendations. Responds with 503 while the database is unavailable.',
        querystring: HealthQuery,
        response: { 200: Health },
      },
    },
    async ({ query }, reply) => {
      const now = new Date()
      const stats = await readHealthStats(options, now, { check: query.check_providers })
      const availability = await readAvailability(options.metricsHistory, now)
      const components = componentStatuses(stats)
      const found = findAlerts(stats)
      return reply.header('cache-control', 'no-store').send({
        overall_status: overallStatusOf(components),
        health_score: scoreOf(components, stats),
        components: describeComponents(stats, components),
        performance_metrics: describePerformance(stats, availability),
        alerts: found.map(({ alert }) => alert),
        recommendations: [...new Set(found.map(({ recommendation }) => recommendation))],
        next_maintenance: null,
        timestamp: units.epochSeconds(now),
        ...(query.include_details && { details: describeDetails(stats) }),
      })
    },
  )
}

const order = ['critical', 'warning', 'info'] as const

/** All alerts, the most severe first. */
export function findAlerts(stats: HealthStats): readonly Finding[] {
  return [...queueRules, ...providerRules, ...processRules, ...machineRules]
    .flatMap((rule) => rule(stats))
    .toSorted((one, other) => order.indexOf(one.alert.level) - order.indexOf(other.alert.level))
}

const dayMs = 86_400_000

/** A gauge that every process samples. */
const alwaysSampled = 'load'

/** Percent of the minutes of the last day in which a process ran, since the first known minute; null before it. */
async function readAvailability(metricsHistory: MetricsHistory, now: Date): Promise<number | null> {
  const minutes = await metricsHistory.series({
    from: new Date(now.getTime() - dayMs),
    to: now,
    grain: 'minute',
    gauges: [alwaysSampled],
    requests: false,
  })
  const wasRunning = minutes.map((point) => point.average(alwaysSampled) !== null)
  const first = wasRunning.indexOf(true)
  if (first < 0) return null
  // The current minute has just begun and may have no sample yet.
  const known = wasRunning.slice(first, wasRunning.at(-1) === false ? -1 : undefined)
  return units.percentage(known.filter(Boolean).length, known.length)
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

/** The components with their statistics. */
function describeComponents(stats: HealthStats, status: Components) {
  const { process, processes, queue, database, cache, hour, now } = stats
  const known = configured(stats.providers)
  const online = known.filter((provider) => provider.status === 'online')
  const { total, idle, waiting } = database.pool
  const youngest = Math.max(...processes.map(({ startedAt }) => startedAt.getTime()))
  return {
    orchestrator: {
      status: status.orchestrator,
      response_time: secondsOf(hour.requests.averageMs),
      uptime: units.round((now.getTime() - process.startedAt.getTime()) / 1000, 1),
      last_restart: units.epochSeconds(new Date(youngest)),
    },
    queue_processor: {
      status: status.queue_processor,
      queue_size: queue.pending,
      processing_rate: units.round(queue.perMinute, 2),
      failed_jobs_24h: queue.failedLastDay,
    },
    ai_providers: {
      status: status.ai_providers,
      healthy_providers: online.length,
      total_providers: known.length,
      degraded_providers: known.filter((provider) => provider.status !== 'online').map(({ name }) => name),
    },
    database: {
      status: status.database,
      connection_pool: { total, idle, in_use: total - idle, waiting },
      query_performance: secondsOf(database.queryMs) ?? 0,
      replication_lag: secondsOf(database.replicationLagMs),
    },
    cache: {
      status: status.cache,
      hit_rate: units.percentage(cache.hits, cache.hits + cache.misses),
      memory_usage: cache.enabled ? units.percentage(cache.bytes, cache.maxBytes) : null,
      memory_bytes: cache.bytes,
      eviction_rate: units.percentage(cache.evicted, cache.stored),
    },
  }
}

/** The last hour, and the availability of the day. */
function describePerformance({ hour, minutes }: HealthStats, availability: number | null) {
  const { count, errors, averageMs } = hour.requests
  return {
    avg_response_time: secondsOf(averageMs),
    throughput: units.round(count / Math.max(1, minutes.length), 2),
    error_rate: units.percentage(errors, count),
    availability,
  }
}

/** Processes, workers, providers, APIs and thresholds. */
function describeDetails({ processes, queue, providers, hour }: HealthStats) {
  return {
    processes: processes.map(({ id, host, pid, startedAt, seenAt, sample }) => ({
      id,
      host,
      pid,
      started_at: units.epochSeconds(startedAt),
      seen_at: units.epochSeconds(seenAt),
      cpu_usage: units.round(sample.processCpuPercent, 2),
      memory_bytes: sample.processRssBytes,
      event_loop_delay: units.round(sample.eventLoopDelayMs / 1000, 4),
    })),
    workers: queue.workers.map(({ id, name, alive, heartbeatAt }) => ({
      id,
      name,
      alive,
      heartbeat_at: units.epochSeconds(heartbeatAt),
    })),
    providers: providers.map(({ name, status, responseMs, lastError, checkedAt }) => ({
      name,
      status,
      response_time: secondsOf(responseMs),
      last_error: lastError,
      checked_at: units.epochSeconds(checkedAt),
    })),
    interfaces: hour.interfaces.map(({ name, count, averageMs }) => ({
      name,
      requests: count,
      avg_response_time: secondsOf(averageMs),
    })),
    thresholds: {
      cpu_usage: thresholds.cpu,
      memory_usage: thresholds.memory,
      disk_usage: thresholds.disk,
      error_rate: thresholds.errorRate,
      event_loop_delay: thresholds.eventLoopDelayMs / 1000,
      queue_wait: thresholds.queueWaitMs / 1000,
      query_performance: thresholds.queryMs / 1000,
      eviction_rate: thresholds.evictions,
    },
  }
}
