import { type Database, retryWhenUnavailable } from '#kernel/database'
import type { Logger, Metrics } from '#kernel/telemetry'
import { createEventAppender, type EventTransaction } from './append-events.ts'
import { eventFailure } from './errors.ts'
import type { EventFilter, NewEvent, StoredEvent } from './event.ts'
import type { EventRingLimits, EventSlice } from './event-ring.ts'
import { createEventTail, type EventTail } from './event-tail.ts'
import { createEventReader, type EventBounds, type EventReader, type NewestOptions } from './read-events.ts'

export interface EventsOptions {
  readonly database: Database
  readonly log: Logger
  readonly metrics: Metrics
  /** Size of the newest part of the log that is kept in memory for followers. */
  readonly ring?: EventRingLimits
  /** Interval at which the log is read without a NOTIFY. */
  readonly pollMs?: number
}

interface ReadOptions extends EventFilter {
  /** The last id the reader has seen; 0 starts with the oldest retained event. */
  readonly after: number
  readonly limit: number
}

interface EventPage {
  readonly events: readonly StoredEvent[]
  /** True when events after the cursor were pruned: the page starts with the oldest retained event. */
  readonly truncated: boolean
}

/** The append-only event log. Ids increase in commit order, so a cursor never skips an event. */
export interface Events extends AsyncDisposable {
  /**
   * Stores events and returns their ids once they are committed. Waiting events of this process share a commit. Throws `invalid_event`,
   * `event_too_large` or `database_unavailable`.
   */
  append(events: NewEvent | readonly NewEvent[]): Promise<number[]>
  /**
   * Stores events as part of a transaction. Call it last: every other append waits until the commit, and a transaction that takes further
   * locks afterwards can deadlock with another one that appends.
   */
  appendWithin(transaction: EventTransaction, events: NewEvent | readonly NewEvent[]): Promise<number[]>
  read(options: ReadOptions): Promise<EventPage>
  /** The newest matching events, or the newest before an id; oldest first. */
  readNewest(options: NewestOptions): Promise<StoredEvent[]>
  count(filter?: EventFilter): Promise<number>
  /** The id of the newest event; 0 before the first. */
  lastId(): Promise<number>
  /** The id of the oldest retained event; `lastId` + 1 when there is none. */
  oldestId(): Promise<number>
  /**
   * Yields every event after the cursor and then new ones, each once and in order, until the signal aborts. Throws `cursor_out_of_range`
   * when events after the cursor are no longer retained.
   */
  follow(options: FollowOptions): AsyncIterable<StoredEvent>
  /** Throws what `follow` would throw for this cursor, for callers that must know before they start a response. */
  checkCursor(after: number): Promise<void>
  /** Deletes older events and returns their number. */
  prune(options: PruneOptions): Promise<number>
  close(): Promise<void>
}

const defaultRing: EventRingLimits = { maxEvents: 10_000, maxBytes: 32 * 1024 * 1024 }

/** Creates the event log of this process. Throws a `TypeError` when another event log uses the same `metrics` with other labels. */
export function createEvents({
  database,
  log,
  metrics,
  ring = defaultRing,
  pollMs = 1000,
}: EventsOptions): Events {
  const appender = createEventAppender(database)
  const reader = createEventReader(database)
  const tail = createEventTail({ database, reader, log, limits: ring, pollMs })
  const closing = new AbortController()

  const appended = metrics.counter({ name: 'events_appended_total', help: 'Events stored by this process.' })
  metrics.gauge({
    name: 'event_followers',
    help: 'Readers that follow the event log in this process.',
    collect: (gauge) => gauge.set(tail.followers),
  })

  async function close(): Promise<void> {
    closing.abort()
    await appender.close()
    await tail.close()
  }

  return {
    async append(events) {
      const ids = await appender.append(asList(events))
      appended.inc(ids.length)
      tail.wake()
      return ids
    },

    async appendWithin(transaction, events) {
      const ids = await appender.appendWithin(transaction, asList(events))
      appended.inc(ids.length)
      return ids
    },

    async read({ after, limit, ...filter }) {
      const page = await reader.page({ ...filter, after, limit })
      const truncated = after > 0 && isPruned(after, (await reader.bounds()).oldest)
      return { events: page.map(({ event }) => event), truncated }
    },

    readNewest: (options) => reader.newest(options),
    count: (filter = {}) => reader.count(filter),
    lastId: async () => (await reader.bounds()).last,
    oldestId: async () => (await reader.bounds()).oldest,

    follow: (options) =>
      followEvents(reader, tail, { ...options, signal: AbortSignal.any([options.signal, closing.signal]) }),

    checkCursor: async (after) => requireKept(after, await reader.bounds()),

    prune: (options) => pruneEvents(database, options),
    close,
    [Symbol.asyncDispose]: close,
  }
}

