import { type CustomTypesConfig, TypeOverrides, types } from 'pg'

/** The type `_int8`, which is missing in the driver's list. */
const int8Array: number = 1016

/**
 * Parses 64-bit integers as numbers. Our sequences, counts and micro-dollars stay far below 2^53, and arithmetic and JSON need numbers.
 * A larger value is an error, never a rounded number. (`sum()` of a bigint is `numeric` and stays text: cast it, `sum(x)::bigint`.)
 */
function parseInt8(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`the 64-bit integer ${text} does not fit a number`)
  return value
}

/** PostgreSQL writes an array of integers as `{1,NULL,2}`. */
function parseInt8Array(text: string): (number | null)[] {
  if (text === '{}') return []
  return text
    .slice(1, -1)
    .split(',')
    .map((item) => (item === 'NULL' ? null : parseInt8(item)))
}

/** Type parsers for these connections only; the driver's global parsers stay unchanged. */
export function createColumnTypes(): CustomTypesConfig {
  const overrides = new TypeOverrides()
  overrides.setTypeParser(types.builtins.INT8, parseInt8)
  overrides.setTypeParser(int8Array, parseInt8Array)
  return overrides
}
