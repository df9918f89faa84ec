import { epochSeconds } from '#runs'
import { percentOf, rounded, secondsOf } from '../numbers.ts'
import { configured } from '../providers.ts'
import type { Facts } from './facts.ts'
import { type Components, thresholds } from './judge.ts'

/** Each component with its own numbers. */
export function describeComponents(facts: Facts, status: Components) {
  const { process, processes, queue, database, cache, hour, now } = facts
  const known = configured(facts.providers)
  const online = known.filter((provider) => provider.status === 'online')
  const { total, idle, waiting } = database.pool
  const youngest = Math.max(...processes.map(({ startedAt }) => startedAt.getTime()))
  return {
    orchestrator: {
      status: status.orchestrator,
      response_time: secondsOf(hour.requests.averageMs),
      uptime: rounded((now.getTime() - process.startedAt.getTime()) / 1000, 1),
      last_restart: epochSeconds(new Date(youngest)),
    },
    queue_processor: {
      status: status.queue_processor,
      queue_size: queue.pending,
      processing_rate: rounded(queue.perMinute),
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
      hit_rate: percentOf(cache.hits, cache.hits + cache.misses),
      memory_usage: cache.enabled ? percentOf(cache.bytes, cache.mostBytes) : null,
      memory_bytes: cache.bytes,
      eviction_rate: percentOf(cache.evicted, cache.stored),
    },
  }
}

/** The last hour, and how much of the day somebody was there. */
export function describePerformance({ hour, minutes }: Facts, availability: number | null) {
  const { count, errors, averageMs } = hour.requests
  return {
    avg_response_time: secondsOf(averageMs),
    throughput: rounded(count / Math.max(1, minutes.length)),
    error_rate: percentOf(errors, count),
    availability,
  }
}

/** What is behind the numbers, one by one. */
export function describeDetails({ processes, queue, providers, hour }: Facts) {
  return {
    processes: processes.map(({ id, host, pid, startedAt, seenAt, sample }) => ({
      id,
      host,
      pid,
      started_at: epochSeconds(startedAt),
      seen_at: epochSeconds(seenAt),
      cpu_usage: rounded(sample.processCpuPercent),
      memory_bytes: sample.processRssBytes,
      event_loop_delay: rounded(sample.eventLoopDelayMs / 1000, 4),
    })),
    workers: queue.workers.map(({ id, name, alive, heartbeatAt }) => ({
      id,
      name,
      alive,
      heartbeat_at: epochSeconds(heartbeatAt),
    })),
    providers: providers.map(({ name, status, responseMs, lastError, checkedAt }) => ({
      name,
      status,
      response_time: secondsOf(responseMs),
      last_error: lastError,
      checked_at: epochSeconds(checkedAt),
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
