import type { Database } from '#kernel/database'
import type { Logger, Metrics } from '#kernel/telemetry'
import { createEventAppender, type EventTransaction } from './append-events.ts'
import type { EventFilter, NewEvent, StoredEvent } from './event.ts'
import type { EventRingLimits } from './event-ring.ts'
import { createEventTail } from './event-tail.ts'
import { type FollowOptions, followEvents, isPruned, requireKept } from './follow-events.ts'
import { type PruneOptions, pruneEvents } from './prune-events.ts'
import { createEventReader, type NewestOptions } from './read-events.ts'

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
