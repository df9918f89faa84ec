import type { ExecutionEvent, ExecutionRecord } from '#engine'

/** Outputs by step: of the step an event is about, else of all completed steps. In a batch, a list of that by item. */
export function resultsSoFar(
  { outcomes, input }: Pick<ExecutionRecord, 'outcomes' | 'input'>,
  { data }: Pick<ExecutionEvent, 'data'>,
): unknown {
  const { step_id: stepId, item = 0 } = data
  const completed = outcomes.filter(({ state }) => state === 'completed')
  if (stepId !== undefined) {
    return byStep(completed.filter((outcome) => outcome.stepId === stepId && outcome.item === item))
  }
  if (input.batch === undefined) return byStep(completed)
  const byItem = Map.groupBy(completed, (outcome) => outcome.item)
  return input.batch.items.map((_, index) => byStep(byItem.get(index) ?? []))
}

function byStep(outcomes: ExecutionRecord['outcomes']): Readonly<Record<string, unknown>> {
  return Object.fromEntries(outcomes.map(({ stepId, output }) => [stepId, output]))
}
