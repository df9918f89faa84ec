import { type ExecutionRecord, rulesOf } from '#engine'

/** What completed steps made, by step; in a batch each has a list by item. What was not kept is not there. */
export function describeResultsByStep(
  record: Pick<ExecutionRecord, 'definition' | 'outcomes' | 'input' | 'createdAt'>,
): Record<string, unknown> {
  const { definition, outcomes, input, createdAt } = record
  const { keepsOutputs } = rulesOf(definition, input, createdAt)
  const made = outcomes.filter(
    ({ state, output }) => state === 'completed' && (keepsOutputs || output !== null),
  )
  if (input.batch === undefined) return Object.fromEntries(made.map(({ stepId, output }) => [stepId, output]))
  const items = input.batch.items.length
  return Object.fromEntries(
    [...Map.groupBy(made, ({ stepId }) => stepId)].map(([stepId, ofStep]) => {
      const byItem = new Map(ofStep.map(({ item, output }) => [item, output]))
      return [stepId, Array.from({ length: items }, (_, item) => byItem.get(item) ?? null)]
    }),
  )
}
