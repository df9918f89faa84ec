import { storableJson } from '#kernel/database'
import { type Executor, runStatement } from '#kernel/work'
import type { FlowDefinition } from '../definition/flow.ts'
import { containerOfScope, endRow, scopeOfPath, stepAtPath } from '../definition/nested-steps.ts'
import { childrenOf, isContainer, kindOf, type Step } from '../definition/step-types.ts'
import { engineFailure } from '../errors.ts'
import { driverOf } from '../execution/containers/index.ts'
import type { ExecutionInput } from '../execution/input.ts'
import { rulesOf } from '../execution/rules.ts'
import { createFlowAt, createLoadedFlows, type LoadedFlow } from '../execution/sub-flows.ts'
import type { FlowVersions } from '../flows/read-flows.ts'
import { gateOf } from '../gates/gate-of.ts'
import { readTurn } from '../gates/read-turn.ts'
import { requireCapacity } from '../gates/store-at-gate.ts'
import { type Graph, readGraph } from '../graph/graph.ts'
import { noUsage, type StepUsage } from '../steps/step-failure.ts'
import type { StepOutcome } from '../store/commit.ts'
import { addToJournal, type EndedRow } from '../store/end-execution.ts'
import { workPriority } from '../store/queue.ts'
import { readOutcomes } from '../store/read-outcomes.ts'
import { findUnchangedSteps, readTargetVersion, topStepOf, type VersionChoice } from './flow-version.ts'
import { type LockedExecution, lockExecution } from './locked-execution.ts'
import { findSkippedSteps } from './recover.ts'
import { isAborting } from './recovery-options.ts'

export interface Fork {
  /** The id of the new execution. An existing execution with this id is returned unchanged. */
  readonly id: string
  /** The account that pays for it. */
  readonly accountId: string
  readonly fromStep: string
  /** The version it runs; the same by default. */
  readonly flowVersion?: VersionChoice | undefined
  /** Context, memory and options are merged over those of the source, field by field. */
  readonly context?: ExecutionInput['context'] | undefined
  readonly memory?: ExecutionInput['memory'] | undefined
  readonly options?: ExecutionInput['options'] | undefined
}

/**
 * Creates an execution that starts at a step of the source and reuses the outcomes before it. With another version of the flow it reuses
 * only outcomes of steps that this version leaves as they are; the others run again. It is parked, or comes to the gate of its flow: the
 * caller then promotes the account's executions. A fork is not debounced. Runs inside a transaction that locks the source.
 */
export async function forkExecution(
  transaction: Executor,
  versions: FlowVersions,
  sourceId: string,
  fork: Fork,
): Promise<EndedRow & { readonly needsApproval: boolean }> {
  const source = await lockExecution(transaction, sourceId)
  const { fromStep, flowVersion = 'same', memory = {} } = fork
  const { version, definition, metadata } = await readTargetVersion(transaction, source, flowVersion)
  // Outputs inside containers are copied in the database.
  const stored = await readOutcomes(transaction, sourceId, 'of_flow')
  const flows = createLoadedFlows(versions, (ref) => versions.readInside(transaction, ref.id, ref.version))
  await flows.load(stored)
  const flowAt = createFlowAt(stored, flows)
  const stepsInside = (container: Step, path: string) =>
    flowAt(path)?.definition.steps ?? childrenOf(container)
  if (stepAtPath(definition.steps, fromStep, stepsInside) === undefined)
    throw noSuchStep(source.flow_id, definition, fromStep)
  const isSame = version === source.flow_version
  const outcomes = isSame ? stored : outcomesFor(definition, source, stored)
  const reused = reuseOutcomes({
    steps: definition.steps,
    outcomes,
    from: sourceId,
    fromStep,
    memory,
    flowAt,
  })
  requireReached(definition, isSame ? outcomes : [...reused, ...skippedAfter(definition, reused)], fromStep)
  if (reused.length > 0) requireOutputs(source)
  const needsApproval = metadata.approval_required === true
  const input = inputOf(source.input, fork)
  const { gate, priority } = gateOf(definition, {
    flowId: source.flow_id,
    accountId: fork.accountId,
    priority: source.priority,
    input,
  })
  const forked = {
    account_id: fork.accountId,
    flow_id: source.flow_id,
    concurrency_key: gate?.concurrencyKey ?? null,
    throttle_key: gate?.throttleKey ?? null,
    needsApproval,
  }
  const isGated = !needsApproval && (forked.concurrency_key ?? forked.throttle_key) !== null
  if (isGated) await requireCapacity(transaction, { flowId: source.flow_id, accountId: fork.accountId })
  const inserted = await runStatement(transaction, insertStatement, [
    fork.id,
    source.flow_id,
    version,
    fork.accountId,
    priority,
    storableJson(input),
    needsApproval ? 'pending' : null,
    sourceId,
    fromStep,
    workPriority[priority],
    forked.concurrency_key,
    forked.throttle_key,
    isGated,
    isGated ? await readTurn(transaction, forked) : null,
  ])
  if (inserted.length === 0) return forked
  await storeOutcomes(transaction, { from: sourceId, to: fork.id }, reused)
  await addToJournal(transaction, fork.id, 'execution_forked', {
    execution_id: fork.id,
    forked_from: sourceId,
    from_step: fromStep,
    ...(version !== source.flow_version && { flow_version: version }),
    reused_steps: [...new Set(reused.map(({ stepId }) => stepId).filter((id) => !id.includes('/')))],
    edited: (['context', 'memory', 'options'] as const).filter((part) => fork[part] !== undefined),
  })
  return forked
}

