import type { ExecutionEvent, ExecutionRecord } from '#engine'

/** What the steps made: after a step its own output, else those of all so far. By step; in a batch a list of that, by item. */
export function resultsSoFar(
  { outcomes, input }: Pick<ExecutionRecord, 'outcomes' | 'input'>,
  { data }: Pick<ExecutionEvent, 'data'>,
): unknown {
  const { step_id: stepId, item = 0 } = data
  const made = outcomes.filter(({ state }) => state === 'completed')
  if (stepId !== undefined) {
    return byStep(made.filter((outcome) => outcome.stepId === stepId && outcome.item === item))
  }
  if (input.batch === undefined) return byStep(made)
  const byItem = Map.groupBy(made, (outcome) => outcome.item)
  return input.batch.items.map((_, index) => byStep(byItem.get(index) ?? []))
}

function byStep(outcomes: ExecutionRecord['outcomes']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(outcomes.map(({ stepId, output }) => [stepId, output]))
}
