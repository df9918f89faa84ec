/** An event before it is stored. */
export interface NewEvent {
  /** Dotted lower-case words, the thing before what happened to it: `execution.step_completed`. */
  readonly type: string
  /** What the event is about, such as an execution id. */
  readonly subject?: string | null | undefined
  /** The account that may see it; without one, only the platform itself. */
  readonly account?: string | null | undefined
  readonly data?: EventData | undefined
}

export type EventData = Readonly<Record<string, unknown>>

/** An event of the log. Ids grow in the order of commits, without gaps. */
export interface StoredEvent {
  readonly id: number
  readonly type: string
  readonly subject: string | null
  readonly account: string | null
  readonly data: EventData
  readonly createdAt: Date
}

/** Which events a reader wants; whatever is absent does not restrict. */
export interface EventFilter {
  readonly subject?: string | undefined
  readonly account?: string | undefined
  readonly types?: readonly string[] | undefined
}

/** The same choice that the database makes, for events already in memory. */
export function matchesFilter(event: StoredEvent, { subject, account, types }: EventFilter): boolean {
  return (
    (subject === undefined || event.subject === subject) &&
    (account === undefined || event.account === account) &&
    (types === undefined || types.includes(event.type))
  )
}
