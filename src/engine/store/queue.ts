import { defineQueue } from '#kernel/work'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import type { CancelRequest } from '../execution/leased-execution.ts'
import type { StoredTotals } from '../execution/totals.ts'

/**
 * The states of an execution in the queue. `suspended`: it only waits. `gated`: the limits of its flow keep it back. In both it has no
 * worker, and no slot of its account.
 */
export type WorkState = 'queued' | 'running' | 'suspended' | 'gated' | 'finished'

/** A row of `engine_executions`, as a worker claims it. */
export interface ExecutionRow {
  readonly id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly account_id: string
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  readonly priority: Priority
  readonly input: ExecutionInput
  readonly spent: number
  readonly reserved: number
  readonly approval: 'pending' | 'approved' | 'rejected' | null
  readonly cancel: CancelRequest | null
  readonly forked_from: string | null
  readonly created_at: Date
  readonly started_at: Date | null
  readonly timed_from: Date | null
  /** When its current lease resumed it; null in the first one. */
  readonly resumed_at: Date | null
  /** How long earlier leases executed it. */
  readonly active_ms: number
  /** When its last lease suspended it; null once it was resumed. */
  readonly suspended_at: Date | null
  /** How many of its waits were closed. */
  readonly wakes: number
  /** Undefined: the worker that leases it has just inserted it. */
  readonly totals?: StoredTotals | null
  /** The limits of its flow that it takes part in; null without. */
  readonly concurrency_key: string | null
  readonly throttle_key: string | null
  /** When it last came to the gate of its flow. */
  readonly gated_at: Date | null
  /** The worker that leases it has just inserted it, so nothing else is stored. Not a column. */
  readonly isLocal?: true
}

export const executionQueue = defineQueue<ExecutionRow>({
  name: 'executions',
  table: 'engine_executions',
  key: 'id',
})

/** A higher number runs sooner. */
export const workPriority: Readonly<Record<Priority, number>> = { low: -10, normal: 0, high: 10, urgent: 20 }
