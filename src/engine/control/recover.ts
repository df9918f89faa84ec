import { type Executor, runStatement } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import type { ExecutionInput } from '../execution/input.ts'
import { rulesOf } from '../execution/rules.ts'
import type { StepOutcome } from '../store/commit.ts'
import { addToJournal } from '../store/end-from-outside.ts'
import { readOutcomes } from '../store/load-execution.ts'
import { type LockedExecution, lockExecution } from './locked-execution.ts'
import { endedWith, failedProviders, type RecoveryAction } from './recovery-options.ts'
import { type LeftOut, stepsLeftOut } from './steps-left-out.ts'

export interface Recovery {
  readonly action: RecoveryAction
  /** The account that asks for it. */
  readonly by: string | null
}

/**
 * Puts an execution that failed back into the queue. Runs inside a transaction; afterwards the account's executions are to be promoted.
 *
 * | action                        | outcomes that ended it                    | besides                                              |
 * |-------------------------------|-------------------------------------------|------------------------------------------------------|
 * | restart_from_checkpoint       | removed, so that their steps run again    |                                                      |
 * | retry_with_different_provider | likewise                                  | the providers that failed are not asked again        |
 * | continue_without_failed_step  | stay, as passed over                      | steps that will not run without them are skipped     |
 *
 * Its time begins to count anew. The end that was counted is taken back: it counts when it ends again.
 */
export async function recoverExecution(
  transaction: Executor,
  id: string,
  { action, by }: Recovery,
): Promise<{ readonly accountId: string }> {
  const execution = await lockExecution(transaction, id)
  requireFailed(execution)
  const outcomes = await readOutcomes(transaction, id)
  const failed = outcomes.filter(endedWith)
  const steps = [...new Set(failed.map(({ stepId }) => stepId))]
  const input = inputAfter(action, execution, outcomes)
  let skipped: readonly LeftOut[] = []
  if (action === 'continue_without_failed_step') {
    if (failed.length === 0) throw nothingFailed(execution)
    skipped = stepsLeftOut(execution.definition.steps, outcomes)
    await passOver(transaction, id, skipped)
  } else {
    await runStatement(transaction, removeStatement, [id])
  }
  await takeEndBack(transaction, execution)
  await runStatement(transaction, requeueStatement, [id, JSON.stringify(input)])
  await addToJournal(transaction, id, 'execution_recovered', {
    execution_id: id,
    action,
    by,
    failed_steps: steps,
    ...(skipped.length > 0 && { skipped_steps: [...new Set(skipped.map(({ stepId }) => stepId))] }),
    ...(input.recovery !== undefined && { avoided_providers: input.recovery.avoided_providers }),
    error: execution.error,
  })
  return { accountId: execution.account_id }
}

/** What was told with an outcome did happen, and stays. */
const removeStatement = `
  with removed as (
    delete from engine_steps
    where execution_id = $1 and state = 'failed' and details::jsonb -> 'aborted' = 'true'
    returning execution_id, first_seq, entries
  )
  insert into engine_journal (execution_id, first_seq, entries)
  select execution_id, first_seq, entries from removed where entries is not null
`

/** Parked: whether there is room for it now is decided like for any other. The higher fence keeps out who may still hold it. */
const requeueStatement = `
  update engine_executions
  set status = 'queued', input = $2, error = null, facts = null, cancel = null, finished_at = null, timed_from = now(),
    active_ms = coalesce((facts ->> 'duration_ms')::bigint, 0), resumed_at = null,
    work_state = 'queued', work_due_at = 'infinity', work_worker = null, work_fence = work_fence + 1, work_attempts = 0
  where id = $1
`

function requireFailed({ id, status }: LockedExecution): void {
  if (status === 'failed') return
  throw engineFailure('execution_not_failed', {
    message: `Only an execution that failed can be recovered; this one is ${status}.`,
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
        'No provider is to blame for this failure, so another one would not help. Use restart_from_checkpoint.',
      details: { execution_id: id, action },
    })
  }
  const avoided = new Set([...(input.recovery?.avoided_providers ?? []), ...failed])
  return { ...input, recovery: { avoided_providers: [...avoided], others_may_answer: true } }
}

function nothingFailed({ id, error }: LockedExecution) {
  return engineFailure('recovery_not_possible', {
    message: `No step failed: the execution ended with ${error?.code ?? 'an error'}. Use restart_from_checkpoint.`,
    details: { execution_id: id, action: 'continue_without_failed_step' },
  })
}

/** Keeps what failed as if it had been passed over from the start, with the steps that do not run for it. */
async function passOver(transaction: Executor, id: string, skipped: readonly LeftOut[]): Promise<void> {
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

/** An end that is not in the history yet never gets there; one that is there is subtracted. */
async function takeEndBack(transaction: Executor, { id, definition, input }: LockedExecution): Promise<void> {
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
