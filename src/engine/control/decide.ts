import { type Executor, runStatement } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import type { FlowVersions } from '../flows/flow-versions.ts'
import { addToJournal, endFromOutside } from '../store/end-from-outside.ts'
import { type LockedExecution, lockExecution } from './locked-execution.ts'

export interface Decision {
  readonly decision: 'approved' | 'rejected'
  /** The account that decides. */
  readonly by: string
  readonly note?: string | undefined
}

/**
 * Decides about an execution that waits for approval. Runs inside a transaction; afterwards the account's executions are to be promoted.
 *
 * | approval | on       | approval | the execution                                    |
 * |----------|----------|----------|--------------------------------------------------|
 * | pending  | approved | approved | waits for room, then for a worker                |
 * | pending  | rejected | rejected | is cancelled                                     |
 *
 * Who decides first decides: everybody after is told so.
 */
export async function decideApproval(
  transaction: Executor,
  versions: FlowVersions,
  id: string,
  { decision, by, note }: Decision,
): Promise<{ readonly accountId: string }> {
  const execution = await lockExecution(transaction, id)
  requirePending(execution)
  await runStatement(
    transaction,
    `
      update engine_executions
      set approval = $2, approval_by = $3, approval_at = now(), approval_note = $4, work_fence = work_fence + 1
      where id = $1
    `,
    [id, decision, by, note ?? null],
  )
  await addToJournal(transaction, id, 'approval_decided', {
    execution_id: id,
    decision,
    by,
    note: note ?? null,
  })
  if (decision === 'rejected') {
    await endFromOutside(transaction, versions, id, {
      status: 'cancelled',
      error: null,
      data: { reason: note ?? 'It was not approved.' },
    })
  }
  return { accountId: execution.account_id }
}

function requirePending({ id, approval, status }: LockedExecution): void {
  if (approval === 'pending' && status === 'queued') return
  const why =
    approval === null
      ? 'it needs no approval'
      : approval === 'pending'
        ? `it is ${status} already`
        : `it was ${approval} already`
  throw engineFailure('not_awaiting_approval', {
    message: `There is nothing to decide about this execution: ${why}.`,
    details: { execution_id: id, status, approval },
  })
}
