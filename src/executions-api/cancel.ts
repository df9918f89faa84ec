import { type Engine, type ExecutionRecord, engineFailure } from '#engine'
import type { Principal } from '#kernel/http'
import { findExecution } from './read-execution.ts'
import { completedByStep, describeResultsByStep } from './responses.ts'
import { dollars, epochSeconds } from './units.ts'

interface CancelOptions {
  readonly engine: Pick<Engine, 'executions'>
  readonly principal: Pick<Principal, 'id' | 'permissions'>
  readonly id: string
  readonly reason: string | undefined
  readonly force: boolean
  /** How long to wait for the worker before the execution is cancelled by force. Default: that of the engine. */
  readonly forceAfterMs?: number
  readonly cleanup: boolean
}

interface Cancelled {
  /** The execution before the request. */
  readonly before: ExecutionRecord
  /** The execution now. With `cleanup` it still has the outputs that were stored before the request. */
  readonly after: ExecutionRecord
  /** False: its worker has not confirmed yet, and ends it later. */
  readonly isOver: boolean
}

/** Cancels an execution that the caller may see. Throws `execution_not_running` when it has ended already, `execution_not_found` when the caller may not see it. */
export async function cancelExecution(options: CancelOptions): Promise<Cancelled> {
  const { engine, principal, reason = null, force, forceAfterMs, cleanup } = options
  const before = await findExecution(engine, principal, options.id)
  const { id } = before
  const outcome = await engine.executions.cancel(id, {
    by: principal.id,
    reason,
    force,
    cleanup,
    ...(force && forceAfterMs !== undefined && { waitMs: forceAfterMs }),
  })
  const after = await findExecution(engine, principal, id)
  if (outcome === undefined || outcome === 'over') {
    throw engineFailure('execution_not_running', {
      message: `The execution is already ${after.status}.`,
      details: { execution_id: id, status: after.status },
    })
  }
  return {
    before,
    after: cleanup ? withOutputsOf(before, after) : after,
    isOver: outcome === 'cancelled',
  }
}

function withOutputsOf(before: ExecutionRecord, after: ExecutionRecord): ExecutionRecord {
  const outputs = new Map(before.outcomes.map(({ item, stepId, output }) => [`${item} ${stepId}`, output]))
  return {
    ...after,
    outcomes: after.outcomes.map((outcome) => ({
      ...outcome,
      output: outcome.output ?? outputs.get(`${outcome.item} ${outcome.stepId}`) ?? null,
    })),
  }
}

interface CancelledResponseOptions {
  /** Whether the outputs of its steps are removed with its end. */
  readonly cleanup: boolean
  /** Whether a step whose output was not kept is left out of the partial results; else it is null there. */
  readonly omitsRemovedOutputs: boolean
}

/** The response to a cancellation: completed and cancelled steps, partial results and the refund. */
export function describeCancelled(
  {
    before,
    after,
  }: Pick<Cancelled, 'after'> & { readonly before: Pick<ExecutionRecord, 'spent' | 'reserved'> },
  { cleanup, omitsRemovedOutputs }: CancelledResponseOptions,
) {
  const { id, status, definition, input, outcomes, finishedAt, spent } = after
  const isCancelled = status === 'cancelled'
  const items = Math.max(1, input.batch?.items.length ?? 1)
  return {
    success: true,
    execution_id: id,
    status,
    cancelled_at: isCancelled ? epochSeconds(finishedAt) : null,
    steps_completed: outcomes.filter(({ state }) => state === 'completed').length,
    steps_cancelled: isCancelled ? definition.steps.length * items - outcomes.length : 0,
    partial_results: omitsRemovedOutputs ? describeResultsByStep(after) : completedByStep(after),
    cleanup_status: isCancelled
      ? cleanup
        ? ('removed' as const)
        : ('completed' as const)
      : ('in_progress' as const),
    refund_amount: isCancelled ? dollars(Math.max(0, before.spent + before.reserved - spent)) : 0,
  }
}
