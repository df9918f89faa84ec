import { retryWhenUnavailable } from '#kernel/database'
import { eventFailure } from './errors.ts'
import type { EventFilter, StoredEvent } from './event.ts'
import type { EventStretch } from './event-ring.ts'
import type { EventTail } from './event-tail.ts'
import type { EventBounds, EventReader } from './read-events.ts'

export interface FollowOptions extends EventFilter {
  /** The last id the reader has seen; 0 begins with the oldest event that is kept. */
  readonly after: number
  readonly signal: AbortSignal
}

/** Most events a follower holds on its own account. */
const pageSize = 100

/**
 * Every matching event after the cursor, in order, once each, and then those to come. The follower owns a cursor and
 * no queue: it takes from the shared ring what is there, and reads pages from the database where it has fallen behind.
 */
export async function* followEvents(
  reader: EventReader,
  tail: EventTail,
  { after, signal, ...filter }: FollowOptions,
): AsyncGenerator<StoredEvent, void, undefined> {
  using leaving = new DisposableStack()
  leaving.use(tail.join())
  let cursor = after
  while (!signal.aborted) {
    const { ring } = tail
    if (ring === undefined) {
      await tail.waitBeyond(cursor, signal)
      continue
    }
    if (cursor > ring.position) await refuseCursorAhead(reader, cursor, signal)
    const stretch =
      cursor >= ring.floor
        ? ring.after(cursor, filter, pageSize)
        : await readStretch(reader, cursor, ring.position, filter, signal)
    if (stretch === undefined) return
    for (const event of stretch.events) {
      if (signal.aborted) return
      yield event
    }
    cursor = Math.max(cursor, stretch.upTo)
    await tail.waitBeyond(cursor, signal)
  }
}

async function readStretch(
  reader: EventReader,
  cursor: number,
  position: number,
  filter: EventFilter,
  signal: AbortSignal,
): Promise<EventStretch | undefined> {
  const range = { ...filter, after: cursor, upTo: position, limit: pageSize }
  const page = await untilAnswered(() => reader.page(range), signal)
  // Asked after the page was read: if the events behind the cursor are still there now, none was missing from it.
  const bounds = await untilAnswered(() => reader.bounds(), signal)
  if (page === undefined || bounds === undefined) return undefined
  requireKept(cursor, bounds)
  const events = page.map(({ event }) => event)
  return { events, upTo: page.length < pageSize ? position : (events.at(-1)?.id ?? position) }
}

/** A cursor that another replica gave may be ahead of our tail for a moment, never of the log itself. */
async function refuseCursorAhead(reader: EventReader, cursor: number, signal: AbortSignal): Promise<void> {
  const bounds = await untilAnswered(() => reader.bounds(), signal)
  if (bounds !== undefined) requireKept(cursor, bounds)
}

/** Throws unless everything after the cursor is in the log. */
export function requireKept(cursor: number, bounds: EventBounds): void {
  if (cursor > bounds.last || isPruned(cursor, bounds.oldest)) {
    throw eventFailure('cursor_out_of_range', { details: bounds })
  }
}

/** True when events between the cursor and the oldest one kept are gone. */
export function isPruned(cursor: number, oldest: number): boolean {
  return cursor > 0 && cursor < oldest - 1
}

/** Waits out a database that is away; undefined when the follower leaves meanwhile. */
async function untilAnswered<Result>(
  ask: () => Promise<Result>,
  signal: AbortSignal,
): Promise<Result | undefined> {
  try {
    return await retryWhenUnavailable(ask, { deadlineMs: Number.POSITIVE_INFINITY, signal })
  } catch (error) {
    if (signal.aborted) return undefined
    throw error
  }
}
