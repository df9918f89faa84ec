import { executionGauges } from '#engine'
import { configured, isAvailable, withLanguageModels } from '../providers.ts'
import type { HealthStats } from './stats.ts'

/** `partial`: it works with problems. `offline`: it does not work. */
export type ComponentStatus = 'healthy' | 'partial' | 'offline'

const componentNames = ['orchestrator', 'queue_processor', 'ai_providers', 'database', 'cache'] as const
export type ComponentName = (typeof componentNames)[number]

export type Components = Readonly<Record<ComponentName, ComponentStatus>>

/** Alert thresholds, in percent unless the name says otherwise. */
export const thresholds = {
  cpu: 90,
  memory: 90,
  disk: 90,
  errorRate: 5,
  /** With fewer requests, the error rate is ignored. */
  minRequests: 20,
  eventLoopDelayMs: 100,
  queueWaitMs: 300_000,
  queryMs: 250,
  evictions: 50,
} as const

/** The minutes that count as recent. */
const recentMinutes = 5

/**
 * | component       | partial                                                                      | offline                          |
 * |-----------------|------------------------------------------------------------------------------|----------------------------------|
 * | orchestrator    | CPU, memory or disk at 90 %; 5 % errors; event loop delayed by 100 ms        | the server does not respond      |
 * | queue_processor | a new execution waits 5 minutes, or executions wait and none runs or ends    | no worker is alive               |
 * | ai_providers    | a configured provider is degraded or offline                                 | all with language models are     |
 * | database        | a query takes 250 ms, or callers wait for a connection                       | the response is 503              |
 * | cache           | half of the cached responses are evicted                                     | the cache is disabled            |
 */
export function componentStatuses(stats: HealthStats): Components {
  return {
    orchestrator: isStrained(stats) ? 'partial' : 'healthy',
    queue_processor: queueStatus(stats),
    ai_providers: providerStatus(stats),
    database:
      stats.database.queryMs >= thresholds.queryMs || stats.database.pool.waiting > 0 ? 'partial' : 'healthy',
    cache: cacheStatus(stats),
  }
}

/** Offline when executions cannot run, partial when another component has problems. A disabled cache is a choice of the operator. */
export function overallStatusOf(components: Components): ComponentStatus {
  if (components.queue_processor === 'offline' || components.database === 'offline') return 'offline'
  const others = componentNames.filter((name) => name !== 'cache' || components.cache !== 'offline')
  return others.every((name) => components[name] === 'healthy') ? 'healthy' : 'partial'
}

const weights: Readonly<Record<ComponentName, number>> = {
  orchestrator: 30,
  database: 25,
  queue_processor: 20,
  ai_providers: 20,
  cache: 5,
}

const worth: Readonly<Record<ComponentStatus, number>> = { healthy: 1, partial: 0.5, offline: 0 }

/**
 * 0 to 100: each component counts by its weight (orchestrator 30, database 25, queue 20, providers 20, cache 5), in full when it is
 * healthy, by half when it is partial. Providers count by the share of them that is online, degraded ones by half. A disabled cache
 * does not count.
 */
export function scoreOf(components: Components, { providers }: Pick<HealthStats, 'providers'>): number {
  const counted = componentNames.filter((name) => name !== 'cache' || components.cache !== 'offline')
  const share = (name: ComponentName) =>
    name === 'ai_providers' ? shareOfProviders(providers) : worth[components[name]]
  const maxPoints = counted.reduce((sum, name) => sum + weights[name], 0)
  return Math.round((counted.reduce((sum, name) => sum + weights[name] * share(name), 0) / maxPoints) * 100)
}

function shareOfProviders(providers: HealthStats['providers']): number {
  const all = configured(providers)
  const points = all.map(({ status }) => (status === 'online' ? 1 : status === 'degraded' ? 0.5 : 0))
  return all.length === 0 ? 1 : points.reduce((sum: number, point) => sum + point, 0) / all.length
}

function isStrained(stats: HealthStats): boolean {
  const { sample } = stats.process
  return (
    (recentAverage(stats, 'cpu_percent') ?? 0) >= thresholds.cpu ||
    sample.memoryPercent >= thresholds.memory ||
    (sample.diskPercent ?? 0) >= thresholds.disk ||
    (recentAverage(stats, 'event_loop_delay_ms') ?? 0) >= thresholds.eventLoopDelayMs ||
    recentErrorRate(stats) >= thresholds.errorRate
  )
}

/** The average of the recent minutes: a short peak is no alert. */
export function recentAverage({ minutes }: Pick<HealthStats, 'minutes'>, gauge: string): number | null {
  const known = minutes
    .slice(-recentMinutes)
    .map((point) => point.average(gauge))
    .filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** Percent of recent requests with a server error; 0 with too few requests. */
export function recentErrorRate({ minutes }: Pick<HealthStats, 'minutes'>): number {
  const recent = minutes.slice(-recentMinutes).map(({ requests }) => requests)
  const count = recent.reduce((sum, requests) => sum + requests.count, 0)
  // Timeouts and provider failures have their own alerts, and callers can cause them.
  const errors = recent.reduce((sum, requests) => sum + requests.kinds.failed, 0)
  return count < thresholds.minRequests ? 0 : (errors / count) * 100
}

function queueStatus(stats: HealthStats): ComponentStatus {
  const { queue } = stats
  if (!queue.workers.some(({ alive }) => alive)) return 'offline'
  return isQueueStuck(stats) || (queue.waitMs ?? 0) >= thresholds.queueWaitMs ? 'partial' : 'healthy'
}

/** Executions have waited for a worker for minutes, and none starts or finishes. */
export function isQueueStuck({ queue, minutes }: HealthStats): boolean {
  const waited = minutes.slice(-3).every((point) => (point.average(executionGauges.queued) ?? 0) >= 1)
  return queue.due > 0 && queue.running === 0 && queue.perMinute === 0 && waited
}

function providerStatus({ providers }: HealthStats): ComponentStatus {
  const withModels = withLanguageModels(providers)
  if (withModels.length > 0 && !withModels.some(isAvailable)) return 'offline'
  return configured(providers).every(({ status }) => status === 'online') ? 'healthy' : 'partial'
}

function cacheStatus({ cache }: HealthStats): ComponentStatus {
  if (!cache.enabled) return 'offline'
  return cache.stored > 0 && (cache.evicted / cache.stored) * 100 >= thresholds.evictions
    ? 'partial'
    : 'healthy'
}
