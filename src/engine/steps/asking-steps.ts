import { placedSteps } from '../definition/nested-steps.ts'
import type { HumanStep, Step } from '../definition/step-types.ts'

/** The part of a step that asks people. */
export type Question = Pick<HumanStep, 'assignees' | 'notify'>

/** Human steps, and steps of agents that ask for the approval of calls. `path` is the place of the fields, with a dot at its end. */
export function askingSteps(steps: readonly Step[]): readonly (Question & { readonly path: string })[] {
  return placedSteps(steps).flatMap(({ step, path }) => {
    if (step.type === 'human') return [{ ...questionOf(step), path: `${path}.` }]
    if (step.type !== 'tool_agent' || step.approvals === undefined) return []
    return [{ ...questionOf(step.approvals), path: `${path}.approvals.` }]
  })
}

function questionOf({ assignees, notify }: Question): Question {
  return { ...(assignees !== undefined && { assignees }), ...(notify !== undefined && { notify }) }
}
