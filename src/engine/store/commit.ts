import type { ExecutionFacts } from '../execution/facts.ts'
import type { Choice } from '../graph/plan.ts'

/** Why a step, or a whole execution, did not succeed. */
export interface StoredError {
  readonly code: string
  readonly message: string
  readonly step?: string | undefined
  /** Which of a batch. */
  readonly item?: number | undefined
  readonly provider?: string | undefined
  readonly details?: Readonly<Record<string, unknown>> | undefined
}

/** What became of a step. */
export interface StepOutcome {
  readonly stepId: string
  /** Which of a batch, from 0; always 0 without one. */
  readonly item: number
  /** The order in which outcomes came. */
  readonly seq: number
  readonly state: 'completed' | 'failed' | 'skipped'
  readonly attempts: number
  readonly startedAt: Date | null
  readonly finishedAt: Date
  readonly output: unknown
  readonly choice: Choice | null
  readonly error: StoredError | null
  readonly details: Readonly<Record<string, unknown>>
  /** Whole micro-dollars; null when a model without a price was asked. */
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

/** An end with what it leaves behind. */
interface StoredEnd extends ExecutionEnd {
  readonly finishedAt: Date
  readonly facts: ExecutionFacts
  /** Whether it counts in the history of its flow. */
  readonly counted: boolean
  /** The steps whose outputs stay; undefined: all outputs stay. */
  readonly keptOutputs?: readonly string[] | undefined
}

/** What happened in one execution since its last commit. It becomes durable as a whole, or not at all. */
export interface Commit {
  readonly executionId: string
  readonly workerId: string
  readonly fence: number
  /** It is under way now, not waiting. */
  readonly begins: boolean
  /** When its first lease began to execute it. */
  readonly startedAt: Date
  /** Of a batch: very many outcomes may come, and its events stand apart from them so that the last ones are found quickly. */
  readonly isBatch: boolean
  /** Whether somebody outside may want to hear of the events. */
  readonly publishes: boolean
  readonly steps: readonly StepOutcome[]
  readonly events: readonly ExecutionEvent[]
  /** Whole micro-dollars, as they stand after this. */
  readonly spent: number
  readonly reserved: number
  readonly end?: StoredEnd | undefined
}
