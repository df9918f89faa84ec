import { StepFailure } from '../steps/step-failure.ts'
import { compile } from './compile.ts'
import { type Evaluated, evaluateInline } from './evaluate.ts'
import { asText, lookUp, type Scope } from './paths.ts'
import { describeBadExpression, type Placeholder, readPlaceholder, scanPlaceholders } from './placeholders.ts'

/** The distinct placeholders in a text, or in all texts inside a value, except keys of objects: `a.b`, `a ?? 1`, `= a + 1`. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === 'string')
    return [...new Set(scanPlaceholders(value).found.map(({ written }) => written))]
  if (value === null || typeof value !== 'object') return []
  return [...new Set(Object.values(value).flatMap(placeholdersIn))]
}

/** The problem of a placeholder; undefined when it is valid. */
export function describeBadPlaceholder(written: string): string | undefined {
  const placeholder = readPlaceholder(written)
  if (placeholder.kind === 'invalid') return placeholder.problem
  return placeholder.kind === 'expression' ? describeBadExpression(placeholder.source) : undefined
}

/** The problem of a text, or of a text inside a value, with a placeholder that has no end; undefined when there is none. */
export function describeOpenPlaceholder(value: unknown): string | undefined {
  if (typeof value === 'string') {
    const { broken } = scanPlaceholders(value)
    if (broken === undefined) return undefined
    return `"${value.slice(broken, broken + 40)}" has no closing "}}", or is one of more than 100 placeholders with "=" or "??"`
  }
  if (value === null || typeof value !== 'object') return undefined
  for (const inner of Object.values(value)) {
    const problem = describeOpenPlaceholder(inner)
    if (problem !== undefined) return problem
  }
  return undefined
}

/** A path that a placeholder reads. */
interface PlaceholderPath {
  readonly path: string
  readonly mayBeMissing: boolean
}

/** The paths that a placeholder reads. */
export function pathsOf(written: string): PlaceholderPath[] {
  const placeholder = readPlaceholder(written)
  switch (placeholder.kind) {
    case 'path':
      return [{ path: placeholder.path, mayBeMissing: false }]
    case 'default':
      return [{ path: placeholder.path, mayBeMissing: true }]
    case 'expression':
      return pathsInExpression(placeholder.source)
    default:
      // Reported as it is written.
      return [{ path: written, mayBeMissing: false }]
  }
}

/** The paths that an expression reads, without the variables of every expression. */
export function pathsInExpression(source: string): PlaceholderPath[] {
  const compiled = compile(source)
  if (compiled.kind === 'invalid') return []
  return compiled.expression.paths
    .filter(({ segments: [first = ''] }) => !alwaysGiven.has(first))
    .map(({ segments, mayBeMissing }) => ({ path: segments.join('.'), mayBeMissing }))
}

const alwaysGiven = new Set(['now', 'execution'])

/** The sources of the expressions in the placeholders of a text or value. */
export function expressionsIn(value: unknown): string[] {
  return placeholdersIn(value).flatMap((written) => {
    const placeholder = readPlaceholder(written)
    return placeholder.kind === 'expression' ? [placeholder.source] : []
  })
}

export interface Filled<Value> {
  readonly value: Value
  /** Placeholders without a value and without a default, as they are written: `a.b`, `= a + 1`. */
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
      const only = onlyPlaceholder(part)
      const found = only === undefined ? undefined : valueOf(only, scope)
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

function onlyPlaceholder(text: string): Placeholder | undefined {
  const trimmed = text.trim()
  if (!trimmed.startsWith('{{') || !trimmed.endsWith('}}')) return undefined
  const [first] = scanPlaceholders(trimmed).found
  return first?.start === 0 && first.end === trimmed.length ? readPlaceholder(first.written) : undefined
}

function fillWithin(
  count: (piece: string) => string,
  text: string,
  scope: Scope,
  write: (value: unknown) => string = asText,
): Filled<string> {
  const missing: string[] = []
  let [value, from] = ['', 0]
  for (const { start, end, written } of scanPlaceholders(text).found) {
    const found = valueOf(readPlaceholder(written), scope)
    if (found === undefined) missing.push(written)
    value += text.slice(from, start) + (found === undefined ? '' : count(write(found)))
    from = end
  }
  return { value: from === 0 ? text : value + text.slice(from), missing: [...new Set(missing)] }
}

/** The value of a placeholder; undefined when it is missing and has no default. Throws EXPRESSION_FAILED. */
function valueOf(placeholder: Placeholder, scope: Scope): unknown {
  switch (placeholder.kind) {
    case 'path':
      return lookUp(scope, placeholder.path)
    case 'default':
      return lookUp(scope, placeholder.path) ?? placeholder.value
    case 'expression': {
      const { source } = placeholder
      return requireEvaluated(source, scope.evaluated?.get(source) ?? evaluateInline(source, scope))
    }
    default:
      return undefined
  }
}

/** The value of an expression; undefined when it is missing. Throws EXPRESSION_FAILED for an expression that failed. */
export function requireEvaluated(source: string, evaluated: Evaluated | undefined): unknown {
  if (evaluated?.kind === 'value') return evaluated.value
  if (evaluated?.kind === 'missing') return undefined
  const { message, position } = evaluated?.problem ?? notEvaluated
  throw new StepFailure({
    code: 'EXPRESSION_FAILED',
    message: `The expression "${source.slice(0, 200)}" failed: ${message}.`,
    details: { expression: source, position },
  })
}

const notEvaluated = { message: 'functions cannot be used here', position: null } as const

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
  for (const written of missing) {
    const [producer] = pathsOf(written).flatMap(({ path }) => failedProducerOf(path) ?? [])
    if (producer === undefined) continue
    throw new StepFailure({
      code: 'STEP_DEPENDENCY_FAILED',
      message: `The step needs {{${written}}}, which the failed step "${producer}" did not produce.`,
      details: { missing: written, failed_step: producer },
    })
  }
  if (missing.length === 0) return
  const named = missing.map((written) => `{{${written}}}`).join(', ')
  log('warning', `No value was found for ${named}; the placeholder was left empty.`, { missing })
}

/**
 * Templates with `{{path}}`, for modules that run or check steps. `fillText` and `fillValue` throw a StepFailure when the text becomes
 * too long or an expression fails, `reportMissing` when a failed step would have produced a value.
 */
export const templates = {
  placeholdersIn,
  pathsIn: (value: unknown): string[] => [
    ...new Set(placeholdersIn(value).flatMap((written) => pathsOf(written).map(({ path }) => path))),
  ],
  describeBadPlaceholder,
  fillText,
  fillValue,
  reportMissing,
} as const
