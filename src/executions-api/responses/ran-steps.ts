import type { ExecutionRecord, FlowDefinition } from '#engine'

type StepOutcome = ExecutionRecord['outcomes'][number]
type Step = FlowDefinition['steps'][number]

/** A step that ran, with its definition, outcome and usage. */
export interface RanStep {
  readonly step: Step
  readonly outcome: StepOutcome
  readonly ms: number
  readonly details: StepOutcome['details'] &
    Required<Pick<StepOutcome['details'], 'usage' | 'confidence' | 'quality' | 'decision' | 'cpu_ms'>>
  readonly tokens: number
}

/** The steps that ran, in the order they finished; without skipped steps. */
export function ranSteps({
  definition,
  outcomes,
}: Pick<ExecutionRecord, 'definition' | 'outcomes'>): RanStep[] {
  const steps = new Map(definition.steps.map((step) => [step.id, step]))
  return outcomes.flatMap((outcome) => {
    const step = steps.get(outcome.stepId)
    if (step === undefined || outcome.state === 'skipped') return []
    const details = outcome.details as RanStep['details']
    const { startedAt, finishedAt } = outcome
    return [
      {
        step,
        outcome,
        ms: startedAt === null ? 0 : Math.max(0, finishedAt.getTime() - startedAt.getTime()),
        details,
        tokens: details.usage.inputTokens + details.usage.outputTokens,
      },
    ]
  })
}

/** The sum of a number over all steps. */
export function sumOf(ran: readonly RanStep[], numberOf: (step: RanStep) => number): number {
  return ran.reduce((sum, step) => sum + numberOf(step), 0)
}
