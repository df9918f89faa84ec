import type { ExecutionInput } from './input.ts'

/** The context of a batch item: an item that is an object is merged over the execution's context, any other item becomes `content`. */
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
