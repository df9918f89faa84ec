import { isObject, type Json } from './json.ts'

/** Fields that are paths themselves, without braces around. */
const plainPaths = new Set(['field', 'sources', 'condition'])

/** The same with every path to the output of one step leading to that of another: `{{steps.from.score}}`. */
export function withStepPathsRenamed<Value extends Json>(value: Value, from: string, to: string): Value {
  const name = from.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const inBraces = new RegExp(`(\\{\\{\\s*steps\\.)${name}(?=[\\s.[}])`, 'g')
  const plain = new RegExp(`^(\\s*steps\\.)${name}(?=$|[\\s.[<>=!])`)
  const change = (part: Json, isPath: boolean): Json => {
    if (typeof part === 'string') {
      const changed = part.replaceAll(inBraces, (_whole, before: string) => before + to)
      return isPath ? changed.replace(plain, (_whole, before: string) => before + to) : changed
    }
    if (Array.isArray(part)) return (part as readonly Json[]).map((entry) => change(entry, isPath))
    if (!isObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [key, change(inner, plainPaths.has(key))]),
    )
  }
  return change(value, false) as Value
}
