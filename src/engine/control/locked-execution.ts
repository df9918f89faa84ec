import { type Executor, runStatement } from '#kernel/work'
import type { FlowDefinition } from '../definition/flow.ts'
import { engineFailure } from '../errors.ts'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import type { CancelRequest } from '../execution/leased-execution.ts'
import type { FlowMetadata } from '../flows/flow-metadata.ts'
import { writtenDefinition } from '../flows/read-flows.ts'
import type { StoredError } from '../store/commit.ts'

/** An execution whose row is locked until the transaction ends. */
export interface LockedExecution {
  readonly id: string
  readonly flow_id: string
  readonly flow_version: number
  readonly account_id: string
  readonly status: 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'
  readonly priority: Priority
  readonly input: ExecutionInput
  readonly error: StoredError | null
  readonly approval: 'pending' | 'approved' | 'rejected' | null
  readonly cancel: CancelRequest | null
  readonly finished_at: Date | null
  readonly concurrency_key: string | null
  readonly throttle_key: string | null
  readonly definition: FlowDefinition
  readonly metadata: FlowMetadata
}

const lockStatement = `
  select execution.id, execution.flow_id, execution.flow_version, execution.account_id, execution.status, execution.priority,
    execution.input, execution.error, execution.approval, execution.cancel, execution.finished_at, execution.concurrency_key,
    execution.throttle_key, ${writtenDefinition}, version.metadata
  from engine_executions as execution
  join engine_flow_versions as version
    on version.flow_id = execution.flow_id and version.version = execution.flow_version
  where execution.id = $1
  for update of execution
`

/** Locks an execution and reads it with its definition. Throws `execution_not_found`. */
export async function lockExecution(transaction: Executor, id: string): Promise<LockedExecution> {
  const [row] = await runStatement<LockedExecution>(transaction, lockStatement, [id])
  if (row === undefined) throw engineFailure('execution_not_found', { details: { execution_id: id } })
  return row
}
