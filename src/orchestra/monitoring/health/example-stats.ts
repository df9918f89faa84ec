import type { MetricsPoint } from '#kernel/metrics-history'
import type { ProviderView } from '#models'
import type { HealthStats } from './stats.ts'

const exampleNow = new Date('2026-03-01T12:00:30Z')

const sample = {
  cpuPercent: 20,
  load: 0.5,
  memoryPercent: 40,
  memoryUsedBytes: 4e9,
  memoryTotalBytes: 10e9,
  diskPercent: 30,
  diskReadPerSecond: 0,
  diskWrittenPerSecond: 0,
  networkInPerSecond: 0,
  networkOutPerSecond: 0,
  eventLoopDelayMs: 1,
  processCpuPercent: 5,
  processRssBytes: 1e8,
  databaseWaiting: 0,
}

export function exampleProvider(more: Partial<ProviderView> & Pick<ProviderView, 'name'>): ProviderView {
  return {
    status: 'online',
    responseMs: 20,
    models: ['a'],
    lastError: null,
    checkedAt: exampleNow,
    changedAt: new Date('2026-03-01T11:00:00Z'),
    activeCalls: 0,
    rateLimitRemaining: null,
    ...more,
  }
}

/** A minute that ended so many minutes ago. */
export function exampleMinute(
  minutesAgo: number,
  { gauges = {}, count = 0, errors = 0 }: MinuteStats = {},
): MetricsPoint {
  const value = (name: string) => gauges[name] ?? null
  return {
    at: new Date(Math.floor(exampleNow.getTime() / 60_000) * 60_000 - minutesAgo * 60_000),
    requests: {
      count,
      errors,
      kinds: {
        answered: count - errors,
        refused: 0,
        left: 0,
        timed_out: 0,
        provider_failed: 0,
        failed: errors,
      },
      timed: count,
      totalMs: count * 10,
      averageMs: count === 0 ? null : 10,
      maxMs: count === 0 ? null : 10,
    },
    average: value,
    total: (name) => value(name) ?? 0,
    peak: value,
  }
}

interface MinuteStats {
  readonly gauges?: Readonly<Record<string, number>>
  readonly count?: number
  readonly errors?: number
}

/** A healthy platform, except for the given values. */
export function exampleStats(more: Partial<HealthStats> = {}): HealthStats {
  const process = {
    id: '1',
    host: 'here',
    pid: 1,
    startedAt: new Date('2026-03-01T10:00:00Z'),
    seenAt: exampleNow,
    sample,
  }
  return {
    now: exampleNow,
    process,
    processes: [process],
    queue: {
      running: 0,
      pending: 0,
      due: 0,
      perMinute: 0,
      waitMs: 0,
      failedLastDay: 0,
      workers: [
        {
          id: '1',
          name: 'here',
          role: 'all',
          queues: ['executions'],
          startedAt: exampleNow,
          features: [],
          heartbeatAt: exampleNow,
          alive: true,
        },
      ],
    },
    providers: [exampleProvider({ name: 'openai' }), exampleProvider({ name: 'builtin' })],
    database: { pool: { total: 5, idle: 4, waiting: 0 }, queryMs: 1, replicationLagMs: null },
    cache: {
      enabled: true,
      answers: 0,
      bytes: 0,
      maxBytes: 1000,
      hits: 0,
      misses: 0,
      stored: 0,
      evicted: 0,
    },
    hour: { ...exampleMinute(0), interfaces: [], durationAt: () => null },
    minutes: Array.from({ length: 60 }, (_, index) => exampleMinute(59 - index)),
    ...more,
  }
}
