import { access, units } from '#executions-api'
import type { HttpServer } from '#kernel/http'
import type { MetricsHistory } from '#kernel/metrics-history'
import { orchestraPrefix } from '../../api.ts'
import { secondsOf } from '../numbers.ts'
import type { MonitoringOptions } from '../options.ts'
import { findAlerts } from './alerts.ts'
import { Health, HealthQuery } from './schemas.ts'
import { type HealthStats, readHealthStats } from './stats.ts'
import {
  type Components,
  componentStatuses,
  configured,
  overallStatusOf,
  scoreOf,
  thresholds,
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
