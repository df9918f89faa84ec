import { EvaluationError } from '@marcbachmann/cel-js'

/** A function of the language. `signature` is written as cel-js reads it, `list.first(): dyn` for a method. */
export interface ExpressionFunction {
  readonly signature: string
  readonly description: string
  readonly handler: (...values: never[]) => unknown
}

/** The failure of a function with a value it cannot use. `message` is shown to the author of the flow. */
export function invalidValue(message: string): EvaluationError {
  return new EvaluationError({ code: 'invalid_value', message })
}

/** Whole numbers of an expression are bigints, those of JSON are numbers. */
function isNumber(value: unknown): value is number | bigint {
  return typeof value === 'number' || typeof value === 'bigint'
}

/** Throws an EvaluationError for a value that is not a number. */
export function numberOf(value: unknown, usedBy: string): number {
  if (isNumber(value)) return Number(value)
  throw invalidValue(`${usedBy} needs numbers, got ${describeType(value)}`)
}

/** Throws an EvaluationError for a value that is not a whole number from 0 to `max`. */
export function countOf(value: unknown, usedBy: string, max: number): number {
  const count = numberOf(value, usedBy)
  if (Number.isInteger(count) && count >= 0 && count <= max) return count
  throw invalidValue(`${usedBy} needs a whole number from 0 to ${max}, got ${count}`)
}

export function describeType(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (isNumber(value)) return 'a number'
  if (typeof value === 'string') return 'a text'
  if (typeof value === 'boolean') return 'true or false'
  if (value instanceof Date) return 'a timestamp'
  return Array.isArray(value) ? 'a list' : 'an object'
}

/**
 * Orders two values: null last, numbers by value, texts by their characters, timestamps by time, false before true. Throws an
 * EvaluationError for values of different types, and for lists and objects.
 */
export function compareValues(left: unknown, right: unknown, usedBy: string): number {
  if (left === null || left === undefined || right === null || right === undefined)
    return Number(left === null || left === undefined) - Number(right === null || right === undefined)
  const type = typeof left
  const isOrdered =
    (isNumber(left) && isNumber(right)) ||
    (type === typeof right && (type === 'string' || type === 'boolean')) ||
    (left instanceof Date && right instanceof Date)
  if (!isOrdered)
    throw invalidValue(`${usedBy} cannot order ${describeType(left)} and ${describeType(right)}`)
  if ((left as number) < (right as number)) return -1
  return (left as number) > (right as number) ? 1 : 0
}

/** The name of a group. Throws an EvaluationError for a list or an object. */
export function groupName(value: unknown, usedBy: string): string {
  if (value === null || value === undefined) return 'null'
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'string' || typeof value === 'boolean' || isNumber(value)) return String(value)
  throw invalidValue(`${usedBy} needs a text, a number or true or false, got ${describeType(value)}`)
}
