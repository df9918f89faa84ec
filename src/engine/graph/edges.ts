import type { Action } from '../definition/conditions.ts'
import type { Step } from '../definition/step-types.ts'
import { asText } from '../expressions/template.ts'

/** An edge between two steps, for drawing the flow. */
export interface Edge {
  readonly from: string
  readonly to: string
  /** `needs`: `to` depends on `from`. `chooses`: `from` decides whether `to` runs. `before`: `from` is an added step that runs first. */
  readonly kind: 'needs' | 'chooses' | 'before'
  /** The condition or option that chooses `to`; null for other kinds. */
  readonly label: string | null
}

/** The edges of a flow in the order of the definition: the same edges that `readGraph` uses, with kind and label. */
export function edgesOf(steps: readonly Step[]): Edge[] {
  return steps.flatMap((step) => [...needsOf(step), ...choicesOf(step)])
}

function needsOf({ id, dependencies = [] }: Step): Edge[] {
  return dependencies.map((from) => ({ from, to: id, kind: 'needs', label: null }))
}

function choicesOf(step: Step): Edge[] {
  if (step.type === 'conditional') {
    const conditions = step.conditions.flatMap(({ field, operator, value, action }) =>
      chosenBy(step.id, action, `${field} ${operator}${value === undefined ? '' : ` ${asText(value)}`}`),
    )
    const otherwise = step.default_action
    return [...conditions, ...(otherwise === undefined ? [] : chosenBy(step.id, otherwise, 'otherwise'))]
  }
  if (step.type !== 'ai_prompt') return []
  return Object.entries(step.routing_options ?? {}).flatMap(([label, { add_steps = [], continue_to }]) => [
    ...add_steps.map((to): Edge => ({ from: step.id, to, kind: 'chooses', label })),
    ...(continue_to === undefined
      ? []
      : [
          { from: step.id, to: continue_to, kind: 'chooses', label } as const,
          ...add_steps
            .filter((added) => added !== continue_to)
            .map((from): Edge => ({ from, to: continue_to, kind: 'before', label: null })),
        ]),
  ])
}

function chosenBy(from: string, { type, next_step, target_step }: Action, label: string): Edge[] {
  const to = type === 'jump_to_step' ? target_step : next_step
  return to === undefined ? [] : [{ from, to, kind: 'chooses', label }]
}
