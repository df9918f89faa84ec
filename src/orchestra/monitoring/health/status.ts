import { executionGauges } from '#engine'
import { units } from '#executions-api'
import type { MetricsPoint } from '#kernel/metrics-history'
import type { ProviderView } from '#models'
import type { HealthStats } from './stats.ts'

/** `partial`: it works with problems. `offline`: it does not work. */
export type ComponentStatus = 'healthy' | 'partial' | 'offline'

const componentNames = ['orchestrator', 'queue_processor', 'ai_providers', 'database', 'cache'] as const
type ComponentName = (typeof componentNames)[number]

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
function recentErrorRate({ minutes }: Pick<HealthStats, 'minutes'>): number {
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

interface Alert {
  readonly level: 'info' | 'warning' | 'critical'
  readonly component: ComponentName
  readonly message: string
  /** Epoch seconds. */
  readonly since: number
  readonly impact: string
}

/** An alert and how to resolve it. */
export interface Finding {
  readonly alert: Alert
  readonly recommendation: string
}

/** Finds the alerts of one kind. */
export type Rule = (stats: HealthStats) => readonly Finding[]

/** The start of the consecutive minutes up to now for which the condition holds; now when it has just begun. */
export function startOfStreak(
  minutes: readonly MetricsPoint[],
  now: Date,
  holds: (point: MetricsPoint) => boolean,
): number {
  const lastOther = minutes.findLastIndex((point) => !holds(point))
  return units.epochSeconds(minutes[lastOther + 1]?.at ?? now)
}

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

/** The configured providers. */
export function configured(providers: readonly ProviderView[]): readonly ProviderView[] {
  return providers.filter(({ status }) => status !== 'unconfigured')
}

/** The configured providers except `builtin`, which only analyses text. */
export function withLanguageModels(providers: readonly ProviderView[]): readonly ProviderView[] {
  return configured(providers).filter(({ name }) => name !== 'builtin')
}

export function isAvailable({ status }: ProviderView): boolean {
  return status === 'online' || status === 'degraded'
}
