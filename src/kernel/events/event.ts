/** Every append sends an empty NOTIFY on this channel; listeners then read the log. */
export const eventChannel = 'kernel_events'

/** An event before it is stored. */
export interface NewEvent {
  /** Dotted lower-case words, first the object, then what happened to it: `execution.step_completed`. */
  readonly type: string
  /** The object of the event, such as an execution id. */
  readonly subject?: string | null | undefined
  /** The account that may see the event; without one, only the platform itself. */
  readonly account?: string | null | undefined
  readonly data?: EventData | undefined
}

export type EventData = Readonly<Record<string, unknown>>

/** An event of the log. Ids increase in commit order, without gaps. */
export interface StoredEvent {
  readonly id: number
  readonly type: string
  readonly subject: string | null
  readonly account: string | null
  readonly data: EventData
  readonly createdAt: Date
}

/** Restricts the events of a reader; absent fields do not restrict. */
export interface EventFilter {
  readonly subject?: string | undefined
  readonly account?: string | undefined
  readonly types?: readonly string[] | undefined
}

/** The same filter as the SQL condition, for events in memory. */
export function matchesFilter(event: StoredEvent, { subject, account, types }: EventFilter): boolean {
  return (
    (subject === undefined || event.subject === subject) &&
    (account === undefined || event.account === account) &&
    (types === undefined || types.includes(event.type))
  )
}
