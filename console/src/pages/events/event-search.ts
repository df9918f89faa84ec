import { type EventGroup, eventGroups } from './event-groups.ts'

/** The search parameters of the Events page: the filter, and the open event. */
export interface EventSearch {
  type?: string
  /** A group of types; a single type wins. */
  group?: EventGroup
  event?: number
}

/** Parses the search parameters and drops invalid values. */
export function readEventSearch({ type, group, event }: Record<string, unknown>): EventSearch {
  const id = Number(event)
  const name = typeof type === 'string' || typeof type === 'number' ? String(type).trim() : ''
  const known = eventGroups.find((one) => one === group)
  return {
    ...(name === '' ? {} : { type: name }),
    ...(known === undefined || name !== '' ? {} : { group: known }),
    ...(Number.isSafeInteger(id) && id > 0 ? { event: id } : {}),
  }
}
