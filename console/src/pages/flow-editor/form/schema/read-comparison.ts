import type { JsonObject } from '../../document/json.ts'
import { jsonWriting } from './typed-text.ts'

/** A comparison that was written out, in its parts: `analysis.score < 70`. What is none becomes the field, so that it is not lost. */
export function readComparison(text: string): JsonObject {
  const [, field, operator, rest = ''] =
    /^\s*([^\s<>=!]+)\s*(>=|<=|==|!=|<|>|contains|exists|matches|in)\s*(.*?)\s*$/.exec(text) ?? []
  if (field === undefined || operator === undefined) return { field: text.trim(), operator: '==' }
  const quoted = /^'(.*)'$/.exec(rest)?.[1]
  const value = quoted ?? jsonWriting.read(rest)
  return value === undefined ? { field, operator } : { field, operator, value }
}
