import { type Executor, runStatement } from '#kernel/work'
import { isContainerRow } from '../definition/nested-steps.ts'
import type { Step } from '../definition/step-types.ts'
import { engineFailure } from '../errors.ts'
import type { ExecutionInput } from '../execution/input.ts'
import { rulesOf } from '../execution/rules.ts'
import { requireEnabledById } from '../flows/flow-state.ts'
import { readGraph } from '../graph/graph.ts'
import { createPlan } from '../graph/plan.ts'
import type { StepOutcome } from '../store/commit.ts'
import { addToJournal } from '../store/end-execution.ts'
import { readOutcomes } from '../store/read-outcomes.ts'
import { findUnchangedSteps, readTargetVersion, topStepOf, type VersionChoice } from './flow-version.ts'
import { type LockedExecution, lockExecution } from './locked-execution.ts'
import { type RaisedBudget, raiseBudget } from './raise-budget.ts'
import { failedProviders, isAborting, type RecoveryAction } from './recovery-options.ts'

export interface Recovery {
  readonly action: RecoveryAction
  /** The account that requested it. */
  readonly by: string | null
  /** The version it continues with; the same by default. */
  readonly flowVersion?: VersionChoice | undefined
  readonly budget?: RaisedBudget | undefined
  /** A uuid of the request: repeated under the same one, it changes nothing, also when the execution has failed again since. */
  readonly requestId?: string | undefined
}

/** A request that is repeated after this many others is not recognised. */
const maxRequests = 10

/**
 * Puts a failed execution back into the queue. Runs inside a transaction; the caller then promotes the account's executions.
 *
 * | action                        | outcomes that ended the execution         | also                                                 |
 * |-------------------------------|-------------------------------------------|------------------------------------------------------|
 * | restart_from_checkpoint       | removed, so that their steps run again    |                                                      |
 * | retry_with_different_provider | removed, so that their steps run again    | the failed providers are not used again              |
 * | continue_without_failed_step  | kept, as passed over                      | steps that only they could have chosen are skipped   |
 *
 * It may continue with another version of the flow that leaves the steps that have finished as they are: no finished step runs again.
 * The timeout starts again. The history subtracts the first end and counts the next one.
 */
export async function recoverExecution(
  transaction: Executor,
  id: string,
  { action, by, flowVersion = 'same', budget, requestId }: Recovery,
): Promise<LockedExecution> {
  const execution = await lockExecution(transaction, id)
  const { requests = [] } = execution.input.recovery ?? {}
  if (requestId !== undefined && requests.includes(requestId)) return execution
  requireFailed(execution)
  await requireEnabledById(transaction, execution.flow_id)
  const outcomes = await readOutcomes(transaction, id, 'of_flow')
  const failed = outcomes.filter((outcome) => isAborting(outcome) && !isContainerRow(outcome.stepId))
  const steps = [...new Set(failed.map(({ stepId }) => stepId))]
  const input =
    budget === undefined
      ? inputAfter(action, execution, outcomes)
      : await raiseBudget(transaction, execution, action, budget)
  const target =
    flowVersion === 'same' ? execution : await findVersion(transaction, execution, { flowVersion, outcomes })
  let skipped: readonly SkippedStep[] = []
  if (action === 'continue_without_failed_step') {
    if (failed.length === 0) throw nothingFailed(execution)
    skipped = findSkippedSteps(target.definition.steps, outcomes)
    await passOver(transaction, id, skipped)
  } else {
    await runStatement(transaction, removeStatement, [id])
  }
  await runStatement(transaction, reopenStatement, [id])
  await subtractEnd(transaction, execution)
  await runStatement(transaction, requeueStatement, [
    id,
    JSON.stringify(recordRequest(input, requestId)),
    target.flow_version,
  ])
  await addToJournal(transaction, id, 'execution_recovered', {
    execution_id: id,
    action,
    by,
    failed_steps: steps,
    ...(skipped.length > 0 && { skipped_steps: [...new Set(skipped.map(({ stepId }) => stepId))] }),
    ...(input.recovery?.avoided_providers && { avoided_providers: input.recovery.avoided_providers }),
    ...(budget !== undefined && { max_total_cost: budget.maxTotalCost }),
    ...(target !== execution && { flow_version: target.flow_version }),
    error: execution.error,
  })
  return execution
}

function recordRequest(input: ExecutionInput, requestId: string | undefined): ExecutionInput {
  if (requestId === undefined) return input
  const requests = [...(input.recovery?.requests ?? []), requestId].slice(-maxRequests)
  return { ...input, recovery: { ...input.recovery, requests } }
}

/** Events stored beside a removed outcome move to the journal: they did happen. */
const removeStatement = `
  with removed as (
    delete from engine_steps
    where execution_id = $1 and state = 'failed' and details::jsonb -> 'aborted' = 'true'
    returning execution_id, item, step_id, first_seq, entries
  ),
  -- A step that is tried again waits again.
  waits as (
    delete from engine_waits where execution_id = $1 and (item, step_id) in (select item, step_id from removed)
  )
  insert into engine_journal (execution_id, first_seq, entries)
  select execution_id, first_seq, entries from removed where entries is not null
`

/** Waits that were cancelled because the execution had ended are opened again. */
const reopenStatement = `delete from engine_waits where execution_id = $1 and state = 'cancelled'`

/** Parks the execution: admission, and the gate of its flow, give it a slot like any other. The higher fence revokes the lease of its last worker. */
const requeueStatement = `
  update engine_executions
  set status = 'queued', input = $2, flow_version = $3, error = null, facts = null, cancel = null, finished_at = null, timed_from = now(),
    active_ms = coalesce((facts ->> 'duration_ms')::bigint, 0), resumed_at = null, suspended_at = null,
    work_state = case when concurrency_key is null then 'queued' else 'gated' end,
    gated_at = case when concurrency_key is null then gated_at else now() end, work_due_at = 'infinity', work_worker = null, work_fence = work_fence + 1, work_attempts = 0
  where id = $1
`

