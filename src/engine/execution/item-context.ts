import type { ExecutionInput } from './input.ts'

/** What an item of a batch sees as its context: an object lays itself over that of the execution, anything else is its `content`. */
export function itemContext(
  context: ExecutionInput['context'],
  batch: ExecutionInput['batch'],
  item: number,
): ExecutionInput['context'] {
  if (batch === undefined) return context
  const given = batch.items[item]
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given)
  return {
    ...context,
    ...(isObject ? given : { content: given }),
    batch: { item, total: batch.items.length },
  }
}