function asList(events: NewEvent | readonly NewEvent[]): readonly NewEvent[] {
  return 'type' in events ? [events] : events
}

interface PruneOptions {
  readonly olderThan: Date
  readonly signal?: AbortSignal
}

const chunkSize = 5000

/** Time increases with the id, so the scan starts at the oldest id and needs no index on the time. */
const pruneStatement = `
  with chunk as (
    select id, created_at from kernel_events where id > $1 order by id limit ${chunkSize}
  ),
  removed as (
    delete from kernel_events
    where id in (select id from chunk where created_at < $2)
    returning id
  )
  select count(*) as count, coalesce(max(id), $1) as last from removed
`

/** Deletes older events in small commits, which do not block appenders for long, and returns their number. */
async function pruneEvents(database: Database, { olderThan, signal }: PruneOptions): Promise<number> {
  let total = 0
  let after = 0
  for (;;) {
    signal?.throwIfAborted()
    const [chunk] = await database.query<{ count: number; last: number }>(pruneStatement, [after, olderThan])
    total += chunk?.count ?? 0
    if (chunk === undefined || chunk.count < chunkSize) return total
    after = chunk.last
  }
}

interface FollowOptions extends EventFilter {
  /** The last id the reader has seen; 0 starts with the oldest retained event. */
  readonly after: number
  readonly signal: AbortSignal
}

/** Maximum number of events that a follower reads at once. */
const pageSize = 100

/**
 * Yields every matching event after the cursor and then new ones, each once and in order. A follower has a cursor and no queue: it reads
 * from the shared ring, and pages from the database when it has fallen behind the ring.
 */
async function* followEvents(
  reader: EventReader,
  tail: EventTail,
  { after, signal, ...filter }: FollowOptions,
): AsyncGenerator<StoredEvent, void, undefined> {
  using membership = new DisposableStack()
  membership.use(tail.join())
  let cursor = after
  while (!signal.aborted) {
    const { ring } = tail
    if (ring === undefined) {
      await tail.waitBeyond(cursor, signal)
      continue
    }
    if (cursor > ring.position) await refuseCursorAhead(reader, cursor, signal)
    const slice =
      cursor >= ring.floor
        ? ring.after(cursor, filter, pageSize)
        : await readSlice(reader, cursor, ring.position, filter, signal)
    if (slice === undefined) return
    for (const event of slice.events) {
      if (signal.aborted) return
      yield event
    }
    cursor = Math.max(cursor, slice.upTo)
    await tail.waitBeyond(cursor, signal)
  }
}

async function readSlice(
  reader: EventReader,
  cursor: number,
  position: number,
  filter: EventFilter,
  signal: AbortSignal,
): Promise<EventSlice | undefined> {
  const range = { ...filter, after: cursor, upTo: position, limit: pageSize }
  const page = await retryUntilAborted(() => reader.page(range), signal)
  // Read after the page: if the events after the cursor still exist now, the page was complete.
  const bounds = await retryUntilAborted(() => reader.bounds(), signal)
  if (page === undefined || bounds === undefined) return undefined
  requireKept(cursor, bounds)
  const events = page.map(({ event }) => event)
  return { events, upTo: page.length < pageSize ? position : (events.at(-1)?.id ?? position) }
}

/** A cursor from another replica may be ahead of this tail for a moment, but never ahead of the log. */
async function refuseCursorAhead(reader: EventReader, cursor: number, signal: AbortSignal): Promise<void> {
  const bounds = await retryUntilAborted(() => reader.bounds(), signal)
  if (bounds !== undefined) requireKept(cursor, bounds)
}

/** Throws `cursor_out_of_range` unless the log contains every event after the cursor. */
function requireKept(cursor: number, bounds: EventBounds): void {
  if (cursor > bounds.last || isPruned(cursor, bounds.oldest)) {
    throw eventFailure('cursor_out_of_range', { details: bounds })
  }
}

/** True when events between the cursor and the oldest retained one were deleted. */
function isPruned(cursor: number, oldest: number): boolean {
  return cursor > 0 && cursor < oldest - 1
}

/** Retries while the database is unavailable; undefined when the signal aborts meanwhile. */
async function retryUntilAborted<Result>(
  read: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  try {
    return await retryWhenUnavailable(read, { deadlineMs: Number.POSITIVE_INFINITY, signal })
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}
