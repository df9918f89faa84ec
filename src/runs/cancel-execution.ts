import { type Engine, type ExecutionRecord, engineFailure } from '#engine'
import type { Principal } from '#kernel/http'
import { findExecution } from './find-execution.ts'

interface CancelOptions {
  readonly engine: Pick<Engine, 'executions'>
  readonly principal: Pick<Principal, 'id' | 'permissions'>
  readonly id: string
  readonly reason: string | undefined
  readonly force: boolean
  /** How long a worker is waited for before the execution is taken away from it by force. Default: that of the engine. */
  readonly forceAfterMs?: number
  readonly cleanup: boolean
}

interface Cancelled {
  /** As it stood before. */
  readonly before: ExecutionRecord
  /** As it stands now. With `cleanup` it still has the outputs that had been stored when the request came. */
  readonly after: ExecutionRecord
  /** False: its worker has not answered yet, and ends it later. */
  readonly isOver: boolean
}

/** Cancels an execution that the caller may see. Throws `execution_not_running` when it has ended otherwise. */
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
      message: `The execution is ${after.status} already.`,
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
