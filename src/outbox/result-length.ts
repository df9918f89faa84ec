import { JsonText } from '#kernel/json-text'

/**
 * Whether results are longer as JSON than an event may have. Large outputs are texts, which are not parsed for this: they are the
 * result itself, its fields by step, or the items of those.
 */
export function isTooLong(results: unknown, maxCharacters: number): boolean {
  if (lengthOfTexts(results, 2) > maxCharacters) return true
  return (JSON.stringify(results) ?? '').length > maxCharacters
}

function lengthOfTexts(value: unknown, levels: number): number {
  if (value instanceof JsonText) return value.text.length
  if (levels === 0 || typeof value !== 'object' || value === null) return 0
  return Object.values(value).reduce<number>((sum, inner) => sum + lengthOfTexts(inner, levels - 1), 0)
}
