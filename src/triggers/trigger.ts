import type { ExecutionRecord } from '#engine'
import type { Filter } from './mapping.ts'
import type { Verification } from './verification/senders.ts'

export const triggerKinds = ['webhook', 'event'] as const

/** How a webhook answers: when the execution is queued, or with its result. */
export const responseTimes = ['at_once', 'with_result'] as const

/** What starts a trigger, and with which input. Stored as JSON with the names of the API. */
export interface TriggerSettings {
  /** Templates of the context. */
  readonly input: Readonly<Record<string, unknown>>
  /** Requests and events for which it is false start nothing. */
  readonly filter?: Filter | undefined
  /** In place of starting a flow: the event that it sends to executions that wait for it, with the input as data. */
  readonly signal?: TriggerSignal | undefined
  /** Of a webhook. */
  readonly verification?: Verification | undefined
  readonly respond?: (typeof responseTimes)[number] | undefined
  /** The template of the response with the result. */
  readonly response?: unknown
  /** The template of the delivery id, where the sender has no header for it. */
  readonly delivery_id?: string | undefined
  /** The types of events. */
  readonly events?: readonly string[] | undefined
}

/** An event for steps of the type `wait_for_event`. */
export interface TriggerSignal {
  readonly event: string
  /** The template of the correlation key. */
  readonly correlation_key: string
  /** Seconds for which it is kept for steps that begin to wait later. */
  readonly ttl?: number
}

/** A trigger as it is stored, without its secret. */
export interface Trigger {
  readonly id: string
  readonly accountId: string
  readonly label: string | null
  readonly kind: (typeof triggerKinds)[number]
  /** Null: it sends an event. */
  readonly flowId: string | null
  /** Null: the current version. */
  readonly flowVersion: number | null
  readonly enabled: boolean
  readonly settings: TriggerSettings
  readonly priority: ExecutionRecord['priority']
  /** The encrypted secret. */
  readonly secret: string | null
  readonly lastAt: Date | null
  readonly lastOutcome: DeliveryOutcome | null
  readonly lastError: TriggerError | null
  readonly lastExecutionId: string | null
  readonly timesStarted: number
  readonly timesSignalled: number
  readonly timesIgnored: number
  readonly timesRefused: number
  /** Events that are delayed now. */
  readonly delayed: number
  /** When the first of them is handled; null without any. */
  readonly delayedUntil: Date | null
  readonly createdAt: Date
  readonly updatedAt: Date
}

export interface TriggerError {
  readonly code: string
  readonly message: string
}

/**
 * | delivery          | on                                                            | next                                     |
 * |-------------------|---------------------------------------------------------------|------------------------------------------|
 * | –                 | a verified request, or an event within the rate               | received                                 |
 * | –                 | an event beyond the rate, behind a delayed one, or that failed | delayed                                 |
 * | received, delayed | the filter is false                                           | ignored                                  |
 * | received, delayed | its execution is queued                                       | started                                  |
 * | received, delayed | its event is sent to waiting executions                       | signalled                                |
 * | received, delayed | the flow, the account or a limit does not allow it            | refused                                  |
 * | received          | the queue is full, or handling the event fails                | delayed                                  |
 * | delayed           | it is due, and the same again                                 | delayed; refused after six failures      |
 * | received          | the process crashes                                           | received; a request is repeated by its sender, an event is read again |
 * | refused, ignored  | the sender repeats the request                                | as received                              |
 * | started, signalled | the sender repeats the request, also with another id, query or header | unchanged; the first answer again |
 *
 * Only events are delayed: a sender repeats its request.
 */
export type DeliveryOutcome = 'received' | 'delayed' | 'started' | 'signalled' | 'ignored' | 'refused'

/** A request or an event that reached a trigger. */
export interface Delivery {
  readonly id: string
  readonly receivedAt: Date
  readonly outcome: DeliveryOutcome
  readonly executionId: string | null
  readonly error: TriggerError | null
  /** JSON of what the mapping reads. */
  readonly request: string | null
}
