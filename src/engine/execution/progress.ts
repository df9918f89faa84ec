import type { FlowDefinition } from '../definition/flow.ts'
import type { Step } from '../definition/step-types.ts'
import { type Scope, splitPath } from '../expressions/path.ts'
import type { Graph } from '../graph/graph.ts'
import { createPlan, type Skipped } from '../graph/plan.ts'
import { StepFailure } from '../steps/step-failure.ts'
import type { StepOutcome, StoredError } from '../store/commit.ts'
import type { StepEnd } from './attempt-step.ts'
import type { OutcomeDetails } from './facts.ts'
import type { ExecutionInput } from './input.ts'
import type { Journal } from './journal.ts'
import type { Room } from './room.ts'
import type { Rules } from './rules.ts'
import { createSharedMemory } from './shared-memory.ts'

/** A step that ran, and when. */
export interface FinishedStep {
  readonly step: Step
  /** Which of a batch; 0 without one. */
  readonly item: number
  /** What it computed here, not what it waited. */
  readonly cpuMs: number
  readonly begunAt: Date
  readonly endedAt: Date
  readonly end: StepEnd
}

/** Where one way through a flow stands: which steps are over, what they made, which may begin. A batch has one for each item. */
export interface Progress {
  readonly scope: Scope
  /** The step that would have made what is missing at a path, had it not failed. */
  readonly failedMakerOf: (path: string) => string | undefined
  /** Steps that could begin now. */
  ready(): readonly Step[]
  start(step: Step): void
  /** Takes what a step made: the outcomes to store, its own and those of steps that will not run, and the error that ends it all. */
  take(finished: FinishedStep): {
    readonly outcomes: readonly StepOutcome[]
    readonly error: StoredError | undefined
  }
  isOver(): boolean
  /** Gives up the room its outputs take. */
  close(): void
}

interface ProgressOptions {
  readonly definition: FlowDefinition
  readonly graph: Graph
  readonly input: Pick<ExecutionInput, 'context' | 'memory'>
  readonly item: number
  /** Whether what is told says which item it is about. */
  readonly isBatch: boolean
  readonly rules: Rules
  readonly room: Room
  readonly journal: Journal
  /** Numbers outcomes in the order they come. */
  readonly nextSeq: () => number
  /** What was stored before, in its order. */
  readonly outcomes: readonly StepOutcome[]
}

export function createProgress(options: ProgressOptions): Progress {
  const { definition, graph, input, item, isBatch, rules, room, journal, nextSeq, outcomes } = options
  const { steps } = graph
  const plan = createPlan(graph)
  const memory = createSharedMemory({ ...input, room })
  const failedSteps = new Set<string>()
  const about = isBatch ? { item } : {}

  for (const { stepId, state, choice, output } of outcomes) {
    const step = steps.get(stepId)
    // Skipping follows from what the others decided.
    if (step === undefined || state === 'skipped') continue
    if (state === 'failed') failedSteps.add(stepId)
    else memory.add(step, output)
    plan.finish(stepId, { failed: state === 'failed', choice: choice ?? undefined })
  }

  function skip({ id, reason }: Skipped, at: Date): StepOutcome {
    journal.add('step_skipped', { step_id: id, reason, ...about })
    return {
      stepId: id,
      item,
      seq: nextSeq(),
      state: 'skipped',
      attempts: 0,
      startedAt: null,
      finishedAt: at,
      output: null,
      choice: null,
      error: null,
      details: { reason },
      spent: 0,
    }
  }

  /** An output there is no room for fails its step, whatever else it did. */
  function remember({ step, end }: FinishedStep): StepEnd {
    if (end.kind !== 'completed') return end
    try {
      memory.add(step, end.result.output)
      return end
    } catch (error) {
      if (!(error instanceof StepFailure)) throw error
      return { kind: 'aborted', failure: error, usage: end.usage, attempts: end.attempts }
    }
  }

  return {
    scope: memory.scope,
    failedMakerOf(path) {
      const [first, second] = splitPath(path) ?? []
      const key = first === 'memory' ? second : first
      const maker = definition.steps.find(({ id, output_to_memory }) =>
        first === 'steps' ? id === second : output_to_memory !== undefined && output_to_memory === key,
      )
      return maker !== undefined && failedSteps.has(maker.id) ? maker.id : undefined
    },
    ready: () => plan.ready().flatMap((id) => steps.get(id) ?? []),
    start: ({ id }) => plan.start(id),
    take(finished) {
      const { step, endedAt } = finished
      const end = remember(finished)
      const outcome = outcomeOf({ ...finished, end }, nextSeq(), isBatch)
      tell({ ...finished, end }, outcome)
      if (end.kind === 'aborted') return { outcomes: [outcome], error: outcome.error ?? undefined }
      if (end.kind === 'passed_over') failedSteps.add(step.id)
      const skipped = plan.finish(step.id, {
        failed: end.kind === 'passed_over',
        choice: outcome.choice ?? undefined,
      })
      return { outcomes: [outcome, ...skipped.map((it) => skip(it, endedAt))], error: undefined }
    },
    isOver: () => plan.isOver(),
    close: () => memory.close(),
  }

  function tell({ step, end, begunAt, endedAt }: FinishedStep, outcome: StepOutcome): void {
    const completed = end.kind === 'completed'
    journal.add(completed ? 'step_completed' : 'step_failed', {
      step_id: step.id,
      step_type: step.type,
      duration: (endedAt.getTime() - begunAt.getTime()) / 1000,
      tokens_used: end.usage.inputTokens + end.usage.outputTokens,
      cost: (end.usage.microDollars ?? 0) / 1e6,
      unpriced: end.usage.microDollars === null,
      success: completed,
      ...about,
      ...(outcome.error !== null && { error: outcome.error }),
    })
    if (completed && end.result.decision !== undefined && rules.keepsDecisions) {
      journal.add('agent_decision', { step_id: step.id, ...about, ...end.result.decision })
    }
  }
}

function outcomeOf(
  { step, item, cpuMs, begunAt, endedAt, end }: FinishedStep,
  seq: number,
  isBatch: boolean,
): StepOutcome {
  const failure = end.kind === 'completed' ? end.fallback : end.failure
  const result = end.kind === 'completed' ? end.result : undefined
  return {
    stepId: step.id,
    item,
    seq,
    state: result === undefined ? 'failed' : 'completed',
    attempts: end.attempts,
    startedAt: begunAt,
    finishedAt: endedAt,
    output: result?.output ?? null,
    choice: result?.choice ?? null,
    error: failure === undefined ? null : { ...errorOf(failure), step: step.id, ...(isBatch && { item }) },
    details: {
      ...result?.details,
      confidence: result?.confidence ?? null,
      quality: result?.quality ?? null,
      decision: result?.decision ?? null,
      usage: end.usage,
      cpu_ms: Math.round(cpuMs * 1000) / 1000,
      ...(result === undefined && { aborted: end.kind === 'aborted' }),
    } satisfies OutcomeDetails & Record<string, unknown>,
    spent: end.usage.microDollars,
  }
}

/** A failure as it is stored. */
export function errorOf({ code, message, provider, details }: StepFailure): StoredError {
  return { code, message, ...(provider !== undefined && { provider }), details }
}
