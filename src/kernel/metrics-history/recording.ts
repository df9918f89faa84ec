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

/**
 * The bucket bounds of durations in milliseconds: four per doubling, from an eighth of a millisecond to about an hour. Percentiles are
 * accurate to a fifth. Stored counts depend on the bounds, so they must never change.
 */
const stepsPerDoubling = 4
const doublings = 25
const firstBoundMs = 0.125

export const durationBounds: readonly number[] = Array.from(
  { length: doublings * stepsPerDoubling },
  (_, step) => firstBoundMs * 2 ** (step / stepsPerDoubling),
)

/** One bucket below the first bound, one between each two, and one above the last. */
export const bucketCount = durationBounds.length + 1

/** The bucket of a duration. */
export function bucketOf(ms: number): number {
  if (ms < firstBoundMs) return 0
  return Math.min(bucketCount - 1, Math.floor(Math.log2(ms / firstBoundMs) * stepsPerDoubling) + 1)
}

/** The percentile of the counted durations, `share` from 0 to 1; null without durations. */
export function durationAt(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  const rank = share * total
  let counted = 0
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && counted + count >= rank) {
      const from = bucket === 0 ? 0 : (durationBounds[bucket - 1] ?? 0)
      const to = durationBounds[bucket] ?? from
      return from + (to - from) * ((rank - counted) / count)
    }
    counted += count
  }
  return null
}

/** The periods that values are aggregated by. */
export const grains = ['minute', 'hour', 'day'] as const
export type Grain = (typeof grains)[number]

export const grainMs: Readonly<Record<Grain, number>> = {
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
}

/**
 * Retention of rows. Minutes are kept for a little more than two days, so that the last 24 hours can be compared with those before.
 */
export const retentionMs: Readonly<Record<Grain, number>> = {
  minute: 50 * grainMs.hour,
  hour: 90 * grainMs.day,
  day: 730 * grainMs.day,
}

/** The start of the minute, hour or day of a time, in UTC. */
export function startOf(grain: Grain, ms: number): number {
  return Math.floor(ms / grainMs[grain]) * grainMs[grain]
}

/** Rows of one grain; `to` is exclusive. */
export interface Segment {
  readonly grain: Grain
  readonly from: number
  readonly to: number
}

/** The fewest rows that cover a period exactly, none finer than `finest`: days inside, hours and minutes at the ends. */
export function coverTime(finest: Grain, from: number, to: number): readonly Segment[] {
  const coarser = grains[grains.indexOf(finest) + 1]
  const [begin, end] = [startOf(finest, from), startOf(finest, to - 1) + grainMs[finest]]
  const firstFull = coarser === undefined ? 0 : startOf(coarser, begin + grainMs[coarser] - 1)
  const lastFull = coarser === undefined ? 0 : startOf(coarser, end)
  if (coarser === undefined || firstFull >= lastFull) return nonEmpty({ grain: finest, from: begin, to: end })
  return [
    ...nonEmpty({ grain: finest, from: begin, to: firstFull }),
    ...coverTime(coarser, firstFull, lastFull),
    ...nonEmpty({ grain: finest, from: lastFull, to: end }),
  ]
}

function nonEmpty(segment: Segment): readonly Segment[] {
  return segment.from < segment.to ? [segment] : []
}

/** A response, complete or aborted by the client. */
export interface RecordedResponse {
  readonly interfaceName: string
  readonly status: number
  readonly ms: number
  /** The client disconnected before the end. */
  readonly left: boolean
  /** An endless stream: its duration is not meaningful. */
  readonly streamed: boolean
  /** A failure that a module declares, such as a failed execution: not an error of the server. */
  readonly isExpectedFailure?: boolean
}

/**
 * Requests by outcome. The names are stored and part of responses.
 *
 * | kind            | outcome                                                   | server error |
 * |-----------------|-----------------------------------------------------------|--------------|
 * | answered        | status below 400, including streams                       | no           |
 * | refused         | error of the caller (4xx), or an expected failure         | no           |
 * | left            | the client disconnected                                   | no           |
 * | timed_out       | timeout (504)                                             | yes          |
 * | provider_failed | an upstream service failed (502)                          | yes          |
 * | failed          | internal error or overload (every other 5xx)              | yes          |
 */
export const requestKinds = ['answered', 'refused', 'left', 'timed_out', 'provider_failed', 'failed'] as const
export type RequestKind = (typeof requestKinds)[number]

/** The metric name of all durations. */
export const requestDurations = 'requests'

const names: Readonly<Record<RequestKind, string>> = {
  answered: 'requests.answered',
  refused: 'requests.refused',
  left: 'requests.left',
  timed_out: 'requests.timed_out',
  provider_failed: 'requests.provider_failed',
  failed: 'requests.failed',
}

/** The metric name of a kind of requests. */
export function nameOfKind(kind: RequestKind): string {
  return names[kind]
}

const apiPrefix = 'requests@'

export function nameOfApi(interfaceName: string): string {
  return `${apiPrefix}${interfaceName}`
}

/** The API of a metric name; undefined for other names. */
export function apiOfName(name: string): string | undefined {
  return name.startsWith(apiPrefix) ? name.slice(apiPrefix.length) : undefined
}

export function kindOf({ left, status, isExpectedFailure = false }: RecordedResponse): RequestKind {
  if (left) return 'left'
  if (status < 400) return 'answered'
  if (status < 500) return 'refused'
  if (status === 504) return 'timed_out'
  if (status === 502) return 'provider_failed'
  return isExpectedFailure ? 'refused' : 'failed'
}
