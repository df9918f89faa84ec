import { Optional } from '@marcbachmann/cel-js'
import { Duration, UnsignedInt } from '@marcbachmann/cel-js/evaluator'
import { describeType, invalidValue } from './functions/values.ts'

/** The same as the limit of a step's output. */
const maxCharacters = 8 * 1024 * 1024
const maxLevels = 200

/**
 * The result of an expression as JSON. Throws an EvaluationError for a result that is too large or has no JSON form.
 *
 * | result                    | JSON                                     |
 * |---------------------------|------------------------------------------|
 * | whole number              | number; text when a number is not exact  |
 * | timestamp                 | ISO 8601                                 |
 * | duration                  | seconds                                  |
 * | bytes                     | Base64                                   |
 * | optional                  | its value, or null                       |
 */
export function jsonValueOf(result: unknown): unknown {
  let characters = 0

  function count(length: number): void {
    characters += length
    if (characters > maxCharacters) throw invalidValue('the result is larger than 8 MB')
  }

  function convert(value: unknown, levels: number): unknown {
    if (value === null || value === undefined) return null
    if (typeof value === 'string') {
      count(value.length + 2)
      return value
    }
    count(8)
    if (typeof value === 'boolean') return value
    if (typeof value === 'number') {
      if (Number.isFinite(value)) return value
      throw invalidValue(`the result ${value} is not a number that JSON can hold`)
    }
    if (typeof value === 'bigint') return wholeNumber(value)
    if (typeof value !== 'object') throw invalidValue('the result is not a value')
    const converted = convertSpecial(value)
    if (converted !== undefined) return converted
    if (value instanceof Optional) return convert(value.hasValue() ? value.value() : null, levels)
    if (levels === 0) throw invalidValue(`the result is nested more than ${maxLevels} levels deep`)
    if (Array.isArray(value)) return value.map((inner) => convert(inner, levels - 1))
    return convertFields(value, levels)
  }

  function convertFields(value: object, levels: number): unknown {
    const prototype: unknown = Object.getPrototypeOf(value)
    if (prototype !== Object.prototype && prototype !== null)
      throw invalidValue(`the result is ${describeType(value)} without a JSON form`)
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        count(key.length + 3)
        return [key, convert(inner, levels - 1)]
      }),
    )
  }

  return convert(result, maxLevels)
}

function convertSpecial(value: object): unknown {
  if (value instanceof Date) return value.toISOString()
  if (value instanceof Duration) return value.valueOf() / 1000
  if (value instanceof UnsignedInt) return wholeNumber(value.valueOf())
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  return undefined
}

function wholeNumber(value: bigint): number | string {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER ? Number(value) : String(value)
}
