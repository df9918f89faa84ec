import { StepFailure } from '../steps/step-failure.ts'
import { lookUp, type Scope, splitPath } from './path.ts'

/** `{{ path }}`. Braces are excluded from the path, so matching takes linear time. */
const placeholder = /\{\{([^{}]{1,300})\}\}/g

/** The distinct paths of the placeholders in a text, or in all texts inside a value, except keys of objects. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [...new Set([...value.matchAll(placeholder)].map(([, path = '']) => path.trim()))]
  if (value === null || typeof value !== 'object') return []
  return [...new Set(Object.values(value).flatMap(placeholdersIn))]
}

export interface Filled<Value> {
  readonly value: Value
  /** Paths without a value. */
  readonly missing: readonly string[]
}

/** Far more than a model reads. A template may repeat a large value, which must not exhaust the memory of the process. */
const maxFilledLength = 8 * 1024 * 1024

/** Counts the filled characters. Throws MEMORY_LIMIT_EXCEEDED before the limit is exceeded, not after. */
function createAllowance(): (piece: string) => string {
  let length = 0
  return (piece) => {
    length += piece.length
    if (length <= maxFilledLength) return piece
    throw new StepFailure({
      code: 'MEMORY_LIMIT_EXCEEDED',
      message: `With everything filled in, a text of this step is longer than ${maxFilledLength} characters.`,
      details: { limit_characters: maxFilledLength },
    })
  }
}

/** Replaces placeholders by their values. Filled values are not parsed again, so a value cannot inject a placeholder. */
export function fillText(
  text: string,
  scope: Scope,
  write: (value: unknown) => string = asText,
): Filled<string> {
  return fillWithin(createAllowance(), text, scope, write)
}

function fillWithin(
  count: (piece: string) => string,
  text: string,
  scope: Scope,
  write: (value: unknown) => string = asText,
): Filled<string> {
  const missing: string[] = []
  const value = text.replaceAll(placeholder, (_whole, path: string) => {
    const found = lookUp(scope, path)
    if (found === undefined) missing.push(path.trim())
    return found === undefined ? '' : count(write(found))
  })
  return { value, missing: [...new Set(missing)] }
}

/** Fills every text inside a value. A text that is a single placeholder becomes the value itself. */
export function fillValue(value: unknown, scope: Scope): Filled<unknown> {
  const missing: string[] = []
  const count = createAllowance()
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const only = /^\{\{([^{}]{1,300})\}\}$/.exec(part.trim())?.[1]
      const found = only === undefined ? undefined : lookUp(scope, only)
      if (found !== undefined) {
        // The value is written out in the end, once for every occurrence.
        count(asText(found))
        return found
      }
      const filled = fillWithin(count, part, scope)
      missing.push(...filled.missing)
      return filled.value
    }
    if (Array.isArray(part)) return part.map(fill)
    if (part === null || typeof part !== 'object') return part
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, fill(inner)]))
  }
  return { value: fill(value), missing: [...new Set(missing)] }
}

export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : (JSON.stringify(value) ?? '')
}

/** What is wrong with a placeholder; undefined when it is valid. */
export function describeBadPlaceholder(path: string): string | undefined {
  return splitPath(path) === undefined ? `"{{${path}}}" is not a path such as {{analysis.score}}` : undefined
}