const insertStatement = `
  insert into engine_executions (
    id, flow_id, flow_version, account_id, priority, input, approval, forked_from, forked_at_step, work_priority, concurrency_key,
    throttle_key, work_state, gated_at, gate_turn, work_due_at
  )
  values (
    $1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12,
    case when $13 then 'gated' else 'queued' end, case when $13 then now() end, $14, 'infinity'
  )
  on conflict (id) do nothing
  returning id
`

const storeStatement = `
  with stored as (
    insert into engine_steps (
      execution_id, item, step_id, seq, state, attempts, started_at, finished_at, output, choice, error, details, spent
    )
    select $1, it.item, it.step_id, it.seq, it.state, it.attempts, it.started_at, it.finished_at,
      coalesce(inside.output, it.output_object, it.output::text), it.choice::text, it.error::text, it.details::text, it.spent
    from json_to_recordset($2::json) as it (
      item integer, step_id text, seq integer, state text, attempts smallint, started_at timestamptz, finished_at timestamptz,
      output json, output_object text, choice json, error json, details json, spent bigint
    )
    left join engine_steps as inside
      on position('/' in it.step_id) > 0
      and inside.execution_id = $3 and inside.item = it.item and inside.step_id = it.step_id
    returning execution_id, output
  )
  -- The objects of the source stay as long as either execution refers to them.
  insert into engine_objects (id, execution_id)
  select distinct split_part(output, ':', 2)::uuid, execution_id from stored where engine_is_object(output)
`

async function storeOutcomes(
  transaction: Executor,
  { from, to }: { readonly from: string; readonly to: string },
  outcomes: readonly StepOutcome[],
): Promise<void> {
  const rows = outcomes.map(({ stepId, startedAt, finishedAt, outputObject, ...outcome }) => ({
    ...outcome,
    output_object: outputObject,
    step_id: stepId,
    started_at: startedAt,
    finished_at: finishedAt,
  }))
  await runStatement(transaction, storeStatement, [to, storableJson(rows), from])
}

/** Providers avoided by a recovery stay avoided in the fork. */
function inputOf(source: ExecutionInput, { context, memory, options }: Fork): ExecutionInput {
  return {
    ...source,
    context: { ...source.context, ...context },
    memory: { ...source.memory, ...memory },
    options: { ...source.options, ...options },
  }
}

function noSuchStep(flowId: string, definition: FlowDefinition, step: string) {
  return engineFailure('unknown_step', {
    message: `The flow "${flowId}" has no step "${step}".`,
    details: { step, steps: definition.steps.map(({ id }) => id) },
  })
}

/** The outcomes of the source that hold in another version. Which steps are skipped is derived again. */
function outcomesFor(
  definition: FlowDefinition,
  source: LockedExecution,
  outcomes: readonly StepOutcome[],
): readonly StepOutcome[] {
  const unchanged = findUnchangedSteps(source.definition.steps, definition.steps)
  return outcomes.filter((outcome) => outcome.state !== 'skipped' && unchanged.has(topStepOf(outcome)))
}

/** The steps that the reused outcomes skip. */
function skippedAfter(definition: FlowDefinition, reused: readonly StepOutcome[]) {
  return findSkippedSteps(definition.steps, reused).map(({ stepId, reason }) => ({
    stepId,
    state: 'skipped' as const,
    details: { reason },
  }))
}

/** A skipped step would be skipped again, because the fork reuses the decision before it. */
function requireReached(
  definition: FlowDefinition,
  outcomes: readonly Pick<StepOutcome, 'stepId' | 'state' | 'details'>[],
  step: string,
): void {
  const scope = scopeOfPath(step)
  if (scope !== '' && !outcomes.some(({ stepId }) => stepId.startsWith(scope))) {
    throw engineFailure('unknown_step', {
      message: `This execution has no "${scope.slice(0, -1)}": no item with this number has started.`,
      details: { step, steps: definition.steps.map(({ id }) => id) },
    })
  }
  const ofStep = outcomes.filter(({ stepId }) => stepId === step)
  const [first] = ofStep
  if (first === undefined || ofStep.some(({ state }) => state !== 'skipped')) return
  const reason = String(first.details['reason'])
  throw engineFailure('step_was_skipped', {
    message: `The step "${step}" was skipped: ${reason}. Fork from the step that decided this.`,
    details: { step, reason, steps: definition.steps.map(({ id }) => id) },
  })
}

