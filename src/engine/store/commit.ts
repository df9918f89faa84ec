import type { ExecutionStats, OutcomeDetails } from '../execution/stats.ts'
import type { StoredTotals } from '../execution/totals.ts'
import type { Choice } from '../graph/plan.ts'
import type { NewWait } from '../waits/wait.ts'

/** Why a step or an execution failed. */
export interface StoredError {
  readonly code: string
  readonly message: string
  readonly step?: string | undefined
  /** The item of a batch. */
  readonly item?: number | undefined
  readonly provider?: string | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** The stored outcome of a step. */
export interface StepOutcome {
  readonly stepId: string
  /** The item of a batch, from 0; always 0 without one. */
  readonly item: number
  /** Numbers the outcomes of an execution in the order in which steps ended. */
  readonly seq: number
  readonly state: 'completed' | 'failed' | 'skipped'
  readonly attempts: number
  readonly startedAt: Date | null
  readonly finishedAt: Date
  /** JSON, or a `JsonText`. */
  readonly output: unknown
  /** A reference to the output in the object store, when it is not in the row; `output` is null until it is read. */
  readonly outputObject?: string | null | undefined
  readonly choice: Choice | null
  readonly error: StoredError | null
  /** The details of the step type, and `OutcomeDetails` unless the step was skipped. */
  readonly details: Readonly<Record<string, unknown>> & Partial<OutcomeDetails>
  /** Whole micro-dollars; null when a model without a price was used. */
  readonly spent: number | null
}

export interface ExecutionEvent {
  readonly seq: number
  readonly at: Date
  readonly type: string
  readonly data: Readonly<Record<string, unknown>>
}

export interface ExecutionEnd {
  readonly status: 'completed' | 'failed' | 'cancelled'
  readonly error: StoredError | null
}

/** How a lease of an execution ends: the execution has ended, or only waits. */
export type LeaseEnd = ExecutionEnd | { readonly status: 'suspended'; readonly error: null }

/** The end of an execution as it is committed. */
interface StoredEnd extends ExecutionEnd {
  readonly finishedAt: Date
  readonly facts: ExecutionStats
  /** Whether the history of the flow counts it. */
  readonly counted: boolean
  /** The steps whose outputs are kept; undefined: all. */
  readonly keptOutputs?: readonly string[] | undefined
}

/** Suspends an execution of which every running step waits. The commit has no outcomes and no other events. */
export interface Suspension {
  /**
   * How many waits had been closed when all that are pending were known to be open. When more have been closed since, the execution keeps
   * running, and the commit stores nothing.
   */
  readonly wakes: number
  readonly at: Date
}

/** The changes of one execution since its last commit, written atomically. */
export interface Commit {
  readonly executionId: string
  readonly workerId: string
  readonly fence: number
  /** Sets the stored status to `running`. */
  readonly begins: boolean
  /** When its first lease began to execute it. */
  readonly startedAt: Date
  /** The events of a batch or a container are stored apart from outcomes: there may be very many, and the last ones must be found quickly. */
  readonly isBatch: boolean
  /** Whether the events go into the outbox. */
  readonly hasSubscribers: boolean
  readonly steps: readonly StepOutcome[]
  readonly events: readonly ExecutionEvent[]
  /** Whole micro-dollars, after this commit. */
  readonly spent: number
  readonly reserved: number
  readonly end?: StoredEnd | undefined
  /** Waits that its steps have opened. */
  readonly waits?: readonly NewWait[] | undefined
  readonly suspension?: Suspension | undefined
  /** What the execution has had so far; undefined: the stored totals are recent enough. */
  readonly totals?: StoredTotals | undefined
}

/** Numbers the events of an execution and buffers them until the next commit. */
export interface Journal {
  /** `at` is now, unless its caller has just read the clock. */
  add(type: string, data: Readonly<Record<string, unknown>>, at?: Date): void
  /** Removes and returns the buffered events. */
  take(): readonly ExecutionEvent[]
  /** Takes events back that were not stored. They keep their numbers. */
  giveBack(events: readonly ExecutionEvent[]): void
}
