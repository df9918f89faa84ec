import type { ExecutionRecord, OutcomeDetails, Step, StepOutcome } from '#engine'

/** A step that ran, with what it is and what it took. */
export interface RanStep {
  readonly step: Step
  readonly outcome: StepOutcome
  readonly ms: number
  readonly details: OutcomeDetails & Readonly<Record<string, unknown>>
  readonly tokens: number
}

/** The steps that ran, in the order they ended. Those that were passed over did not. */
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

/** One number of every step that ran, added up. */
export function sumOf(ran: readonly RanStep[], numberOf: (step: RanStep) => number): number {
  return ran.reduce((sum, step) => sum + numberOf(step), 0)
}
