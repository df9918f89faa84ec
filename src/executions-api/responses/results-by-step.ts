import { type ExecutionRecord, rulesOf } from '#engine'

/** The outputs of completed steps by step id; in a batch each step has a list by item. Outputs that were not kept are left out. */
export function describeResultsByStep(
  record: Pick<ExecutionRecord, 'definition' | 'outcomes' | 'input' | 'createdAt'>,
): Record<string, unknown> {
  const { definition, outcomes, input, createdAt } = record
  const { keepsOutputs } = rulesOf(definition, input, createdAt)
  return completedByStep({
    input,
    outcomes: keepsOutputs ? outcomes : outcomes.filter(({ output }) => output !== null),
  })
}

/** The same with null for outputs that were not kept. */
export function completedByStep({
  outcomes,
  input,
}: Pick<ExecutionRecord, 'outcomes' | 'input'>): Record<string, unknown> {
  const completed = outcomes.filter(({ state }) => state === 'completed')
  if (input.batch === undefined) {
    return Object.fromEntries(completed.map(({ stepId, output }) => [stepId, output]))
  }
  const items = input.batch.items.length
  return Object.fromEntries(
    [...Map.groupBy(completed, ({ stepId }) => stepId)].map(([stepId, outcomesOfStep]) => {
      const byItem = new Map(outcomesOfStep.map(({ item, output }) => [item, output]))
      return [stepId, Array.from({ length: items }, (_, item) => byItem.get(item) ?? null)]
    }),
  )
}
