import type { ExecutionRecord } from '#engine'
import { describeResultsByStep, dollars, epochSeconds } from '#runs'

interface Cancelled {
  /** As it stood before. */
  readonly before: Pick<ExecutionRecord, 'spent' | 'reserved'>
  readonly after: ExecutionRecord
  readonly cleanup: boolean
}

/** What became of an execution that was to end, with what it had made until then. */
export function describeCancelled({ before, after, cleanup }: Cancelled) {
  const { id, status, definition, input, outcomes, finishedAt, spent } = after
  const isOver = status === 'cancelled'
  const lanes = input.batch?.items.length ?? 1
  return {
    success: true,
    execution_id: id,
    status,
    cancelled_at: isOver && finishedAt !== null ? epochSeconds(finishedAt) : null,
    steps_completed: outcomes.filter(({ state }) => state === 'completed').length,
    steps_cancelled: isOver ? definition.steps.length * lanes - outcomes.length : 0,
    partial_results: describeResultsByStep(after),
    cleanup_status: isOver
      ? cleanup
        ? ('removed' as const)
        : ('completed' as const)
      : ('in_progress' as const),
    refund_amount: isOver ? dollars(Math.max(0, before.spent + before.reserved - spent)) : 0,
  }
}
