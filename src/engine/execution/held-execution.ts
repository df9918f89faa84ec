import type { FlowDefinition } from '../definition/flow.ts'
import type { Graph } from '../graph/graph.ts'
import type { Commit, StepOutcome } from '../store/commit.ts'
import type { ExecutionInput, Priority } from './input.ts'

/** An execution as it stands in the database, held by us. */
export interface HeldExecution {
  readonly id: string
  readonly flowVersion: number
  readonly accountId: string
  readonly workerId: string
  readonly fence: number
  readonly definition: FlowDefinition
  readonly graph: Graph
  readonly priority: Priority
  readonly input: ExecutionInput
  readonly createdAt: Date
  /** Null: it has not begun yet. */
  readonly startedAt: Date | null
  /** When this worker resumed it; null in its first lease. */
  readonly resumedAt: Date | null
  /** How long earlier leases executed it, in milliseconds. */
  readonly activeMs: number
  /** When its time began to count, if not when it started. */
  readonly timedFrom: Date | null
  /** Stored as running, and not as waiting. */
  readonly isUnderWay: boolean
  /** With what a worker that died had reserved: nobody knows what became of it. */
  readonly spent: number
  /** In the order they came. */
  readonly outcomes: readonly StepOutcome[]
  readonly lastSeq: number
}

/** A commit, before it is known whether anybody outside may want to hear of it. */
export type UnaddressedCommit = Omit<Commit, 'publishes'>

/** Who wants an execution to end, and why. */
export interface CancelRequest {
  readonly by: string | null
  readonly reason: string | null
  readonly at: string
  /** The outputs of its steps are to be removed by whichever process ends it as cancelled. */
  readonly cleanup?: true
}

/** A step of an execution, as those who watch it know it. */
export interface WatchedStep {
  readonly item: number
  readonly stepId: string
}
