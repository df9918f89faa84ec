import type { Database } from '#kernel/database'
import type { Executor } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import type { ExecutionInput, Priority } from '../execution/input.ts'
import type { Flow } from '../flows/flow.ts'
import { readFlow } from '../flows/read-flows.ts'
import type { ScheduleRow } from './schedule.ts'

/** The start of an execution by a schedule. */
export interface ScheduledExecution {
  readonly id: string
  readonly flowId: string
  readonly flowVersion: number
  readonly accountId: string
  readonly priority: Priority
  readonly input: ExecutionInput
  readonly needsApproval: boolean
  readonly scheduleId: string
}

interface StartScheduledOptions {
  readonly database: Pick<Database, 'query'>
  readonly enqueue: (execution: ScheduledExecution) => Promise<unknown>
}

/** Enqueues an execution for a schedule. An existing execution with this id is kept. Throws `flow_not_found` and limits. */
export type StartScheduled = (
  row: Pick<ScheduleRow, 'id' | 'flow_id' | 'flow_version' | 'account_id' | 'priority' | 'input'>,
  executionId: string,
) => Promise<void>

export function createStartScheduled({ database, enqueue }: StartScheduledOptions): StartScheduled {
  return async (row, executionId) => {
    const flow = await requireFlow(database, row.flow_id, row.flow_version)
    await enqueue({
      id: executionId,
      flowId: flow.flowId,
      flowVersion: flow.version,
      accountId: row.account_id,
      priority: row.priority,
      input: row.input,
      needsApproval: flow.metadata.approval_required ?? false,
      scheduleId: row.id,
    })
  }
}

/** The flow of a schedule, in the version it would run now. */
export async function requireFlow(executor: Executor, flowId: string, version: number | null): Promise<Flow> {
  const flow = await readFlow(executor, flowId, version ?? undefined)
  if (flow !== undefined) return flow
  if (version === null || (await readFlow(executor, flowId)) === undefined)
    throw engineFailure('flow_not_found', { message: `There is no flow "${flowId}".` })
  throw engineFailure('flow_not_found', {
    message: `The flow "${flowId}" has no version ${version}.`,
  })
}
