import type { FlowDefinition } from '../definition/flow.ts'
import type { OutcomeDetails } from '../execution/facts.ts'
import { readGraph } from '../graph/graph.ts'
import type { StepOutcome, StoredError } from '../store/commit.ts'

export const recoveryActions = [
  'retry_with_different_provider',
  'continue_without_failed_step',
  'restart_from_checkpoint',
] as const

export type RecoveryAction = (typeof recoveryActions)[number]

/** What somebody could do about an execution that failed, by the names of the interface. */
export interface RecoveryOption {
  readonly action: RecoveryAction
  readonly description: string
  /** Dollars; null without history to estimate from. */
  readonly estimated_cost: number | null
  /** Seconds; null without history to estimate from. */
  readonly estimated_time: number | null
  readonly impact: string
}

/** What a step is likely to take, from history. */
export interface StepEstimate {
  /** Whole micro-dollars. */
  readonly microDollars: number | null
  readonly ms: number | null
}

/** An execution, as far as recovering goes. */
export interface FailedExecution {
  readonly status: string
  readonly error: StoredError | null
  readonly definition: Pick<FlowDefinition, 'steps'>
  readonly outcomes: readonly Pick<StepOutcome, 'stepId' | 'item' | 'state' | 'error' | 'details'>[]
}

/** Whether the execution, or its item of a batch, ended with this outcome. */
export function endedWith({ state, details }: Pick<StepOutcome, 'state' | 'details'>): boolean {
  return state === 'failed' && (details as Partial<OutcomeDetails>).aborted === true
}

/** The providers that failed an execution, in the order they did. */
export function failedProviders({
  error,
  outcomes,
}: Pick<FailedExecution, 'error' | 'outcomes'>): readonly string[] {
  const named = [
    error?.provider,
    ...outcomes.filter(endedWith).map((outcome) => outcome.error?.provider ?? usedProvider(outcome)),
  ]
  return [...new Set(named.filter((provider) => provider !== undefined))]
}

/** An answer that was no good came from somebody, too. */
function usedProvider({ details }: Pick<StepOutcome, 'details'>): string | undefined {
  return (details as Partial<OutcomeDetails>).usage?.provider ?? undefined
}

/** Failures that come again with the same data, whoever is asked and however often. */
const comesAgain: ReadonlySet<string> = new Set([
  'MEMORY_LIMIT_EXCEEDED',
  'INVALID_STEP',
  'STEP_DEPENDENCY_FAILED',
  'EXTERNAL_API_REFUSED',
])

/**
 * What makes sense after a failure.
 *
 * | action                        | offered when                                                                              |
 * |-------------------------------|-------------------------------------------------------------------------------------------|
 * | retry_with_different_provider | a provider is to blame: it could not answer, or its answer was not what was asked for     |
 * | continue_without_failed_step  | a step failed; not when time or the budget of the execution ran out                        |
 * | restart_from_checkpoint       | it could go well next time: not for what the same data brings about again                  |
 *
 * Only what is offered makes sense; `recover` also takes what is merely possible.
 */
export function recoveryOptionsOf(
  execution: FailedExecution,
  estimateOf: (stepId: string) => StepEstimate | undefined = () => undefined,
): RecoveryOption[] {
  const { status, error, outcomes } = execution
  if (status !== 'failed' || error === null) return []
  const failed = [...new Set(outcomes.filter(endedWith).map(({ stepId }) => stepId))]
  const providers = failedProviders(execution)
  const again = estimateRest(execution, estimateOf, new Set())
  const without = estimateRest(execution, estimateOf, new Set(failed))
  const names = failed.map((id) => `"${id}"`).join(', ')
  // The budget of the execution stays used up; that of the account is new every day.
  const isOverOwnBudget = error.code === 'INSUFFICIENT_CREDITS' && error.details?.['budget'] !== undefined
  const options: (RecoveryOption | false)[] = [
    providers.length > 0 &&
      isProviderToBlame(error.code) && {
        action: 'retry_with_different_provider',
        description: `Runs ${names || 'the rest'} again and asks anybody but ${providers.join(', ')}.`,
        ...again,
        impact: 'Another model answers, so quality and price may differ. Finished steps keep their results.',
      },
    failed.length > 0 &&
      !isOverOwnBudget && {
        action: 'continue_without_failed_step',
        description: `Leaves ${names} out and goes on with what comes after.`,
        ...without,
        impact: `The result lacks what ${names} would have made. A step that cannot do without fails in turn.`,
      },
    !comesAgain.has(error.code) &&
      !isOverOwnBudget && {
        action: 'restart_from_checkpoint',
        description: `Runs ${names || 'what was not finished'} again and goes on from there.`,
        ...again,
        impact: 'Nothing is lost: finished steps keep their results and cost nothing again.',
      },
  ]
  return options.filter((option) => option !== false)
}

function isProviderToBlame(code: string): boolean {
  return code === 'PROVIDER_UNAVAILABLE' || code === 'VALIDATION_FAILED' || code === 'AGENT_DECISION_ERROR'
}

/** What the steps take that are not over yet, without those left out. Null as soon as one is unknown: half a sum misleads. */
function estimateRest(
  { definition, outcomes }: FailedExecution,
  estimateOf: (stepId: string) => StepEstimate | undefined,
  leftOut: ReadonlySet<string>,
): Pick<RecoveryOption, 'estimated_cost' | 'estimated_time'> {
  const over = new Set(outcomes.filter((it) => !endedWith(it)).map(({ stepId }) => stepId))
  const { nodes, byId } = readGraph(definition.steps)
  const rest = nodes.filter(({ id, dormant }) => !over.has(id) && !leftOut.has(id) && !dormant)
  const costs = rest.map(({ id }) => estimateOf(id)?.microDollars ?? null)
  const known = new Map<string, number | null>()

  /** Until this step is over, along the longest way. */
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
      : Math.round(costs.reduce<number>((sum, it) => sum + Number(it), 0)) / 1e6,
    estimated_time: times.includes(null) ? null : Math.round(Math.max(0, ...times.map(Number))) / 1000,
  }
}
