import type { ExecutionRecord } from '#engine'
import { dollars, epochSeconds } from '#runs'

interface Cancelled {
  /** As it stood before. */
  readonly before: Pick<ExecutionRecord, 'spent' | 'reserved'>
  readonly after: Pick<
    ExecutionRecord,
    'id' | 'status' | 'definition' | 'input' | 'outcomes' | 'finishedAt' | 'spent'
  >
  /** Whether the outputs of its steps are removed with its end. */
  readonly cleanup: boolean
}

/** What became of an execution that was to end, with what it had made until then. */
export function describeCancelled({ before, after, cleanup }: Cancelled) {
  const { id, status, definition, input, outcomes, finishedAt, spent } = after
  const isOver = status === 'cancelled'
  const completed = outcomes.filter(({ state }) => state === 'completed')
  const lanes = Math.max(1, input.batch?.items.length ?? 1)
  return {
    success: true,
    execution_id: id,
    status,
    cancelled_at: isOver && finishedAt !== null ? epochSeconds(finishedAt) : null,
    steps_completed: completed.length,
    steps_cancelled: isOver ? definition.steps.length * lanes - outcomes.length : 0,
    partial_results: partialResults(after),
    cleanup_status: !isOver
      ? ('in_progress' as const)
      : cleanup
        ? ('removed' as const)
        : ('completed' as const),
    refund_amount: isOver ? dollars(Math.max(0, before.spent + before.reserved - spent)) : 0,
  }
}

/** By step; in a batch each has a list by item. */
function partialResults({
  outcomes,
  input,
}: Pick<ExecutionRecord, 'outcomes' | 'input'>): Record<string, unknown> {
  const completed = outcomes.filter(({ state }) => state === 'completed')
  if (input.batch === undefined) {
    return Object.fromEntries(completed.map(({ stepId, output }) => [stepId, output]))
  }
  const items = input.batch.items.length
  return Object.fromEntries(
    [...Map.groupBy(completed, ({ stepId }) => stepId)].map(([stepId, made]) => {
      const byItem = new Map(made.map(({ item, output }) => [item, output]))
      return [stepId, Array.from({ length: items }, (_, item) => byItem.get(item) ?? null)]
    }),
  )
}
