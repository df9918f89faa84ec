import { kernelFailure } from '#kernel/errors'
import { type Executor, runStatement } from '#kernel/work'
import { microDollars } from '../definition/values.ts'
import { engineFailure } from '../errors.ts'
import type { ExecutionInput } from '../execution/input.ts'
import type { LockedExecution } from './locked-execution.ts'
import { isOverOwnBudget, type RecoveryAction } from './recovery-options.ts'

/** A new budget for an execution that failed because its budget was used up. */
export interface RaisedBudget {
  /** Dollars for the whole execution, with what it has spent. */
  readonly maxTotalCost: number
  /** Whether the budget may exceed `max_total_cost` of the flow. */
  readonly mayExceedFlow: boolean
}

/**
 * The input of the execution with the new budget, which takes the place of its limits. Throws `recovery_not_possible` when the failure
 * has another cause or the budget is not above what is spent, and `permission_denied` above the limit of the flow.
 */
export async function raiseBudget(
  transaction: Executor,
  { id, input, error, definition }: LockedExecution,
  action: RecoveryAction,
  { maxTotalCost, mayExceedFlow }: RaisedBudget,
): Promise<ExecutionInput> {
  const refuse = (message: string) =>
    engineFailure('recovery_not_possible', { message, details: { execution_id: id, action } })
  if (action !== 'restart_from_checkpoint') {
    throw refuse('max_total_cost belongs to the action restart_from_checkpoint.')
  }
  if (error === null || !isOverOwnBudget(error)) {
    throw refuse(
      `The execution did not use up its budget: it ended with ${error?.code ?? 'an error'}. Leave out max_total_cost.`,
    )
  }
  const budget = microDollars(maxTotalCost)
  const [row] = await runStatement<{ spent: number }>(
    transaction,
    'select spent from engine_executions where id = $1',
    [id],
  )
  const spent = row?.spent ?? 0
  if (budget <= spent) {
    throw refuse(`The execution has spent $${spent / 1e6}: max_total_cost must be above that.`)
  }
  const limit = definition.global_configuration?.cost_controls?.max_total_cost
  if (limit !== undefined && budget > microDollars(limit) && !mayExceedFlow) {
    throw kernelFailure('permission_denied', {
      message: `The limit of the flow is $${limit}. To exceed it you need the permission "manage workflows".`,
      details: { permission: ['manage workflows'] },
    })
  }
  return { ...input, recovery: { ...input.recovery, budget } }
}
