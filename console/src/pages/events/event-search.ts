/** The search parameters of the Events page: the filter, and the open event. */
export interface EventSearch {
  type?: string
  event?: number
}

/** Parses the search parameters and drops invalid values. */
export function readEventSearch({ type, event }: Record<string, unknown>): EventSearch {
  const id = Number(event)
  const name = typeof type === 'string' || typeof type === 'number' ? String(type).trim() : ''
  return {
    ...(name === '' ? {} : { type: name }),
    ...(Number.isSafeInteger(id) && id > 0 ? { event: id } : {}),
  }
}
