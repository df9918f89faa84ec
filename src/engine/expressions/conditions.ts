import { type Comparison, operators } from '../definition/common-step.ts'
import { compare } from './compare.ts'
import { lookUp, type Scope } from './paths.ts'

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
