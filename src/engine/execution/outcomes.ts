import type { Step } from '../definition/step-types.ts'
import type { Choice, Skipped } from '../graph/plan.ts'
import { isFatal, noUsage, type StepUsage } from '../steps/step-failure.ts'
import type { StepOutcome, StoredError } from '../store/commit.ts'
import { errorOf, type FinishedStep, type StepEnd } from './running-steps.ts'
import type { OutcomeDetails } from './stats.ts'
import type { FlowRef } from './sub-flows.ts'

/** The scope of an outcome. */
interface OutcomePlace {
  readonly stepId: string
  readonly seq: number
  /** Whether the error names the item of a batch. */
  readonly isBatch: boolean
  /** Whether a container around the step handles its failure, so that the execution continues. */
  readonly isContained: boolean
}

/** The outcome of a finished step. */
export function outcomeOf(
  { step, item, cpuMs, startedAt, endedAt, end, details }: FinishedStep,
  { stepId, seq, isBatch, isContained }: OutcomePlace,
): StepOutcome {
  const failure = end.kind === 'completed' ? end.fallback : end.failure
  const result = end.kind === 'completed' ? end.result : undefined
  return {
    stepId,
    item,
    seq,
    state: result === undefined ? 'failed' : 'completed',
    attempts: end.attempts,
    startedAt,
    finishedAt: endedAt,
    output: result?.output ?? null,
    choice: result?.choice ?? (end.kind === 'passed_over' ? jumpToHandler(step) : null),
    error: failure === undefined ? null : { ...errorOf(failure), step: stepId, ...(isBatch && { item }) },
    details: {
      // A single object is spread: V8 copies the first of several fast, and the others slowly.
      ...(details === undefined ? result?.details : { ...result?.details, ...details }),
      confidence: result?.confidence ?? null,
      quality: result?.quality ?? null,
      decision: result?.decision ?? null,
      usage: end.usage,
      cpu_ms: Math.round(cpuMs * 1000) / 1000,
      ...(result === undefined && failureDetails(end, isContained)),
    } satisfies OutcomeDetails & Record<string, unknown>,
    spent: end.usage.microDollars,
  }
}

/** Whether the failure aborts the execution, or only ends the scope of the step. */
function failureDetails(
  end: StepEnd,
  isContained: boolean,
): { readonly aborted: boolean; readonly ended_scope?: boolean } {
  if (end.kind !== 'aborted') return { aborted: false }
  return !isContained || isFatal(end.failure) ? { aborted: true } : { aborted: false, ended_scope: true }
}

/** The failure of a step with `on_error` continues with its handler. */
function jumpToHandler({ on_error: target }: Step): Choice | null {
  return target === undefined ? null : { kind: 'jump', target }
}

/** The outcome of a skipped step. */
export function skippedOutcome(
  { reason }: Skipped,
  { stepId, item, seq, at }: { stepId: string; item: number; seq: number; at: Date },
): StepOutcome {
  return {
    stepId,
    item,
    seq,
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

interface ContainerRow {
  readonly stepId: string
  readonly item: number
  readonly seq: number
  readonly startedAt: Date
  readonly finishedAt: Date
  readonly output: unknown
  readonly error: StoredError | null
  /** The usage of a whole scope. */
  readonly usage?: StepUsage
  /** The number of scopes, for the row of an opened container. */
  readonly total?: number
  /** The flow that an opened container runs. */
  readonly flow?: FlowRef | undefined
  /** Whether the failure makes the execution fail: recovering it removes the row. */
  readonly aborted?: boolean
  /** Whether the result is not needed once the next scope has ended. */
  readonly isOnlyLast?: true | undefined
  /** Whether the results of the scopes of an opened container are needed only when it ends. */
  readonly needsResultsAtEnd?: true | undefined
}

/** What a container stores besides its outcome: its evaluated input, and the end of each scope. Statistics leave it out. */
export function containerRow(row: ContainerRow): StepOutcome {
  const { error, usage = noUsage, aborted = false, total, isOnlyLast, needsResultsAtEnd, flow, ...rest } = row
  return {
    ...rest,
    state: error === null ? 'completed' : 'failed',
    attempts: 1,
    choice: null,
    error,
    details: {
      confidence: null,
      quality: null,
      decision: null,
      usage,
      cpu_ms: 0,
      ...(total !== undefined && { total }),
      ...(flow !== undefined && { flow }),
      ...(isOnlyLast === true && { only_last: true }),
      ...(needsResultsAtEnd === true && { results_at_end: true }),
      ...(error !== null && { aborted }),
    },
    spent: usage.microDollars,
  }
}
