import { containerOfScope, idOfPath, isGenerated } from '../definition/nested-steps.ts'
import type { Step } from '../definition/step-types.ts'
import { type Scope, splitPath } from '../expressions/paths.ts'
import type { Graph } from '../graph/graph.ts'
import { createPlan } from '../graph/plan.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { Journal, StepOutcome, StoredError } from '../store/commit.ts'
import { endedBefore } from './expression-times.ts'
import { outcomeOf, skippedOutcome } from './outcomes.ts'
import type { MemoryBudget, Rules } from './rules.ts'
import type { FinishedStep, StepEnd } from './running-steps.ts'
import { createSharedMemory } from './shared-memory.ts'

/** The progress of one scope: which of its steps ended, with which outputs, and which may start. */
export interface ScopeProgress {
  readonly scope: Scope
  /** The failed step that would have produced the value at a path. */
  readonly failedProducerOf: (path: string) => string | undefined
  /** Steps that may start now. */
  ready(): readonly Step[]
  /** Whether a step has neither started nor ended. */
  isWaiting(step: Step): boolean
  start(step: Step): void
  /** When the last of the steps before a step ended, also of those before its container; undefined: it is a first step. */
  endedBefore(stepId: string): Date | undefined
  /** Records a finished step. */
  take(finished: FinishedStep): TakenStep
  isFinished(): boolean
  /** Releases the memory budget of its outputs. */
  close(): void
}

/** The outcome of a step and those of steps skipped because of it, and the error that ends the scope. */
export interface TakenStep {
  readonly outcomes: readonly StepOutcome[]
  readonly error: StoredError | undefined
}

export interface ScopeProgressOptions {
  readonly graph: Graph
  readonly item: number
  /** Precedes the id of a step in its step path. */
  readonly path: string
  /** Further fields of events: the item of a batch, the container and the number of the scope. */
  readonly fields: Readonly<Record<string, unknown>>
  readonly isBatch: boolean
  /** Whether a container around the scope handles failures. */
  readonly isContained: boolean
  readonly context: Scope['context']
  readonly memory: Scope['memory']
  /** The scope around this one. Without its values, only its times are visible. */
  readonly outer?:
    | (Pick<ScopeProgress, 'endedBefore'> & Partial<Pick<ScopeProgress, 'scope' | 'failedProducerOf'>>)
    | undefined
  readonly rules: Pick<Rules, 'keepsDecisions'>
  readonly memoryBudget: MemoryBudget
  readonly journal: Pick<Journal, 'add'>
  /** Numbers the outcomes of the execution. */
  readonly nextSeq: () => number
  /** Outcomes of the scope from earlier leases, ordered by `seq`. */
  readonly outcomes: readonly StepOutcome[]
}

/** Opens a scope with the outcomes it has so far. */
export function createScopeProgress(options: ScopeProgressOptions): ScopeProgress {
  const { graph, item, path, fields, isBatch, isContained, rules, journal, nextSeq, outer } = options
  const { steps } = graph
  const plan = createPlan(graph)
  const memory = createSharedMemory({ ...options, outer: outer?.scope })
  const failedSteps = new Set<string>()
  const ends = new Map<string, Date>()

  for (const { stepId, state, choice, output, error, finishedAt } of options.outcomes) {
    const step = steps.get(stepId.slice(path.length))
    // The plan derives skipped steps from the choices of the others.
    if (step === undefined || state === 'skipped') continue
    if (state === 'failed') recordFailure(step, error)
    else memory.add(step, output)
    ends.set(step.id, finishedAt)
    plan.finish(step.id, { failed: state === 'failed', choice: choice ?? undefined })
  }

  function recordFailure(step: Step, error: StoredError | null): void {
    failedSteps.add(step.id)
    if (step.on_error !== undefined && error !== null) memory.addError(step.id, error)
  }

  /** An output that exceeds the memory budget turns a completed step into an aborted one. */
  function storeOutput({ step, end }: FinishedStep): StepEnd {
    if (end.kind !== 'completed') return end
    try {
      memory.add(step, end.result.output)
      return end
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      return { kind: 'aborted', failure: error, usage: end.usage, attempts: end.attempts }
    }
  }

  function recordEnd({ step, end, startedAt, endedAt }: FinishedStep, outcome: StepOutcome): void {
    const completed = end.kind === 'completed'
    journal.add(completed ? 'step_completed' : 'step_failed', {
      step_id: outcome.stepId,
      step_type: step.type,
      duration: (endedAt.getTime() - startedAt.getTime()) / 1000,
      tokens_used: end.usage.inputTokens + end.usage.outputTokens,
      cost: (end.usage.microDollars ?? 0) / 1e6,
      unpriced: end.usage.microDollars === null,
      success: completed,
      ...fields,
      ...(outcome.error !== null && { error: outcome.error }),
    })
    if (completed && end.result.decision !== undefined && rules.keepsDecisions) {
      journal.add('agent_decision', { step_id: outcome.stepId, ...fields, ...end.result.decision })
    }
  }

  return {
    scope: memory.scope,
    failedProducerOf(wanted) {
      const [first, second] = splitPath(wanted) ?? []
      const key = first === 'memory' ? second : first
      for (const { id, output_to_memory } of steps.values()) {
        const makes =
          first === 'steps' ? id === second : output_to_memory !== undefined && output_to_memory === key
        if (makes) return failedSteps.has(id) ? id : undefined
      }
      return outer?.failedProducerOf?.(wanted)
    },
    ready: () => plan.ready().flatMap((id) => steps.get(id) ?? []),
    isWaiting: ({ id }) => plan.stateOf(id) === 'waiting',
    start: ({ id }) => plan.start(id),
    endedBefore: (stepId) =>
      endedBefore(graph, stepId, (id) => ends.get(id)) ??
      outer?.endedBefore(idOfPath(containerOfScope(path))),
    take(ended) {
      const { step, endedAt } = ended
      ends.set(step.id, endedAt)
      const end = storeOutput(ended)
      const finished = end === ended.end ? ended : { ...ended, end }
      const place = { stepId: `${path}${step.id}`, seq: nextSeq(), isBatch, isContained }
      const outcome = outcomeOf(isGenerated(step.id) ? withType(finished) : finished, place)
      recordEnd(finished, outcome)
      if (end.kind === 'aborted') return { outcomes: [outcome], error: outcome.error ?? undefined }
      if (end.kind === 'passed_over') recordFailure(step, outcome.error)
      const skipped = plan.finish(step.id, {
        failed: end.kind === 'passed_over',
        choice: outcome.choice ?? undefined,
      })
      const outcomes = skipped.map((other) => {
        const stepId = `${path}${other.id}`
        journal.add('step_skipped', { step_id: stepId, reason: other.reason, ...fields })
        return skippedOutcome(other, { stepId, item, seq: nextSeq(), at: endedAt })
      })
      return { outcomes: [outcome, ...outcomes], error: undefined }
    },
    isFinished: () => plan.isFinished(),
    close: () => memory.close(),
  }
}

/** The type of a step that the definition of the flow does not have, for statistics. */
function withType(finished: FinishedStep): FinishedStep {
  return { ...finished, details: { ...finished.details, step_type: finished.step.type } }
}
