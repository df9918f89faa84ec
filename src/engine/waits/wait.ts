/**
 * A wait: the stored reason why a step does not go on.
 *
 * | wait | on                                                          | next      |
 * |------|-------------------------------------------------------------|-----------|
 * | open | an answer, or an event                                      | answered  |
 * | open | `wake_at` has passed                                        | timed_out |
 * | open | its execution ends                                          | cancelled |
 *
 * The first of them counts. For a timer, `timed_out` is the end it waits for. What becomes of the step decides its executor.
 */
export interface StoredWait {
  readonly id: string
  /** The item of a batch; 0 without one. */
  readonly item: number
  /** The path of the step. */
  readonly stepId: string
  /** Counts the waits of a step, from 1: a step that is tried again waits again. */
  readonly number: number
  readonly kind: WaitKind
  readonly wakeAt: Date | null
  readonly state: 'open' | 'answered' | 'timed_out' | 'cancelled'
  readonly answer: unknown
  readonly answeredBy: string | null
  readonly comment: string | null
  readonly closedAt: Date | null
  readonly createdAt: Date
}

type WaitKind = 'timer' | 'human' | 'event'

/** What a step waits for. */
export interface WaitRequest {
  readonly kind: WaitKind
  /** The end of a timer, the timeout of the others. */
  readonly wakeAt: Date
  readonly eventName?: string | undefined
  readonly correlationKey?: string | undefined
  /** What readers of the wait need, as JSON: the message and the form of a human task. */
  readonly request: Readonly<Record<string, unknown>>
  /** People are notified of it: the events of its commit go into the outbox. */
  readonly notifies?: boolean | undefined
}

/** A wait to be stored with the next commit of its execution. */
export interface NewWait extends WaitRequest {
  readonly id: string
  readonly item: number
  readonly stepId: string
  readonly number: number
  readonly createdAt: Date
}

/** A wait that has ended. */
export interface ClosedWait {
  readonly id: string
  readonly state: 'answered' | 'timed_out' | 'cancelled'
  /** JSON; null without an answer. */
  readonly answer: unknown
  /** An account id, or `mail:` and an address. */
  readonly answeredBy: string | null
  readonly comment: string | null
  readonly closedAt: Date
}

/** The execution of a wait that another process may wait for. */
export const wakeChannel = 'engine_wake'

/** An execution whose waits all last longer than this is suspended; for shorter ones its worker keeps the lease. */
export const shortWaitMs = 5000
