import type { ExecutionEvent, ExecutionRecord, HistoryResult } from '#engine'
import type { Executor } from '#kernel/work'
import type { Wanted, WebhookEvent } from '#webhooks'
import type { OutboxEntry } from './outbox.ts'

/** Maps journal events of an execution to one webhook event. Pure. */
export interface EventMapper {
  /** The name of the event. */
  readonly name: string
  /** The journal types it maps. */
  readonly of: readonly string[]
  /** Whether it needs an estimate, which is read from the history. */
  readonly estimates: boolean
  /** The data of the webhook event, or undefined for no event. `record` is the execution as of the journal event. */
  readonly describe: (about: EventMapperInput) => Readonly<Record<string, unknown>> | undefined
}

export interface EventMapperInput {
  readonly event: ExecutionEvent
  readonly record: ExecutionRecord
  /** `unknownEstimate` unless the mapper sets `estimates`. */
  readonly estimate: HistoryResult<'estimate'>
}

/** Derives webhook events from several executions. */
export type Watcher = (
  executor: Executor,
  outboxEntries: readonly OutboxEntry[],
  wanted: ReadonlyMap<string, Wanted>,
) => Promise<WebhookEvent[]>

/**
 * Publishes entries elsewhere than to webhooks: reads what it needs, and returns a function that writes. The writes run last in the
 * transaction, in the order given, and use no other connection: deliveries that wait for the locks of the transaction may have all of them.
 */
export type Feed = (
  executor: Executor,
  outboxEntries: readonly OutboxEntry[],
) => Promise<() => Promise<unknown>>

/** The event mappers, watchers, feeds and recurring turns of one API. */
export interface Publisher {
  readonly eventMappers?: readonly EventMapper[]
  readonly watchers?: readonly Watcher[]
  readonly feeds?: readonly Feed[]
  /** Run one after the other, once a second, outside of any transaction and beside the dispatches. */
  readonly turns?: readonly (() => Promise<void>)[]
}

/** The estimated duration and cost of an execution, cached for a short time. */
export type EstimateExecution = (record: ExecutionRecord) => Promise<HistoryResult<'estimate'>>

const unknown = { value: null, source: null, sample: 0, confidence: null }

/** The estimate for mappers that need none, and for executions without a history. */
export const unknownEstimate: HistoryResult<'estimate'> = { duration: unknown, cost: unknown, steps: [] }
