import { executionGauges } from '#engine'
import { configured, isThere, withLanguageModels } from '../providers.ts'
import type { Facts } from './facts.ts'

/** `partial`: it works, and not all is well. `offline`: it does not. */
export type ComponentStatus = 'healthy' | 'partial' | 'offline'

const componentNames = ['orchestrator', 'queue_processor', 'ai_providers', 'database', 'cache'] as const
export type ComponentName = (typeof componentNames)[number]

export type Components = Readonly<Record<ComponentName, ComponentStatus>>

/** From here on something is worth telling. Percent, unless the name says otherwise. */
export const thresholds = {
  cpu: 90,
  memory: 90,
  disk: 90,
  errorRate: 5,
  /** Fewer requests say nothing about errors. */
  leastRequests: 20,
  eventLoopDelayMs: 100,
  queueWaitMs: 300_000,
  queryMs: 250,
  evictions: 50,
} as const

/** The last minutes that what is going on now is judged by. */
const recentMinutes = 5

/**
 * | component       | partial                                                                       | offline                       |
 * |-----------------|-------------------------------------------------------------------------------|-------------------------------|
 * | orchestrator    | processor, memory or disk at 90 %; 5 % errors; event loop 100 ms late         | then nobody answers           |
 * | queue_processor | who is added now waits 5 minutes, or executions wait and none runs or ends    | no worker lives               |
 * | ai_providers    | one that is set up is degraded or offline                                     | all with language models are  |
 * | database        | a query takes 250 ms, or callers keep waiting for a connection                | then the answer is 503        |
 * | cache           | half of what is remembered makes room for others                              | it is switched off            |
 */
export function judgeComponents(facts: Facts): Components {
  return {
    orchestrator: isStrained(facts) ? 'partial' : 'healthy',
    queue_processor: judgeQueue(facts),
    ai_providers: judgeProviders(facts),
    database:
      facts.database.queryMs >= thresholds.queryMs || facts.database.pool.waiting > 0 ? 'partial' : 'healthy',
    cache: judgeCache(facts),
  }
}

/** What executions need decides; the rest makes it partial. A cache that is switched off is somebody's choice. */
export function overallOf(components: Components): ComponentStatus {
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
 * healthy, by half when it is partial. Providers count by the share of them that is online, degraded ones by half. A cache that is
 * switched off is left out.
 */
export function scoreOf(components: Components, { providers }: Pick<Facts, 'providers'>): number {
  const counted = componentNames.filter((name) => name !== 'cache' || components.cache !== 'offline')
  const share = (name: ComponentName) =>
    name === 'ai_providers' ? shareOfProviders(providers) : worth[components[name]]
  const most = counted.reduce((sum, name) => sum + weights[name], 0)
  return Math.round((counted.reduce((sum, name) => sum + weights[name] * share(name), 0) / most) * 100)
}

function shareOfProviders(providers: Facts['providers']): number {
  const all = configured(providers)
  const points = all.map(({ status }) => (status === 'online' ? 1 : status === 'degraded' ? 0.5 : 0))
  return all.length === 0 ? 1 : points.reduce((sum: number, point) => sum + point, 0) / all.length
}

function isStrained(facts: Facts): boolean {
  const { sample } = facts.process
  return (
    (recentAverage(facts, 'cpu_percent') ?? 0) >= thresholds.cpu ||
    sample.memoryPercent >= thresholds.memory ||
    (sample.diskPercent ?? 0) >= thresholds.disk ||
    (recentAverage(facts, 'event_loop_delay_ms') ?? 0) >= thresholds.eventLoopDelayMs ||
    recentErrorRate(facts) >= thresholds.errorRate
  )
}

/** The average of the last minutes: a moment of hard work is none of worry. */
export function recentAverage({ minutes }: Pick<Facts, 'minutes'>, gauge: string): number | null {
  const known = minutes
    .slice(-recentMinutes)
    .map((point) => point.average(gauge))
    .filter((value) => value !== null)
  return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length
}

/** Percent of the requests of the last minutes that failed by our fault; 0 of too few. */
export function recentErrorRate({ minutes }: Pick<Facts, 'minutes'>): number {
  const recent = minutes.slice(-recentMinutes).map(({ requests }) => requests)
  const count = recent.reduce((sum, requests) => sum + requests.count, 0)
  // Time-outs and providers are told of elsewhere, and callers can bring them about.
  const errors = recent.reduce((sum, requests) => sum + requests.kinds.failed, 0)
  return count < thresholds.leastRequests ? 0 : (errors / count) * 100
}

function judgeQueue(facts: Facts): ComponentStatus {
  const { queue } = facts
  if (!queue.workers.some(({ alive }) => alive)) return 'offline'
  return isQueueStuck(facts) || (queue.waitMs ?? 0) >= thresholds.queueWaitMs ? 'partial' : 'healthy'
}

/** Executions have waited for a worker for minutes, and nothing moves. */
export function isQueueStuck({ queue, minutes }: Facts): boolean {
  const waited = minutes.slice(-3).every((point) => (point.average(executionGauges.queued) ?? 0) >= 1)
  return queue.due > 0 && queue.running === 0 && queue.perMinute === 0 && waited
}

function judgeProviders({ providers }: Facts): ComponentStatus {
  const writing = withLanguageModels(providers)
  if (writing.length > 0 && !writing.some(isThere)) return 'offline'
  return configured(providers).every(({ status }) => status === 'online') ? 'healthy' : 'partial'
}

function judgeCache({ cache }: Facts): ComponentStatus {
  if (!cache.enabled) return 'offline'
  return cache.stored > 0 && (cache.evicted / cache.stored) * 100 >= thresholds.evictions
    ? 'partial'
    : 'healthy'
}
