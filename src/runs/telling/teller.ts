import type { ExecutionEvent, ExecutionRecord, FlowEstimate, Happening } from '#engine'
import type { Executor } from '#kernel/work'
import type { Wanted, WebhookEvent } from '#webhooks'

/** Tells one kind of event to webhooks, from what stands in the journal. Pure. */
export interface Teller {
  /** The name of the event. */
  readonly name: string
  /** Types of the journal it tells of. */
  readonly of: readonly string[]
  /** Whether it needs to know what was to be expected, which takes a look into history. */
  readonly estimates: boolean
  /** The execution is as it was then. Undefined: there is nothing to tell. */
  readonly describe: (about: TellerInput) => Readonly<Record<string, unknown>> | undefined
}

export interface TellerInput {
  readonly event: ExecutionEvent
  readonly record: ExecutionRecord
  /** `nothingKnown` for those that do not ask for it. */
  readonly estimate: FlowEstimate
}

/** Finds what is to be told to webhooks by a look at more than one execution. */
export type Watcher = (
  executor: Executor,
  happenings: readonly Happening[],
  wanted: ReadonlyMap<string, Wanted>,
) => Promise<WebhookEvent[]>

/** Passes on what happened, whoever wants it. Runs as the last of its transaction, in the order given. */
type Feed = (executor: Executor, happenings: readonly Happening[]) => Promise<void>

/** What one capability tells others of executions. */
export interface Telling {
  readonly tellers?: readonly Teller[]
  readonly watchers?: readonly Watcher[]
  readonly feeds?: readonly Feed[]
  /** What is done in every turn of the dispatcher, at least once a second, outside of any transaction. */
  readonly turns?: readonly (() => Promise<void>)[]
}

/** What executions are likely to take, remembered for a while. */
export type EstimateExecution = (record: ExecutionRecord) => Promise<FlowEstimate>

const unknown = { value: null, source: null, sample: 0, confidence: null }

export const nothingKnown: FlowEstimate = { duration: unknown, cost: unknown, steps: [] }
