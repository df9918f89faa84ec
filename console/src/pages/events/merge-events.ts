import type { EventPage, PlatformEvent } from '../../api/responses.ts'

/** The page with newly arrived events on top. Events of other types only advance `last_id`; `type` may be a list with commas. */
export function mergeEvents(
  page: EventPage,
  arrived: readonly PlatformEvent[],
  { type, limit }: { type: string | undefined; limit: number },
): EventPage {
  const lastId = arrived.reduce((last, { id }) => Math.max(last, id), page.last_id)
  const known = new Set(page.data.map(({ id }) => id))
  const types = type?.split(',')
  const added = arrived.filter((event) => !known.has(event.id) && types?.includes(event.type) !== false)
  if (added.length === 0) return { ...page, last_id: lastId }
  return {
    ...page,
    data: newestFirst([...added, ...page.data]).slice(0, limit),
    total: page.total + added.length,
    last_id: lastId,
  }
}

/** The page with older events at its end. Its total is an estimate until the beginning of the log is loaded. */
export function appendOlderEvents(page: EventPage, older: EventPage): EventPage {
  const known = new Set(page.data.map(({ id }) => id))
  const data = newestFirst([...page.data, ...older.data.filter(({ id }) => !known.has(id))])
  const reachesBeginning = older.data.length === 0 || data.length >= older.total
  return { ...page, data, total: reachesBeginning ? data.length : Math.max(page.total, data.length + 1) }
}

/** Whether the log has older matching events than the page. */
export function hasOlderEvents({ data, total }: EventPage): boolean {
  return data.length < total
}

/** Sorts events as the page lists them. */
export function newestFirst(events: readonly PlatformEvent[]): PlatformEvent[] {
  return events.toSorted((one, other) => other.id - one.id)
}
