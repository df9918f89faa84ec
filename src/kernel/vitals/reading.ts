import { durationAt } from './duration-buckets.ts'
import { interfaceOfName, nameOfKind, type RequestKind, requestDurations, requestKinds } from './requests.ts'
import type { Measured, Points } from './store.ts'

/** Requests of some time. Durations are in milliseconds, of those that were answered to the end; null when there were none. */
export interface RequestFigures {
  readonly count: number
  readonly kinds: Readonly<Record<RequestKind, number>>
  /** Those that failed by our fault. */
  readonly errors: number
  /** How many had their time taken. */
  readonly timed: number
  readonly totalMs: number
  readonly averageMs: number | null
  readonly maxMs: number | null
}

/** What was measured in some time, all processes together. */
export interface VitalsReading {
  readonly requests: RequestFigures
  /** By the interface they were for, the busiest first. */
  readonly interfaces: readonly {
    readonly name: string
    readonly count: number
    readonly averageMs: number
  }[]
  /** The duration this share of the requests did not pass, right to within a fifth; null when there were none. */
  durationAt(share: number): number | null
  /** The average of what was sampled; null when nothing was. */
  average(name: string): number | null
  /** The largest that was seen; null when nothing was. */
  peak(name: string): number | null
  /** What was added to a counter. */
  total(name: string): number
}

/** One minute, hour or day. */
export interface VitalsPoint {
  readonly at: Date
  readonly requests: RequestFigures
  average(name: string): number | null
  peak(name: string): number | null
  total(name: string): number
}

type Sums = ReadonlyMap<string, Omit<Measured, 'took'>>

export function readingOf(sums: ReadonlyMap<string, Measured>): VitalsReading {
  const requests = requestsIn(sums)
  const took = sums.get(requestDurations)?.took ?? []
  return {
    requests,
    interfaces: [...sums]
      .flatMap(([key, { count, sum }]) => {
        const name = interfaceOfName(key)
        return name === undefined ? [] : [{ name, count, averageMs: sum / count }]
      })
      .toSorted((one, other) => other.count - one.count || (one.name < other.name ? -1 : 1)),
    durationAt(share) {
      const ms = durationAt(took, share)
      const { timed, totalMs, maxMs } = requests
      if (ms === null || maxMs === null) return ms
      // No request was shorter than it must have been if all the others took as long as the longest.
      const atLeastMs = totalMs - (timed - 1) * maxMs
      return Math.max(atLeastMs, Math.min(ms, maxMs))
    },
    ...gaugesIn(sums),
  }
}

export function pointOf(at: number, points: Points | undefined): VitalsPoint {
  const sums = points ?? new Map()
  return { at: new Date(at), requests: requestsIn(sums), ...gaugesIn(sums) }
}

/** The names that points are made of. */
export function namesOfRequests(): readonly string[] {
  return [requestDurations, ...requestKinds.map(nameOfKind)]
}

function gaugesIn(sums: Sums): Pick<VitalsReading, 'average' | 'peak' | 'total'> {
  return {
    average(name) {
      const found = sums.get(name)
      return found === undefined || found.count === 0 ? null : found.sum / found.count
    },
    peak: (name) => sums.get(name)?.max ?? null,
    total: (name) => sums.get(name)?.sum ?? 0,
  }
}

function requestsIn(sums: Sums): RequestFigures {
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
