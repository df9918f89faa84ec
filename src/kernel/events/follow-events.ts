import { retryWhenUnavailable } from '#kernel/database'
import { eventFailure } from './errors.ts'
import type { EventFilter, StoredEvent } from './event.ts'
import type { EventSlice } from './event-ring.ts'
import type { EventTail } from './event-tail.ts'
import type { EventBounds, EventReader } from './read-events.ts'

export interface FollowOptions extends EventFilter {
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
export async function* followEvents(
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
export function requireKept(cursor: number, bounds: EventBounds): void {
  if (cursor > bounds.last || isPruned(cursor, bounds.oldest)) {
    throw eventFailure('cursor_out_of_range', { details: bounds })
  }
}

/** True when events between the cursor and the oldest retained one were deleted. */
export function isPruned(cursor: number, oldest: number): boolean {
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
