import { StepFailure } from '../steps/step-failure.ts'
import { lookUp, type Scope, splitPath } from './path.ts'

/** `{{ path }}`. Braces inside are no path, so the search never looks back. */
const placeholder = /\{\{([^{}]{1,300})\}\}/g

/** The paths a text refers to, each once, in their order. */
export function placeholdersIn(text: string): string[] {
  return [...new Set([...text.matchAll(placeholder)].map(([, path = '']) => path.trim()))]
}

/** The paths anywhere inside a value, keys of objects not included. */
export function placeholdersInValue(value: unknown): string[] {
  if (typeof value === 'string') return placeholdersIn(value)
  if (value === null || typeof value !== 'object') return []
  return [...new Set(Object.values(value).flatMap(placeholdersInValue))]
}

export interface Filled<Value> {
  readonly value: Value
  /** Paths that led nowhere. */
  readonly missing: readonly string[]
}

/** Far more than a model reads; a template may name a large value again and again, and must not fill up the whole process. */
const longestFilled = 8 * 1024 * 1024

/** Counts what is filled in, and throws when it becomes too much: before it is written, not after. */
function createAllowance(): (piece: string) => string {
  let length = 0
  return (piece) => {
    length += piece.length
    if (length <= longestFilled) return piece
    throw new StepFailure({
      code: 'MEMORY_LIMIT_EXCEEDED',
      message: `With everything filled in, a text of this step is longer than ${longestFilled} characters.`,
      details: { limit_characters: longestFilled },
    })
  }
}

/** Puts values in the place of their paths. What is filled in is not read again, so a value cannot smuggle a path in. */
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

/** Fills every text inside a value. A text that is nothing but one path becomes the value itself, not its text. */
export function fillValue(value: unknown, scope: Scope): Filled<unknown> {
  const missing: string[] = []
  const count = createAllowance()
  const fill = (part: unknown): unknown => {
    if (typeof part === 'string') {
      const only = /^\{\{([^{}]{1,300})\}\}$/.exec(part.trim())?.[1]
      const found = only === undefined ? undefined : lookUp(scope, only)
      if (found !== undefined) {
        // It is written out in the end, once for each place it stands in.
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

/** Why a placeholder cannot be read, or undefined. */
export function describeBadPlaceholder(path: string): string | undefined {
  return splitPath(path) === undefined ? `"{{${path}}}" is not a path such as {{analysis.score}}` : undefined
}
