import type { ExecutionRecord } from '#engine'

/** The result: the output of the last step, or the outputs of all final steps by id. In a batch a list by item. */
export function describeResult({
  definition,
  outcomes,
  input,
}: Pick<ExecutionRecord, 'definition' | 'outcomes' | 'input'>): unknown {
  if (input.batch === undefined) return resultOfItem(definition, outcomes)
  const byItem = Map.groupBy(outcomes, ({ item }) => item)
  return input.batch.items.map((_, item) => resultOfItem(definition, byItem.get(item) ?? []))
}

function resultOfItem(
  definition: ExecutionRecord['definition'],
  outcomes: ExecutionRecord['outcomes'],
): unknown {
  const completed = outcomes.filter(({ state }) => state === 'completed')
  const needed = new Set(
    definition.steps
      .filter(({ id }) => completed.some(({ stepId }) => stepId === id))
      .flatMap(({ dependencies = [] }) => dependencies),
  )
  // The result is the output of the branch that a condition chose, not the decision.
  const deciding = new Set(definition.steps.flatMap(({ id, type }) => (type === 'conditional' ? [id] : [])))
  const last = completed.filter(({ stepId }) => !needed.has(stepId) && !deciding.has(stepId))
  const [only, ...more] = last
  if (only === undefined) return null
  return more.length === 0
    ? only.output
    : Object.fromEntries(last.map(({ stepId, output }) => [stepId, output]))
}
