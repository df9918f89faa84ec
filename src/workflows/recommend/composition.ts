import { type FlowDefinition, rulesOf } from '#engine'
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

/** The steps of a flow by type. Critical steps always run, and their failure ends an execution. */
export function compositionOf({ flow: { definition } }: Pick<Candidate, 'flow'>): Composition {
  const { steps } = definition
  const count = (type: Step['type']) => steps.filter((step) => step.type === type).length
  const rules = rulesOf(definition, { context: {}, options: {} }, new Date(0))
  const optional = new Set(optionalSteps(steps))
  const endsIt = (step: Step) => ['abort', 'retry_with_different_provider'].includes(rules.onFailureOf(step))
  return {
    total_steps: steps.length,
    ai_steps: count('ai_prompt') + count('agent'),
    conditional_steps: count('conditional'),
    api_steps: count('external_api'),
    transform_steps: count('data_transform'),
    critical_steps: steps.filter((step) => endsIt(step) && !optional.has(step.id)).map(({ id }) => id),
  }
}

/** Steps that only run when an agent adds them. */
export function optionalSteps(steps: readonly Step[]): string[] {
  const added = new Set(
    steps.flatMap((step) =>
      step.type === 'ai_prompt'
        ? Object.values(step.routing_options ?? {}).flatMap(({ add_steps: ids = [] }) => ids)
        : [],
    ),
  )
  return steps.map(({ id }) => id).filter((id) => added.has(id))
}
