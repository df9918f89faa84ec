import type { mergeStrategies } from '../../definition/data-transform-step.ts'
import type { Source } from '../data-transform.ts'

interface MergeOptions {
  readonly merge_strategy?: (typeof mergeStrategies)[number] | undefined
  readonly fields?: readonly string[] | undefined
}

type PlainObject = Readonly<Record<string, unknown>>

/** Merges sources into one value. On a conflict, the later source wins. */
export function mergeSources(
  sources: readonly Source[],
  { merge_strategy = 'deep', fields }: MergeOptions,
): unknown {
  if (merge_strategy === 'first') {
    return (
      sources
        .map(({ value }) => pick(value, fields))
        .find((value) => value !== null && value !== undefined) ?? null
    )
  }
  if (merge_strategy === 'concat') {
    return sources
      .flatMap(({ value }) => (Array.isArray(value) ? value : [value]))
      .map((value: unknown) => pick(value, fields))
  }
  const join = merge_strategy === 'deep' ? joinDeep : joinShallow
  const merged = sources.map(asObject).reduce<PlainObject>((whole, part) => join(whole, part), {})
  return pick(merged, fields)
}

/** A value that is not an object is stored under the name of its source. */
function asObject({ name, value }: Source): PlainObject {
  return isObject(value) ? value : { [name.split('.').at(-1) ?? name]: value }
}

function joinShallow(left: PlainObject, right: PlainObject): PlainObject {
  return { ...left, ...right }
}

function joinDeep(left: PlainObject, right: PlainObject): PlainObject {
  // A map, because a key may have any name, also `__proto__`.
  const joined = new Map(Object.entries(left))
  for (const [key, value] of Object.entries(right)) {
    const before = joined.get(key)
    if (isObject(before) && isObject(value)) joined.set(key, joinDeep(before, value))
    else if (Array.isArray(before) && Array.isArray(value))
      joined.set(key, [...(before as unknown[]), ...(value as unknown[])])
    else joined.set(key, value)
  }
  return Object.fromEntries(joined)
}

function pick(value: unknown, fields: readonly string[] | undefined): unknown {
  if (fields === undefined || !isObject(value)) return value
  return Object.fromEntries(
    fields.filter((field) => Object.hasOwn(value, field)).map((field) => [field, value[field]]),
  )
}

function isObject(value: unknown): value is PlainObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
