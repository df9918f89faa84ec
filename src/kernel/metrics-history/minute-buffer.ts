import { bucketCount, bucketOf } from './duration-buckets.ts'
import { startOf } from './grain.ts'

/** The aggregate of measured values. */
export interface Aggregate {
  count: number
  sum: number
  max: number
  /** Counts per duration bucket; only durations have them. */
  took: number[] | undefined
}

/** The measurements of one minute, by metric name. */
export interface BufferedMinute {
  readonly at: number
  readonly aggregates: ReadonlyMap<string, Aggregate>
}

/** Aggregates measurements in memory by minute, until they are flushed. */
export interface MinuteBuffer {
  add(name: string, value: number, atMs?: number): void
  /** Adds a duration in milliseconds, also to its bucket. */
  time(name: string, ms: number, atMs?: number): void
  /** Removes and returns all minutes, oldest first. */
  take(): readonly BufferedMinute[]
  /** Adds minutes again that could not be stored. Returns how many of the oldest were dropped. */
  putBack(minutes: readonly BufferedMinute[]): number
}

export interface MinuteBufferOptions {
  readonly maxMinutes: number
  readonly now?: () => number
}

export function createMinuteBuffer({ maxMinutes, now = Date.now }: MinuteBufferOptions): MinuteBuffer {
  let minutes = new Map<number, Map<string, Aggregate>>()
  let current = { at: Number.NaN, aggregates: new Map<string, Aggregate>() }

  function aggregatesAt(at: number): Map<string, Aggregate> {
    const known = minutes.get(at)
    if (known !== undefined) return known
    const aggregates = new Map<string, Aggregate>()
    minutes.set(at, aggregates)
    return aggregates
  }

  function aggregateIn(name: string, atMs: number): Aggregate {
    const at = startOf('minute', atMs)
    if (at !== current.at) current = { at, aggregates: aggregatesAt(at) }
    return aggregateOf(current.aggregates, name)
  }

  return {
    add: (name, value, atMs = now()) => addValue(aggregateIn(name, atMs), value),
    time(name, ms, atMs = now()) {
      const aggregate = aggregateIn(name, atMs)
      addValue(aggregate, ms)
      aggregate.took ??= emptyCounts()
      const bucket = bucketOf(ms)
      aggregate.took[bucket] = (aggregate.took[bucket] ?? 0) + 1
    },
    take() {
      const taken = inOrder(minutes)
      minutes = new Map()
      current = { at: Number.NaN, aggregates: new Map() }
      return taken
    },
    putBack(taken) {
      for (const { at, aggregates } of taken) {
        const known = aggregatesAt(at)
        for (const [name, aggregate] of aggregates) mergeAggregate(aggregateOf(known, name), aggregate)
      }
      const dropped = inOrder(minutes).slice(0, Math.max(0, minutes.size - maxMinutes))
      for (const { at } of dropped) minutes.delete(at)
      return dropped.length
    },
  }
}

function inOrder(minutes: ReadonlyMap<number, ReadonlyMap<string, Aggregate>>): readonly BufferedMinute[] {
  return [...minutes]
    .map(([at, aggregates]) => ({ at, aggregates }))
    .toSorted((one, other) => one.at - other.at)
}

/** The aggregate of a name, created empty. */
export function aggregateOf(aggregates: Map<string, Aggregate>, name: string): Aggregate {
  const known = aggregates.get(name)
  if (known !== undefined) return known
  const aggregate: Aggregate = { count: 0, sum: 0, max: Number.NEGATIVE_INFINITY, took: undefined }
  aggregates.set(name, aggregate)
  return aggregate
}

function addValue(aggregate: Aggregate, value: number): void {
  aggregate.count += 1
  aggregate.sum += value
  if (value > aggregate.max) aggregate.max = value
}

/** Adds another aggregate. */
export function mergeAggregate(aggregate: Aggregate, more: Readonly<Aggregate>): void {
  aggregate.count += more.count
  aggregate.sum += more.sum
  aggregate.max = Math.max(aggregate.max, more.max)
  if (more.took === undefined) return
  const took = aggregate.took ?? emptyCounts()
  aggregate.took = took.map((count, bucket) => count + (more.took?.[bucket] ?? 0))
}

function emptyCounts(): number[] {
  return Array.from({ length: bucketCount }, () => 0)
}
