/** Any JSON value. A draft may be any JSON; only the server validates it. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject

export interface JsonObject {
  readonly [key: string]: Json
}

/** A path into a value: field names and list indexes. */
export type JsonPath = readonly (string | number)[]

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The value at a path; undefined where the path does not exist. */
export function valueAt(value: Json | undefined, path: JsonPath): Json | undefined {
  let place = value
  for (const part of path) {
    if (isList(place)) place = place[Number(part)]
    else if (isObject(place)) place = Object.hasOwn(place, part) ? place[part] : undefined
    else return undefined
  }
  return place
}

/** A copy with another value at a path; undefined removes it. Missing parent objects and lists are created. */
export function withValueAt<Value extends Json>(
  value: Value,
  path: JsonPath,
  wanted: Json | undefined,
): Value {
  return change(value, path, wanted) as Value
}

function change(
  value: Json | undefined,
  [part, ...rest]: JsonPath,
  wanted: Json | undefined,
): Json | undefined {
  if (part === undefined) return wanted
  if (typeof part === 'number') {
    const list = isList(value) ? value : []
    const below = change(list[part], rest, wanted)
    return below === undefined ? list.toSpliced(part, 1) : Object.assign([...list], { [part]: below })
  }
  const object = isObject(value) ? value : {}
  const below = change(object[part], rest, wanted)
  if (below !== undefined) return { ...object, [part]: below }
  const { [part]: _, ...others } = object
  return others
}

function isList(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** Whether two values are equal, in any order of their fields. */
export function isSameJson(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true
  if (isList(left) && isList(right)) {
    return left.length === right.length && left.every((entry, index) => isSameJson(entry, right[index]))
  }
  if (!isObject(left) || !isObject(right)) return false
  const keys = Object.keys(left)
  return (
    keys.length === Object.keys(right).length &&
    keys.every((key) => Object.hasOwn(right, key) && isSameJson(left[key], right[key]))
  )
}
