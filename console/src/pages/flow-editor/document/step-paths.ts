import { isObject, type Json } from './json.ts'

/** Fields that are plain paths, without braces. */
const plainPaths = new Set(['field', 'sources', 'condition'])

/** The value with every path to the output of a renamed step updated: `{{steps.old.score}}`. */
export function withStepPathsRenamed<Value extends Json>(
  value: Value,
  names: ReadonlyMap<string, string>,
): Value {
  if (names.size === 0) return value
  const name = [...names.keys()].map((old) => old.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const inBraces = new RegExp(`(\\{\\{\\s*steps\\.)(${name})(?=[\\s.[}])`, 'g')
  const plain = new RegExp(`^(\\s*steps\\.)(${name})(?=$|[\\s.[<>=!])`)
  const renamed = (_whole: string, before: string, old: string) => before + (names.get(old) ?? old)
  const change = (part: Json, isPath: boolean): Json => {
    if (typeof part === 'string') {
      const changed = part.replaceAll(inBraces, renamed)
      return isPath ? changed.replace(plain, renamed) : changed
    }
    if (Array.isArray(part)) return (part as readonly Json[]).map((entry) => change(entry, isPath))
    if (!isObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [key, change(inner, plainPaths.has(key))]),
    )
  }
  return change(value, false) as Value
}
