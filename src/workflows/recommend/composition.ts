import { allSteps, callsModels, type FlowDefinition, isPure, kindOf, rulesOf } from '#engine'
import type { Candidate } from './candidate.ts'

type Step = FlowDefinition['steps'][number]

export interface Composition {
  readonly total_steps: number
  readonly ai_steps: number
  readonly conditional_steps: number
  readonly api_steps: number
  readonly transform_steps: number
  readonly critical_steps: string[]
}

/** The steps of a flow by type, with those inside containers. Critical steps always run, and their failure ends an execution; a container stands for its steps. */
export function compositionOf({ flow: { definition } }: Pick<Candidate, 'flow'>): Composition {
  const { steps } = definition
  const everyStep = allSteps(steps)
  const count = (isCounted: (step: Step) => boolean) => everyStep.filter(isCounted).length
  const rules = rulesOf(definition, { context: {}, options: {} }, new Date(0))
  const optional = new Set(optionalSteps(steps))
  const endsIt = (step: Step) => ['abort', 'retry_with_different_provider'].includes(rules.onFailureOf(step))
  return {
    total_steps: everyStep.length,
    ai_steps: count(callsModels),
    conditional_steps: count(decides),
    api_steps: count((step) => kindOf(step).traits.callsServices),
    transform_steps: count((step) => isPure(step) && !decides(step)),
    critical_steps: steps.filter((step) => endsIt(step) && !optional.has(step.id)).map(({ id }) => id),
  }
}

function decides(step: Step): boolean {
  return kindOf(step).traits.decides === 'always'
}

/** Steps that only run when an agent adds them. */
export function optionalSteps(steps: readonly Step[]): string[] {
  const added = new Set(
    steps
      .flatMap((step) => kindOf(step).branches?.(step) ?? [])
      .flatMap(({ adds }) => adds.map(({ id }) => id)),
  )
  return steps.map(({ id }) => id).filter((id) => added.has(id))
}
