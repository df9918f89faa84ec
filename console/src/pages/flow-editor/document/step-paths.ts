import { isObject, type Json } from './json.ts'

/** Fields that are plain paths, without braces. */
const plainPaths = new Set(['field', 'items', 'sources', 'source', 'left', 'right', 'condition'])

/** Fields that are expressions, without braces. */
const expressions = new Set(['expression', 'where', 'by', 'left_key', 'right_key', 'aggregates'])

/** The value with every path to the output of a renamed step updated: `{{steps.old.score}}`. */
export function withStepPathsRenamed<Value extends Json>(
  value: Value,
  names: ReadonlyMap<string, string>,
): Value {
  if (names.size === 0) return value
  const name = [...names.keys()].map((old) => old.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|')
  const inBraces = new RegExp(`(\\{\\{\\s*steps\\.)(${name})(?=[\\s.[}])`, 'g')
  const plain = new RegExp(`^(\\s*steps\\.)(${name})(?=$|[\\s.[<>=!])`)
  const selected = new RegExp(`\\bsteps(?:\\.(${name})(?!\\w)|\\[(["'])(${name})\\2\\])`, 'g')
  /** A name that is not a word can be selected in brackets only. */
  const inExpression = (source: string): string =>
    source.replaceAll(selected, (whole: string, word?: string, _quote?: string, quoted?: string) => {
      const to = names.get(word ?? quoted ?? '') ?? whole
      return /^[A-Za-z_]\w*$/.test(to) ? `steps.${to}` : `steps["${to}"]`
    })
  const renamed = (_whole: string, before: string, old: string) => before + (names.get(old) ?? old)
  const change = (part: Json, meaning: 'text' | 'path' | 'expression'): Json => {
    if (typeof part === 'string') {
      if (meaning === 'expression') return inExpression(part)
      const changed = part.replaceAll(inBraces, renamed).replaceAll(/\{\{\s*=[\s\S]*?\}\}/g, inExpression)
      return meaning === 'path' ? changed.replace(plain, renamed) : changed
    }
    if (Array.isArray(part)) return (part as readonly Json[]).map((entry) => change(entry, meaning))
    if (!isObject(part)) return part
    return Object.fromEntries(
      Object.entries(part).map(([key, inner]) => [
        key,
        change(
          inner,
          plainPaths.has(key)
            ? 'path'
            : expressions.has(key) || meaning === 'expression'
              ? 'expression'
              : 'text',
        ),
      ]),
    )
  }
  return change(value, 'text') as Value
}
