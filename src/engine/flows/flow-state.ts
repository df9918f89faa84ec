import { type Executor, runStatement } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import type { Flow } from './read-flows.ts'
import { noSuchFlow } from './write-flows.ts'

/**
 * | state    | `disabled_at` | new executions                          | running executions | definition      |
 * |----------|---------------|-----------------------------------------|--------------------|-----------------|
 * | enabled  | null          | start                                   | run                | can be changed  |
 * | disabled | set           | are refused with `flow_disabled` (409)  | run to their end   | can be changed  |
 *
 * Every way to a new execution, or back into one, is refused: requests, schedules, triggers, reruns, forks and recoveries. A step that
 * would call the flow fails. A built-in flow can be disabled, too.
 */
interface StateChange {
  readonly id: string
  readonly enabled: boolean
  /** The account that changes it. */
  readonly by: string | null
}

/** Enables or disables a flow. Returns whether its state changed. Throws `flow_not_found`. */
export async function setFlowState(
  transaction: Executor,
  { id, enabled, by }: StateChange,
): Promise<boolean> {
  const [flow] = await runStatement<{ disabled: boolean }>(
    transaction,
    `
      select disabled_at is not null as disabled from engine_flows
      where id = $1 and deleted_at is null
      for update
    `,
    [id],
  )
  if (flow === undefined) throw noSuchFlow(id)
  if (flow.disabled !== enabled) return false
  await runStatement(
    transaction,
    enabled
      ? 'update engine_flows set disabled_at = null, disabled_by = null where id = $1'
      : 'update engine_flows set disabled_at = now(), disabled_by = $2 where id = $1',
    enabled ? [id] : [id, by],
  )
  return true
}

/** Throws `flow_disabled` unless the flow is enabled. */
export function requireEnabled({ flowId, disabledAt }: Pick<Flow, 'flowId' | 'disabledAt'>): void {
  if (disabledAt !== null) throw flowDisabled(flowId)
}

/** Throws `flow_disabled` unless the flow of an execution is enabled. The execution of a deleted flow is no matter of this. */
export async function requireEnabledById(executor: Executor, flowId: string): Promise<void> {
  const [disabled] = await runStatement(
    executor,
    'select 1 from engine_flows where id = $1 and disabled_at is not null and deleted_at is null',
    [flowId],
  )
  if (disabled !== undefined) throw flowDisabled(flowId)
}

function flowDisabled(flowId: string) {
  return engineFailure('flow_disabled', {
    message: `The flow "${flowId}" is disabled. Enable it to run it: PATCH /ai-workflows/api/flows/${flowId} with {"enabled": true}.`,
    details: { flow_id: flowId, enabled: false },
  })
}
