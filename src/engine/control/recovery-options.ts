import type { FlowDefinition } from '../definition/flow.ts'
import { readGraph } from '../graph/graph.ts'
import type { StepOutcome, StoredError } from '../store/commit.ts'

/** The actions that can recover a failed execution. */
export const recoveryActions = [
  'retry_with_different_provider',
  'continue_without_failed_step',
  'restart_from_checkpoint',
] as const

export type RecoveryAction = (typeof recoveryActions)[number]

/** A way to recover a failed execution, with the field names of the API. */
interface RecoveryOption {
  readonly action: RecoveryAction
  readonly description: string
  /** Dollars; null without history to estimate from. */
  readonly estimated_cost: number | null
  /** Seconds; null without history to estimate from. */
  readonly estimated_time: number | null
  readonly impact: string
}

/** The estimated cost and duration of a step, from history. */
interface StepEstimate {
  /** Whole micro-dollars. */
  readonly microDollars: number | null
  readonly ms: number | null
}

/** The part of an execution that recovery needs. */
export interface FailedExecution {
  readonly status: string
  readonly error: StoredError | null
  readonly definition: Pick<FlowDefinition, 'steps'>
  readonly outcomes: readonly Pick<StepOutcome, 'stepId' | 'item' | 'state' | 'error' | 'details'>[]
}

/**
 * The recovery options that make sense after a failure. `recover` also accepts actions that are merely possible.
 *
 * | action                        | offered when                                                                              |
 * |-------------------------------|-------------------------------------------------------------------------------------------|
 * | retry_with_different_provider | a provider caused the failure: it was unavailable, or its response failed validation      |
 * | continue_without_failed_step  | a step failed; not when the execution timed out or used up its budget                     |
 * | restart_from_checkpoint       | the failure may not repeat: not for deterministic failures                                |
 * | restart_from_checkpoint       | its own budget is used up; only with a higher `max_total_cost`                            |
 */
export function recoveryOptionsOf(
  execution: FailedExecution,
  estimateOf: (stepId: string) => StepEstimate | undefined = () => undefined,
): RecoveryOption[] {
  const { status, error, outcomes } = execution
  if (status !== 'failed' || error === null) return []
  const failed = [...new Set(outcomes.filter(isAborting).map(({ stepId }) => stepId))]
  const providers = failedProviders(execution)
  const again = estimateRest(execution, estimateOf, new Set())
  const without = estimateRest(execution, estimateOf, new Set(failed))
  const names = failed.map((id) => `"${id}"`).join(', ')
  // The budget of the execution stays used up unless it is raised; the budget of the account is renewed every day.
  const needsBudget = isOverOwnBudget(error)
  const options: (RecoveryOption | false)[] = [
    providers.length > 0 &&
      isCausedByProvider(error.code) && {
        action: 'retry_with_different_provider',
        description: `Runs ${names || 'the remaining steps'} again without the provider ${providers.join(', ')}.`,
        ...again,
        impact: 'Another model is used, so quality and price may differ. Finished steps keep their results.',
      },
    failed.length > 0 &&
      !needsBudget && {
        action: 'continue_without_failed_step',
        description: `Skips ${names} and continues with the steps after it.`,
        ...without,
        impact: `The result lacks the output of ${names}. A step that needs this output fails.`,
      },
    !deterministicFailures.has(error.code) &&
      !needsBudget && {
        action: 'restart_from_checkpoint',
        description: `Runs ${names || 'the unfinished steps'} again and continues from there.`,
        ...again,
        impact: 'Finished steps keep their results and are not paid again.',
      },
    needsBudget && {
      action: 'restart_from_checkpoint',
      description: `Runs ${names || 'the unfinished steps'} again with a higher budget: set max_total_cost above ${String(error.details?.['budget'])} dollars.`,
      ...again,
      impact: 'Finished steps keep their results and are not paid again.',
    },
  ]
  return options.filter((option) => option !== false)
}

/** Whether this outcome ended the execution, or the item of a batch. */
export function isAborting({ state, details }: Pick<StepOutcome, 'state' | 'details'>): boolean {
  return state === 'failed' && details.aborted === true
}

/** Whether the budget of the execution itself was used up, and not that of its account or of a scope in it. */
export function isOverOwnBudget({ code, details = {} }: StoredError): boolean {
  return (
    code === 'INSUFFICIENT_CREDITS' && typeof details['budget'] === 'number' && details['scope'] === undefined
  )
}

/** The providers that caused the failure of an execution, in the order of the outcomes. */
export function failedProviders({
  error,
  outcomes,
}: Pick<FailedExecution, 'error' | 'outcomes'>): readonly string[] {
  const named = [
    error?.provider,
    ...outcomes.filter(isAborting).map((outcome) => outcome.error?.provider ?? usedProvider(outcome)),
  ]
  return [...new Set(named.filter((provider) => provider !== undefined))]
}

/** The provider of a response that failed validation. */
function usedProvider({ details }: Pick<StepOutcome, 'details'>): string | undefined {
  return details.usage?.provider ?? undefined
}

/** Failures that repeat with the same data, regardless of provider and number of attempts. */
const deterministicFailures: ReadonlySet<string> = new Set([
  'MEMORY_LIMIT_EXCEEDED',
  'INVALID_STEP',
  'EXPRESSION_FAILED',
  'RECORDING_MISSING',
  'STEP_DEPENDENCY_FAILED',
  'EXTERNAL_API_REFUSED',
])

function isCausedByProvider(code: string): boolean {
  return code === 'PROVIDER_UNAVAILABLE' || code === 'VALIDATION_FAILED' || code === 'AGENT_DECISION_ERROR'
}

/** Estimates the unfinished steps without the excluded ones. Null when one estimate is missing: a partial sum would mislead. */
function estimateRest(
  { definition, outcomes }: FailedExecution,
  estimateOf: (stepId: string) => StepEstimate | undefined,
  excluded: ReadonlySet<string>,
): Pick<RecoveryOption, 'estimated_cost' | 'estimated_time'> {
  const finished = new Set(outcomes.filter((outcome) => !isAborting(outcome)).map(({ stepId }) => stepId))
  const { nodes, byId } = readGraph(definition.steps)
  const rest = nodes.filter(({ id, dormant }) => !finished.has(id) && !excluded.has(id) && !dormant)
  const costs = rest.map(({ id }) => estimateOf(id)?.microDollars ?? null)
  const known = new Map<string, number | null>()

  /** Time until the step ends, along the longest path. */
  function msUntil(id: string): number | null {
    const before = known.get(id)
    if (before !== undefined) return before
    const waits = [...(byId.get(id)?.after ?? [])].map(msUntil)
    const isToRun = rest.some((node) => node.id === id)
    const own = isToRun ? (estimateOf(id)?.ms ?? null) : 0
    const ms = own === null || waits.includes(null) ? null : own + Math.max(0, ...waits.map(Number))
    known.set(id, ms)
    return ms
  }

  const times = rest.map(({ id }) => msUntil(id))
  return {
    estimated_cost: costs.includes(null)
      ? null
      : Math.round(costs.reduce<number>((sum, cost) => sum + Number(cost), 0)) / 1e6,
    estimated_time: times.includes(null) ? null : Math.round(Math.max(0, ...times.map(Number))) / 1000,
  }
}
