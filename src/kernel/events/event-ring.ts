import { type EventFilter, matchesFilter, type StoredEvent } from './event.ts'

export interface EventRingLimits {
  readonly maxEvents: number
  readonly maxBytes: number
}

export interface SizedEvent {
  readonly event: StoredEvent
  /** Size of its data as text. */
  readonly bytes: number
}

/** A part of the log: its matching events, and the id up to which it is complete. */
export interface EventSlice {
  readonly events: StoredEvent[]
  readonly upTo: number
}

/** The newest events of the log, bounded by number and bytes. It contains every event after `floor` up to `position`. */
export interface EventRing {
  readonly floor: number
  readonly position: number
  /** Adds the events that follow `position`, in order, and drops the oldest beyond the limits. */
  push(events: readonly SizedEvent[]): void
  /** The next matching events after a cursor, which must not be below `floor`. */
  after(cursor: number, filter: EventFilter, limit: number): EventSlice
}

export function createEventRing(start: number, { maxEvents, maxBytes }: EventRingLimits): EventRing {
  let entries: (SizedEvent | undefined)[] = []
  let first = 0
  let bytes = 0
  let floor = start
  let position = start

  function dropOldest(): void {
    const oldest = entries[first]
    if (oldest === undefined) return
    entries[first] = undefined
    first += 1
    bytes -= oldest.bytes
    floor = oldest.event.id
  }

  function firstIndexAfter(cursor: number): number {
    let low = first
    let high = entries.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const entry = entries[middle]
      if (entry !== undefined && entry.event.id <= cursor) low = middle + 1
      else high = middle
    }
    return low
  }

  return {
    get floor() {
      return floor
    },
    get position() {
      return position
    },

    push(added) {
      for (const entry of added) {
        entries.push(entry)
        bytes += entry.bytes
        position = entry.event.id
      }
      while (entries.length - first > maxEvents || (bytes > maxBytes && entries.length > first)) dropOldest()
      if (first > entries.length / 2) {
        entries = entries.slice(first)
        first = 0
      }
    },

    after(cursor, filter, limit) {
      const events: StoredEvent[] = []
      for (let index = firstIndexAfter(cursor); index < entries.length; index += 1) {
        const event = entries[index]?.event
        if (event === undefined || !matchesFilter(event, filter)) continue
        events.push(event)
        if (events.length === limit) return { events, upTo: event.id }
      }
      return { events, upTo: position }
    },
  }
}
