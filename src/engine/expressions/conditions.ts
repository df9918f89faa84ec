import { type Comparison, operators, type Test } from '../definition/common-step.ts'
import { compare } from './compare.ts'
import type { Evaluated } from './evaluate.ts'
import { asText, lookUp, type Scope } from './paths.ts'
import { requireEvaluated } from './templates.ts'

const comparisonText = new RegExp(
  `^\\s*([^\\s<>=!]+)\\s*(${[...operators].sort((left, right) => right.length - left.length).join('|')})\\s*(.*?)\\s*$`,
)

/** Parses a condition in text form, such as `analysis.score < 70` or `metadata.language in ["de", "fr"]`. */
export function readCondition(condition: string): Comparison | undefined {
  const [, field, operator, value] = comparisonText.exec(condition) ?? []
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

/** A condition in one of its forms. */
export type ReadCondition =
  | { readonly kind: 'comparison'; readonly comparison: Comparison }
  | { readonly kind: 'expression'; readonly source: string }
  | { readonly kind: 'all' | 'any'; readonly conditions: readonly ReadCondition[] }
  | { readonly kind: 'not'; readonly condition: ReadCondition }

/** A checked condition as it is written: an object, or a comparison as a text. */
export function readTest(written: string | Test): ReadCondition {
  if (typeof written === 'string') {
    const comparison = readCondition(written)
    // The check of the definition refuses any other text.
    return { kind: 'comparison', comparison: comparison ?? { field: written, operator: 'exists' } }
  }
  const { field = '', operator = 'exists', value, all, any, not, expression } = written
  if (expression !== undefined) return { kind: 'expression', source: expression }
  if (all !== undefined) return { kind: 'all', conditions: all.map(readTest) }
  if (any !== undefined) return { kind: 'any', conditions: any.map(readTest) }
  if (not !== undefined) return { kind: 'not', condition: readTest(not) }
  return { kind: 'comparison', comparison: { field, operator, value } }
}

/** The comparisons and expressions of a condition, each with its position. */
export function leavesOf(
  condition: ReadCondition,
  at: string,
): { readonly leaf: Extract<ReadCondition, { kind: 'comparison' | 'expression' }>; readonly at: string }[] {
  if (condition.kind === 'not') return leavesOf(condition.condition, `${at}.not`)
  if ('conditions' in condition)
    return condition.conditions.flatMap((inner, index) =>
      leavesOf(inner, `${at}.${condition.kind}[${index}]`),
    )
  return [{ leaf: condition, at }]
}

/** A condition as a text: `score >= 70 and not (language == de)`. */
export function describeTest(written: string | Test): string {
  return describeRead(readTest(written))
}

function describeRead(condition: ReadCondition): string {
  switch (condition.kind) {
    case 'comparison': {
      const { field, operator, value } = condition.comparison
      return value === undefined ? `${field} ${operator}` : `${field} ${operator} ${asText(value)}`
    }
    case 'expression':
      return condition.source
    case 'not':
      return `not (${describeRead(condition.condition)})`
    default: {
      const word = condition.kind === 'all' ? ' and ' : ' or '
      const isGroup = ({ kind }: ReadCondition) => kind !== 'comparison' && kind !== 'not'
      return condition.conditions
        .map((inner) => (isGroup(inner) ? `(${describeRead(inner)})` : describeRead(inner)))
        .join(word)
    }
  }
}

/**
 * Whether a condition is true. A value that is missing makes an expression false, as it does a comparison. Throws EXPRESSION_FAILED for an
 * expression that fails or is neither true nor false.
 */
export async function isTrue(
  condition: ReadCondition,
  scope: Scope,
  evaluate: (source: string) => Promise<Evaluated>,
): Promise<boolean> {
  switch (condition.kind) {
    case 'comparison':
      return holds(condition.comparison, scope)
    case 'expression': {
      const value = requireEvaluated(condition.source, await evaluate(condition.source))
      return value === undefined ? false : requireTruth(condition.source, value)
    }
    case 'not':
      return !(await isTrue(condition.condition, scope, evaluate))
    default: {
      const decides = condition.kind === 'any'
      for (const inner of condition.conditions) {
        if ((await isTrue(inner, scope, evaluate)) === decides) return decides
      }
      return !decides
    }
  }
}

function requireTruth(source: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const problem = {
    message: `the result ${asText(value).slice(0, 100)} is neither true nor false`,
    position: null,
  }
  return requireEvaluated(source, { kind: 'failed', problem }) === true
}

/** Whether a condition is true. Never throws: values that cannot be compared make it false. */
export function holds({ field, operator, value }: Comparison, scope: Scope): boolean {
  return compare(lookUp(scope, field), operator, value)
}
