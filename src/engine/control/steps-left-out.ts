import type { Step } from '../definition/step-types.ts'
import { readGraph } from '../graph/graph.ts'
import { createPlan } from '../graph/plan.ts'
import type { StepOutcome } from '../store/commit.ts'

/** A step that will not run. */
export interface LeftOut {
  readonly item: number
  readonly stepId: string
  readonly reason: string
}

/**
 * The steps that will not run once every failed step counts as passed over, and that have no outcome yet: what only a decision of
 * a failed step could have chosen.
 */
export function stepsLeftOut(
  steps: readonly Step[],
  outcomes: readonly Pick<StepOutcome, 'item' | 'stepId' | 'state' | 'choice'>[],
): LeftOut[] {
  const graph = readGraph(steps)
  return [...Map.groupBy(outcomes, ({ item }) => item)].flatMap(([item, ofItem]) => {
    const plan = createPlan(graph)
    const known = new Set(ofItem.map(({ stepId }) => stepId))
    const skipped = ofItem
      .filter(({ state }) => state !== 'skipped')
      .flatMap(({ stepId, state, choice }) =>
        plan.finish(stepId, { failed: state === 'failed', choice: choice ?? undefined }),
      )
    return skipped.filter(({ id }) => !known.has(id)).map(({ id, reason }) => ({ item, stepId: id, reason }))
  })
}
