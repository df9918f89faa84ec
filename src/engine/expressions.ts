import { type Comparison, operators } from './definition/common-step.ts'
import { StepFailure } from './steps/step-failure.ts'

/** Where paths are looked up: first in the shared memory, then in the context. */
export interface Scope {
  readonly memory: Readonly<Record<string, unknown>>
  readonly context: Readonly<Record<string, unknown>>
  /** Outputs of finished steps, by id. */
  readonly steps: Readonly<Record<string, unknown>>
}

const maxSegments = 32

/** `a.b[0].c` and `a.b.0.c` are the same path. Undefined: it is not a path. */
export function splitPath(path: string): readonly string[] | undefined {
  const dotted = path.includes('[') ? path.replaceAll(/\[(\d{1,9})\]/g, '.$1') : path
  const segments = dotted.trim().split('.')
  if (segments.length > maxSegments || !/^[\w $@:/.-]+$/u.test(dotted.trim())) return undefined
  return segments.includes('') ? undefined : segments
}

/** Finds the value at a path, or undefined. `memory.`, `context.` and `steps.` select the source; else memory comes before context. */
export function lookUp(scope: Scope, path: string): unknown {
  const segments = splitPath(path)
  if (segments === undefined) return undefined
  const [first = '', ...rest] = segments
  for (const place of [scope.memory, scope.context]) {
    if (Object.hasOwn(place, first)) return walk(place[first], rest)
  }
  return first === 'memory' || first === 'context' || first === 'steps' ? walk(scope[first], rest) : undefined
}

/** Own properties only, so that a path cannot reach prototypes. */
function walk(value: unknown, segments: readonly string[]): unknown {
  let found = value
  for (const segment of segments) {
    if (found === null || typeof found !== 'object' || !Object.hasOwn(found, segment)) return undefined
    if (Array.isArray(found) && !/^\d+$/.test(segment)) return undefined
    found = (found as Record<string, unknown>)[segment]
  }
  return found
}

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

export function asText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined ? '' : (JSON.stringify(value) ?? '')
}

const written = new RegExp(
  `^\\s*([^\\s<>=!]+)\\s*(${[...operators].sort((left, right) => right.length - left.length).join('|')})\\s*(.*?)\\s*$`,
)

/** Parses a condition in text form, such as `analysis.score < 70` or `metadata.language in ["de", "fr"]`. */
export function readCondition(condition: string | Comparison): Comparison | undefined {
  if (typeof condition !== 'string') return condition
  const [, field, operator, value] = written.exec(condition) ?? []
  if (field === undefined || operator === undefined || value === undefined) return undefined
  if (value === '') return operator === 'exists' ? { field, operator } : undefined
  return { field, operator: operator as Comparison['operator'], value: readValue(value) }
}

/** Parses JSON; anything else is an unquoted text. */
function readValue(text: string): unknown {
  const quoted = /^'(.*)'$/.exec(text)?.[1]
  if (quoted !== undefined) return quoted
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether a condition is true. Never throws: values that cannot be compared make it false. */
export function holds({ field, operator, value }: Comparison, scope: Scope): boolean {
  return compare(lookUp(scope, field), operator, value)
}

function compare(found: unknown, operator: Comparison['operator'], value: unknown): boolean {
  switch (operator) {
    case 'exists':
      return (found !== undefined && found !== null) === (value !== false)
    case '==':
      return isEqual(found, value)
    case '!=':
      return !isEqual(found, value)
    case 'contains':
      if (typeof found === 'string') return value !== undefined && found.includes(asText(value))
      return Array.isArray(found) && found.some((item) => isEqual(item, value))
    case 'in':
      return Array.isArray(value) && value.some((item) => isEqual(found, item))
    case 'matches':
      return typeof found === 'string' && typeof value === 'string' && matches(found, value)
    default:
      return isOrdered(found, operator, value)
  }
}

function isOrdered(found: unknown, operator: '<' | '<=' | '>' | '>=', value: unknown): boolean {
  const [left, right] = [orderOf(found), orderOf(value)]
  if (left === undefined || right === undefined || typeof left !== typeof right) return false
  if (operator === '<') return left < right
  if (operator === '<=') return left <= right
  return operator === '>' ? left > right : left >= right
}

/** Compares numbers by value, also numbers in texts, which models often write; other texts by their characters. */
function orderOf(value: unknown): number | string | undefined {
  if (typeof value === 'number') return Number.isNaN(value) ? undefined : value
  if (typeof value !== 'string') return undefined
  return numberIn(value) ?? value
}

function numberIn(text: string): number | undefined {
  return /^\s*-?\d{1,15}(\.\d{1,15})?\s*$/.test(text) ? Number(text) : undefined
}

function isEqual(left: unknown, right: unknown): boolean {
  if (typeof left === 'number' && typeof right === 'string') return left === numberIn(right)
  if (typeof left === 'string' && typeof right === 'number') return numberIn(left) === right
  if (left === null || right === null || typeof left !== 'object' || typeof right !== 'object')
    return left === right
  if (Array.isArray(left) !== Array.isArray(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isEqual(propertyOf(left, key), propertyOf(right, key)))
  )
}

function propertyOf(owner: object, key: string): unknown {
  return (owner as Record<string, unknown>)[key]
}

/** `*` matches any text. The pieces between are searched from left to right, so matching takes linear time. */
function matches(text: string, pattern: string): boolean {
  const pieces = pattern.split('*')
  const [first = '', ...rest] = pieces
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || text.length < first.length + last.length || !text.endsWith(last))
    return false
  const end = text.length - last.length
  let from = first.length
  for (const piece of rest) {
    const at = text.indexOf(piece, from)
    if (at === -1 || at + piece.length > end) return false
    from = at + piece.length
  }
  return true
}
