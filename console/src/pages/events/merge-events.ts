import type { EventPage, PlatformEvent } from '../../api/bodies.ts'

/** How many events a page keeps while it flows. A page that is held keeps what it shows, so it may grow further. */
const flowingLimit = 500
const heldLimit = 5_000

/** The page with newly arrived events on top. Those of another type only move the place to carry on from. */
export function mergeEvents(
  page: EventPage,
  arrived: readonly PlatformEvent[],
  { type, held }: { type: string | undefined; held: boolean },
): EventPage {
  const lastId = arrived.reduce((last, { id }) => Math.max(last, id), page.last_id)
  const known = new Set(page.data.map(({ id }) => id))
  const added = arrived.filter((event) => !known.has(event.id) && (type === undefined || event.type === type))
  if (added.length === 0) return { ...page, last_id: lastId }
  return {
    ...page,
    data: newestFirst([...added, ...page.data]).slice(0, held ? heldLimit : flowingLimit),
    total: page.total + added.length,
    last_id: lastId,
  }
}

/** Events in the order the page lists them. */
export function newestFirst(events: readonly PlatformEvent[]): PlatformEvent[] {
  return events.toSorted((one, other) => other.id - one.id)
}
