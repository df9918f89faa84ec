import type { ExecutionRecord } from '#engine'

/** Steps by where they stand. In a batch a step is completed when it is for every item, and remains while one needs it. */
export function stepsByState({
  definition,
  input,
  outcomes,
  finishedAt,
}: Pick<ExecutionRecord, 'definition' | 'input' | 'outcomes' | 'finishedAt'>): {
  readonly completed: string[]
  /** None of one that is over: they will not run. */
  readonly remaining: string[]
} {
  const lanes = input.batch?.items.length ?? 1
  const byStep = Map.groupBy(outcomes, ({ stepId }) => stepId)
  const ids = definition.steps.map(({ id }) => id)
  const isCompleted = (id: string) =>
    (byStep.get(id) ?? []).filter(({ state }) => state === 'completed').length === lanes
  return {
    completed: ids.filter(isCompleted),
    remaining: finishedAt === null ? ids.filter((id) => (byStep.get(id)?.length ?? 0) < lanes) : [],
  }
}
