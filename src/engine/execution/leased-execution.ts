import type { FlowDefinition } from '../definition/flow.ts'
import type { Graph } from '../graph/graph.ts'
import type { Commit, StepOutcome } from '../store/commit.ts'
import type { WaitsSnapshot } from '../waits/execution-waits.ts'
import type { ExecutionInput, Priority } from './input.ts'
import type { UnreadScopes } from './open-container.ts'
import type { StoredTotals } from './totals.ts'

/** The stored state of an execution that this worker has leased. */
export interface LeasedExecution {
  readonly id: string
  /** The stored flow; of a draft not the id in its definition. */
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly workerId: string
  readonly fence: number
  readonly definition: FlowDefinition
  readonly graph: Graph
  readonly priority: Priority
  readonly input: ExecutionInput
  readonly createdAt: Date
  /** Null: it has not started yet. */
  readonly startedAt: Date | null
  /** When this worker resumed it; null in its first lease. */
  readonly resumedAt: Date | null
  /** How long earlier leases executed it, in milliseconds. */
  readonly activeMs: number
  /** When its last lease suspended it; null: it ended otherwise, or there was none. */
  readonly suspendedAt: Date | null
  readonly waits: WaitsSnapshot
  /** From when its timeout counts; null: from `startedAt`. */
  readonly timedFrom: Date | null
  /** Whether its stored status is `running` already. */
  readonly isRunning: boolean
  /** Includes what a crashed worker had reserved, because the outcome of its calls is unknown. */
  readonly spent: number
  /** Ordered by `seq`. Of a flow with containers those of open scopes, and the ends of the others. */
  readonly outcomes: readonly StepOutcome[]
  /** Scopes that have ended and are not among the outcomes, because their results are needed only when their container ends. */
  readonly unread: readonly UnreadScopes[]
  /** Null: they were not stored, because they are small. */
  readonly totals: StoredTotals | null
  readonly lastSeq: number
}

/** A commit before its subscribers were looked up. */
export type PendingCommit = Omit<Commit, 'hasSubscribers'>

/** What became of a commit. */
export interface WrittenCommit {
  readonly written: boolean
  /** The commit has suspended the execution. */
  readonly suspended: boolean
  /** The length of its outcomes and events as they were serialised. */
  readonly bytes: number
}

/** A stored request to cancel an execution. */
export interface CancelRequest {
  readonly by: string | null
  readonly reason: string | null
  readonly at: string
  /** The process that ends the execution as cancelled also removes the outputs of its steps. */
  readonly cleanup?: true
}

/** Identifies a step of an execution. */
export interface StepRef {
  readonly item: number
  readonly stepId: string
}