function requireFailed({ id, status }: LockedExecution): void {
  if (status === 'failed') return
  throw engineFailure('execution_not_failed', {
    message: `Only a failed execution can be recovered; this one is ${status}.`,
    details: { execution_id: id, status },
  })
}

function inputAfter(
  action: RecoveryAction,
  { id, input, error }: LockedExecution,
  outcomes: readonly StepOutcome[],
): ExecutionInput {
  if (action !== 'retry_with_different_provider') return input
  const failed = failedProviders({ error, outcomes })
  if (failed.length === 0) {
    throw engineFailure('recovery_not_possible', {
      message:
        'The failure was not caused by a provider, so another provider would not help. Use restart_from_checkpoint.',
      details: { execution_id: id, action },
    })
  }
  const avoided = new Set([...(input.recovery?.avoided_providers ?? []), ...failed])
  return {
    ...input,
    recovery: { ...input.recovery, avoided_providers: [...avoided], others_may_answer: true },
  }
}

/** Another version to continue with. Throws `flow_not_found`, and `recovery_not_possible` when it changes a step that has finished. */
async function findVersion(
  transaction: Executor,
  execution: LockedExecution,
  {
    flowVersion,
    outcomes,
  }: { readonly flowVersion: VersionChoice; readonly outcomes: readonly StepOutcome[] },
): Promise<Pick<LockedExecution, 'flow_version' | 'definition'>> {
  const { version, definition } = await readTargetVersion(transaction, execution, flowVersion)
  const unchanged = findUnchangedSteps(execution.definition.steps, definition.steps)
  const kept = outcomes
    .filter((outcome) => outcome.state !== 'skipped' && !isAborting(outcome))
    .map(topStepOf)
  const changed = [...new Set(kept)].filter((step) => !unchanged.has(step))
  if (changed.length > 0) {
    throw engineFailure('recovery_not_possible', {
      message: `Version ${version} changes ${changed.join(', ')} or a step before, and the execution has finished this already. Fork it from there, or run it again.`,
      details: { execution_id: execution.id, flow_version: version, changed_steps: changed },
    })
  }
  return { flow_version: version, definition }
}

function nothingFailed({ id, error }: LockedExecution) {
  return engineFailure('recovery_not_possible', {
    message: `No step failed: the execution ended with ${error?.code ?? 'an error'}. Use restart_from_checkpoint.`,
    details: { execution_id: id, action: 'continue_without_failed_step' },
  })
}

/** Marks the failed outcomes as passed over, and stores the outcomes of the steps that are skipped because of them. */
async function passOver(transaction: Executor, id: string, skipped: readonly SkippedStep[]): Promise<void> {
  await runStatement(
    transaction,
    `
      update engine_steps set details = details::jsonb || '{"aborted": false, "passed_over": true}'
      where execution_id = $1 and state = 'failed' and details::jsonb -> 'aborted' = 'true'
    `,
    [id],
  )
  await runStatement(
    transaction,
    `
      insert into engine_steps (execution_id, item, step_id, seq, state, attempts, finished_at, details, spent)
      select $1, it.item, it.step_id, last.seq + row_number() over (), 'skipped', 0, now(),
        jsonb_build_object('reason', it.reason), 0
      from json_to_recordset($2::json) as it (item integer, step_id text, reason text)
      cross join (select coalesce(max(seq), 0) as seq from engine_steps where execution_id = $1) as last
    `,
    [id, JSON.stringify(skipped.map(({ item, stepId, reason }) => ({ item, step_id: stepId, reason })))],
  )
}

/** Removes the end of the execution from the history: before it is rolled up by deleting it, after that by subtracting it. */
async function subtractEnd(transaction: Executor, { id, definition, input }: LockedExecution): Promise<void> {
  if (!rulesOf(definition, input, new Date()).counts) return
  const removed = await runStatement(
    transaction,
    'delete from engine_finished where execution_id = $1 and sign = 1 and facts is null returning 1',
    [id],
  )
  if (removed.length > 0) return
  await runStatement(
    transaction,
    `
      insert into engine_finished (execution_id, sign, facts)
      select id, -1, facts from engine_executions where id = $1 and facts is not null
    `,
    [id],
  )
}

interface SkippedStep {
  readonly item: number
  readonly stepId: string
  readonly reason: string
}

/**
 * The steps without an outcome that are skipped once every failed step counts as passed over: only a decision of a failed step could
 * have chosen them.
 */
export function findSkippedSteps(
  steps: readonly Step[],
  outcomes: readonly Pick<StepOutcome, 'item' | 'stepId' | 'state' | 'choice'>[],
): SkippedStep[] {
  const graph = readGraph(steps)
  // A container is passed over as a whole.
  const ofFlow = outcomes.filter(({ stepId }) => !stepId.includes('/'))
  return [...Map.groupBy(ofFlow, ({ item }) => item)].flatMap(([item, ofItem]) => {
    const plan = createPlan(graph)
    const known = new Set(ofItem.map(({ stepId }) => stepId))
    const skipped = ofItem
      .filter(({ state }) => state !== 'skipped')
      .flatMap(({ stepId, state, choice }) =>
        plan.finish(stepId, { failed: state === 'failed', choice: choice ?? undefined }),
      )
    return skipped.filter(({ id }) => !known.has(id)).map(({ id, reason }) => ({ item, stepId: id, reason }))
  })
}
