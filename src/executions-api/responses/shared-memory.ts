import type { ExecutionRecord } from '#engine'

/** The shared memory: its initial values and the outputs that steps stored. In a batch each key has a list by item. */
export function describeSharedMemory({
  definition,
  input,
  outcomes,
}: Pick<ExecutionRecord, 'definition' | 'input' | 'outcomes'>): Record<string, unknown> {
  const keys = new Map(definition.steps.map(({ id, output_to_memory: key }) => [id, key]))
  const memory: Record<string, unknown> = { ...input.memory }
  const lists = new Map<string, unknown[]>()
  for (const { stepId, item, state, output } of outcomes) {
    const key = keys.get(stepId)
    if (key === undefined || state !== 'completed') continue
    if (input.batch === undefined) memory[key] = output
    else lists.set(key, withItem(lists.get(key) ?? [], item, output))
  }
  for (const [key, list] of lists) memory[key] = Array.from(list, (value) => value ?? null)
  return memory
}

function withItem(list: unknown[], item: number, output: unknown): unknown[] {
  list[item] = output
  return list
}