/** A failed execution always keeps its outputs, for recovery; other ones only with `track_intermediate_results`. */
function requireOutputs({ id, status, cancel, definition, input }: LockedExecution): void {
  if (status !== 'completed' && status !== 'cancelled') return
  const wereRemoved = status === 'cancelled' && cancel?.cleanup === true
  if (!wereRemoved && rulesOf(definition, input, new Date()).keepsOutputs) return
  throw engineFailure('outputs_not_kept', {
    message:
      'The outputs of this execution were not kept, so a fork cannot reuse them. Fork from its first step, or start the flow again.',
    details: { execution_id: id },
  })
}

interface Reuse {
  readonly steps: readonly Step[]
  readonly outcomes: readonly StepOutcome[]
  /** The execution the outcomes belong to. */
  readonly from: string
  /** The step path of the first step that runs again. */
  readonly fromStep: string
  /** Memory keys that the fork overrides. */
  readonly memory: Readonly<Record<string, unknown>>
  /** The flow that a container with this path runs. */
  readonly flowAt?: (path: string) => LoadedFlow | undefined
}

/**
 * The outcomes a fork reuses: all except those of the chosen step and of the steps after it. Inside a container, its scope is open again:
 * the ends of the scopes and containers around it, the later iterations of a loop, and the steps after those containers, are not reused either. An overridden memory key replaces the output
 * of the last step that wrote it. Reused outcomes cost nothing.
 */
export function reuseOutcomes({ steps, outcomes, from, fromStep, memory, flowAt }: Reuse): StepOutcome[] {
  const runsAgain = createRunsAgain(readGraph(steps), fromStep, flowAt)
  const reused = outcomes.filter((outcome) => !runsAgain(outcome) && !isAborting(outcome))
  const keyOf = new Map(steps.map(({ id, output_to_memory }) => [id, output_to_memory]))
  const lastWriter = new Map<string, StepOutcome>()
  for (const outcome of reused) {
    const key = outcome.state === 'completed' ? keyOf.get(outcome.stepId) : undefined
    if (key !== undefined) lastWriter.set(`${outcome.item} ${key}`, outcome)
  }
  return reused.map((outcome, index) => {
    const { item, stepId, state, output, details } = outcome
    const key = keyOf.get(stepId)
    const isEdited =
      key !== undefined && Object.hasOwn(memory, key) && lastWriter.get(`${item} ${key}`) === outcome
    return {
      ...outcome,
      seq: index + 1,
      attempts: 0,
      startedAt: null,
      spent: 0,
      output: isEdited ? memory[key] : output,
      ...(isEdited && { outputObject: null }),
      details: {
        ...details,
        ...(state !== 'skipped' && { usage: usageOf(details), cpu_ms: 0 }),
        reused_from: from,
        ...(isEdited && { edited: true }),
      },
    }
  })
}

/** Finds the outcomes that a fork from a step path must not reuse. */
function createRunsAgain(
  flow: Graph,
  fromStep: string,
  flowAt: Reuse['flowAt'] = () => undefined,
): (outcome: StepOutcome) => boolean {
  /** Step paths that run again, with everything inside them. */
  const again = new Set<string>()
  /** Scopes that are open again. */
  const open = new Set<string>()
  /** Loops whose iterations after a number run again. */
  const loops = new Map<string, number>()
  const parts = fromStep.split('/')
  let graph: Graph | undefined = flow
  for (let at = 0; at < parts.length; at += 2) {
    const scope = parts
      .slice(0, at)
      .map((part) => `${part}/`)
      .join('')
    const id = parts[at] ?? ''
    open.add(scope)
    for (const later of graph?.nodes ?? []) {
      if (graph?.isBefore(id, later.id)) again.add(`${scope}${later.id}`)
    }
    const step: Step | undefined = graph?.steps.get(id)
    const index = Number(parts[at + 1])
    if (step === undefined || !isContainer(step)) break
    if (kindOf(step).container?.isSequential === true) loops.set(`${scope}${id}`, index)
    graph = driverOf(step).graphOf?.(step, index, { flow: flowAt(`${scope}${id}`) }) ?? graph?.nested.get(id)
  }
  again.add(fromStep)
  const reopened = new Set([...open].flatMap((scope) => [`${scope}${endRow}`, containerOfScope(scope)]))
  return ({ stepId, details }) => {
    if (again.has(stepId) || reopened.has(stepId)) return true
    if (details['ended_scope'] === true && open.has(scopeOfPath(stepId))) return true
    const segments = stepId.split('/')
    return segments.some((segment, index) => {
      const before = segments.slice(0, index).join('/')
      return again.has(before) || Number(segment) > (loops.get(before) ?? Number.POSITIVE_INFINITY)
    })
  }
}

/** Keeps provider and model; the source execution has counted the rest. */
function usageOf({ usage }: StepOutcome['details']): StepUsage {
  return { ...noUsage, provider: usage?.provider ?? null, model: usage?.model ?? null }
}
