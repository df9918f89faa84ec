import {
  apiOfName,
  durationAt,
  nameOfKind,
  type RequestKind,
  requestDurations,
  requestKinds,
} from './recording.ts'
import type { MetricSums, Points } from './store.ts'

/** Requests of a period. Durations are in milliseconds and only of complete responses; null without any. */
interface RequestStats {
  readonly count: number
  readonly kinds: Readonly<Record<RequestKind, number>>
  /** Requests that failed because of the server or a provider. */
  readonly errors: number
  /** Number of requests with a duration. */
  readonly timed: number
  readonly totalMs: number
  readonly averageMs: number | null
  readonly maxMs: number | null
}

/** The measurements of a period, of all processes together. */
export interface MetricsReading {
  readonly requests: RequestStats
  /** Requests by API, the busiest first. */
  readonly interfaces: readonly {
    readonly name: string
    readonly count: number
    readonly averageMs: number
  }[]
  /** The percentile of the durations, `share` from 0 to 1, accurate to a fifth; null without requests. */
  durationAt(share: number): number | null
  /** The average of the samples; null without samples. */
  average(name: string): number | null
  /** The largest sample; null without samples. */
  peak(name: string): number | null
  /** The total of a counter. */
  total(name: string): number
}

/** The measurements of one minute, hour or day. */
export interface MetricsPoint {
  readonly at: Date
  readonly requests: RequestStats
  average(name: string): number | null
  peak(name: string): number | null
  total(name: string): number
}

type Sums = ReadonlyMap<string, Omit<MetricSums, 'took'>>

export function readingOf(sums: ReadonlyMap<string, MetricSums>): MetricsReading {
  const requests = requestsIn(sums)
  const took = sums.get(requestDurations)?.took ?? []
  return {
    requests,
    interfaces: [...sums]
      .flatMap(([key, { count, sum }]) => {
        const name = apiOfName(key)
        return name === undefined ? [] : [{ name, count, averageMs: sum / count }]
      })
      .toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1)),
    durationAt(share) {
      const ms = durationAt(took, share)
      const { timed, totalMs, maxMs } = requests
      if (ms === null || maxMs === null) return ms
      // Lower bound: the duration of one request if all others took as long as the longest.
      const atLeastMs = totalMs - (timed - 1) * maxMs
      return Math.max(atLeastMs, Math.min(ms, maxMs))
    },
    ...gaugesIn(sums),
  }
}

export function pointOf(at: number, points: Points | undefined): MetricsPoint {
  const sums = points ?? new Map()
  return { at: new Date(at), requests: requestsIn(sums), ...gaugesIn(sums) }
}

/** The metric names of request statistics. */
export function requestMetricNames(): readonly string[] {
  return [requestDurations, ...requestKinds.map(nameOfKind)]
}

function gaugesIn(sums: Sums): Pick<MetricsReading, 'average' | 'peak' | 'total'> {
  return {
    average(name) {
      const found = sums.get(name)
      return found === undefined || found.count === 0 ? null : found.sum / found.count
    },
    peak: (name) => sums.get(name)?.max ?? null,
    total: (name) => sums.get(name)?.sum ?? 0,
  }
}

function requestsIn(sums: Sums): RequestStats {
  const countOf = (kind: RequestKind) => sums.get(nameOfKind(kind))?.count ?? 0
  const kinds = {
    answered: countOf('answered'),
    refused: countOf('refused'),
    left: countOf('left'),
    timed_out: countOf('timed_out'),
    provider_failed: countOf('provider_failed'),
    failed: countOf('failed'),
  }
  const timed = sums.get(requestDurations)
  return {
    count: Object.values(kinds).reduce((sum, count) => sum + count, 0),
    kinds,
    errors: kinds.timed_out + kinds.provider_failed + kinds.failed,
    timed: timed?.count ?? 0,
    totalMs: timed?.sum ?? 0,
    averageMs: timed === undefined || timed.count === 0 ? null : timed.sum / timed.count,
    maxMs: timed?.max ?? null,
  }
}
