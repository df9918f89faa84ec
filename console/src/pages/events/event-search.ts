/** The search parameters of the Events page: the filter, and the event that is open. */
export interface EventSearch {
  type?: string
  event?: number
}

/** Reads the address; what makes no sense is left out. */
export function readEventSearch({ type, event }: Record<string, unknown>): EventSearch {
  const id = Number(event)
  const name = typeof type === 'string' || typeof type === 'number' ? String(type).trim() : ''
  return {
    ...(name === '' ? {} : { type: name }),
    ...(Number.isSafeInteger(id) && id > 0 ? { event: id } : {}),
  }
}
