import { StepFailure } from '../steps/step-failure.ts'
import { asText, lookUp, type Scope, splitPath } from './paths.ts'

/** `{{ path }}`. Braces are excluded from the path, so matching takes linear time. */
const placeholder = /\{\{([^{}]{1,300})\}\}/g

/** The distinct paths of the placeholders in a text, or in all texts inside a value, except keys of objects. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [...new Set([...value.matchAll(placeholder)].map(([, path = '']) => path.trim()))]
  if (value === null || typeof value !== 'object') return []
  return [...new Set(Object.values(value).flatMap(placeholdersIn))]
}

/** The problem of a placeholder; undefined when it is valid. */
export function describeBadPlaceholder(path: string): string | undefined {
  return splitPath(path) === undefined ? `"{{${path}}}" is not a path such as {{analysis.score}}` : undefined
}

export interface Filled<Value> {
  readonly value: Value
  /** Paths without a value. */
  readonly missing: readonly string[]
}

/** Far more than a model reads. A template may repeat a large value, which must not exhaust the memory of the process. */
const maxFilledLength = 8 * 1024 * 1024

/** Replaces placeholders by their values. Filled values are not parsed again, so a value cannot inject a placeholder. */
export function fillText(
  text: string,
  scope: Scope,
  write: (value: unknown) => string = asText,
): Filled<string> {
  return fillWithin(createAllowance(), text, scope, write)
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
        // A value counts once for every occurrence, because each one is written out.
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

/** The parts of a step run that report missing values. */
interface MissingReport {
  /** The failed step that would have produced the value at a path. */
  readonly failedProducerOf: (path: string) => string | undefined
  readonly log: (level: 'warning', message: string, details: Readonly<Record<string, unknown>>) => void
}

/** Logs the placeholders without a value. Throws STEP_DEPENDENCY_FAILED when a failed step would have produced one. */
export function reportMissing({ failedProducerOf, log }: MissingReport, missing: readonly string[]): void {
  for (const path of missing) {
    const producer = failedProducerOf(path)
    if (producer === undefined) continue
    throw new StepFailure({
      code: 'STEP_DEPENDENCY_FAILED',
      message: `The step needs {{${path}}}, which the failed step "${producer}" did not produce.`,
      details: { missing: path, failed_step: producer },
    })
  }
  if (missing.length === 0) return
  const named = missing.map((path) => `{{${path}}}`).join(', ')
  log('warning', `No value was found for ${named}; the placeholder was left empty.`, { missing })
}

/**
 * Templates with `{{path}}`, for modules that run or check steps. `fillText` and `fillValue` throw a StepFailure when the text becomes
 * too long, `reportMissing` when a failed step would have produced a value.
 */
export const templates = {
  placeholdersIn,
  describeBadPlaceholder,
  fillText,
  fillValue,
  reportMissing,
} as const
