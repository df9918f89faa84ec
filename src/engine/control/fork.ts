import { storableJson } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import { engineFailure } from '../errors.ts'
import type { ExecutionInput } from '../execution/input.ts'
import { rulesOf } from '../execution/rules.ts'
import { isDraft } from '../flows/drafts.ts'
import type { StepOutcome } from '../store/commit.ts'
import { addToJournal } from '../store/end-from-outside.ts'
import { readOutcomes } from '../store/load-execution.ts'
import { workPriority } from '../store/queue.ts'
import { type LockedExecution, lockExecution } from './locked-execution.ts'
import { reuseOutcomes } from './reuse-outcomes.ts'

export interface Fork {
  /** Of the new execution. One that is there already is answered, and nothing is made. */
  readonly id: string
  /** Who pays for it. */
  readonly accountId: string
  readonly fromStep: string
  /** Each laid over what the first execution was given, field by field. */
  readonly context?: ExecutionInput['context'] | undefined
  readonly memory?: ExecutionInput['memory'] | undefined
  readonly options?: ExecutionInput['options'] | undefined
}

/**
 * Makes a new execution of the same version that begins at a step of another one, with what was settled before it. It is parked:
 * afterwards the account's executions are to be promoted. Runs inside a transaction, in which the first execution cannot go on.
 */
export async function forkExecution(
  transaction: Executor,
  sourceId: string,
  fork: Fork,
): Promise<{ readonly needsApproval: boolean }> {
  const source = await lockExecution(transaction, sourceId)
  const { definition, metadata } = source
  const { fromStep, memory = {} } = fork
  if (!definition.steps.some(({ id }) => id === fromStep)) throw noSuchStep(source, fromStep)
  await requireFlow(transaction, source)
  const outcomes = await readOutcomes(transaction, sourceId)
  requireReached(source, outcomes, fromStep)
  const reused = reuseOutcomes({ steps: definition.steps, outcomes, from: sourceId, fromStep, memory })
  if (reused.length > 0) requireOutputs(source)
  const needsApproval = metadata.approval_required === true
  const made = await runStatement(transaction, insertStatement, [
    fork.id,
    source.flow_id,
    source.flow_version,
    fork.accountId,
    source.priority,
    storableJson(inputOf(source.input, fork)),
    needsApproval ? 'pending' : null,
    sourceId,
    fromStep,
    workPriority[source.priority],
  ])
  if (made.length === 0) return { needsApproval }
  await storeOutcomes(transaction, fork.id, reused)
  await addToJournal(transaction, fork.id, 'execution_forked', {
    execution_id: fork.id,
    forked_from: sourceId,
    from_step: fromStep,
    reused_steps: [...new Set(reused.map(({ stepId }) => stepId))],
    edited: (['context', 'memory', 'options'] as const).filter((part) => fork[part] !== undefined),
  })
  return { needsApproval }
}

const insertStatement = `
  insert into engine_executions (
    id, flow_id, flow_version, account_id, priority, input, approval, forked_from, forked_at_step, work_priority, work_due_at
  )
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'infinity')
  on conflict (id) do nothing
  returning id
`

const storeStatement = `
  insert into engine_steps (
    execution_id, item, step_id, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent
  )
  select $1, it.item, it.step_id, it.seq, it.state, it.attempts, it.started_at, it.finished_at, it.output::text, it.choice::text,
    it.error::text, it.details::text, it.spent
  from json_to_recordset($2::json) as it (
    item integer, step_id text, seq integer, state text, attempts smallint, started_at timestamptz, finished_at timestamptz,
    output json, choice json, error json, details json, spent bigint
  )
`

async function storeOutcomes(
  transaction: Executor,
  id: string,
  outcomes: readonly StepOutcome[],
): Promise<void> {
  const rows = outcomes.map(({ stepId, startedAt, finishedAt, ...outcome }) => ({
    ...outcome,
    step_id: stepId,
    started_at: startedAt,
    finished_at: finishedAt,
  }))
  await runStatement(transaction, storeStatement, [id, storableJson(rows)])
}

/** Providers that were avoided stay avoided: the fork was made of an execution that had trouble with them. */
function inputOf(source: ExecutionInput, { context, memory, options }: Fork): ExecutionInput {
  return {
    ...source,
    context: { ...source.context, ...context },
    memory: { ...source.memory, ...memory },
    options: { ...source.options, ...options },
  }
}

function noSuchStep({ flow_id: flowId, definition }: LockedExecution, step: string) {
  return engineFailure('unknown_step', {
    message: `"${flowId}" has no step "${step}".`,
    details: { step, steps: definition.steps.map(({ id }) => id) },
  })
}

async function requireFlow(transaction: Executor, { flow_id: flowId }: LockedExecution): Promise<void> {
  if (isDraft(flowId)) return
  const [flow] = await runStatement(
    transaction,
    'select 1 from engine_flows where id = $1 and deleted_at is null',
    [flowId],
  )
  if (flow === undefined) {
    throw engineFailure('flow_not_found', {
      message: `"${flowId}" was deleted, so nothing new of it can be run.`,
      details: { flow_id: flowId },
    })
  }
}

/** What was skipped would be skipped again: the decision before it is taken over. */
function requireReached(
  { definition }: LockedExecution,
  outcomes: readonly StepOutcome[],
  step: string,
): void {
  const ofStep = outcomes.filter(({ stepId }) => stepId === step)
  const [first] = ofStep
  if (first === undefined || ofStep.some(({ state }) => state !== 'skipped')) return
  const reason = String(first.details['reason'])
  throw engineFailure('step_was_skipped', {
    message: `"${step}" was skipped: ${reason}. Fork from the step that decided so.`,
    details: { step, reason, steps: definition.steps.map(({ id }) => id) },
  })
}

/** What failed keeps its outputs, to be recovered; all others only when they are to be kept. */
function requireOutputs({ id, status, cancel, definition, input }: LockedExecution): void {
  if (status !== 'completed' && status !== 'cancelled') return
  const wereRemoved = status === 'cancelled' && cancel?.cleanup === true
  if (!wereRemoved && rulesOf(definition, input, new Date()).keepsOutputs) return
  throw engineFailure('outputs_not_kept', {
    message:
      'The outputs of this execution were not kept, so nothing can be taken over. Fork from its first step, or start the flow anew.',
    details: { execution_id: id },
  })
}
