import { isObject, type Json, type JsonPath, valueAt, withValueAt } from '../../document/json.ts'
import type { Field, Shape } from './shape.ts'

/** The field at a path. Entries of lists and records are required fields while they exist. */
export function fieldAt(fields: readonly Field[], [name, ...rest]: JsonPath): Field | undefined {
  const field = fields.find((it) => it.name === name)
  if (field === undefined) return undefined
  return rest.length === 0 ? field : within(field.shape, rest)
}

function within(shape: Shape, path: JsonPath): Field | undefined {
  if (shape.kind === 'group') return fieldAt(shape.fields, path)
  if (shape.kind === 'group or text') return fieldAt(shape.group.fields, path)
  if (shape.kind !== 'list' && shape.kind !== 'record') return undefined
  const [name, ...rest] = path
  if (rest.length > 0) return within(shape.entry, rest)
  return { name: String(name), description: '', isRequired: true, shape: shape.entry }
}

/** The value without a path, and without the groups and lists this leaves empty. */
export function withoutAt<Value extends Json>(fields: readonly Field[], value: Value, path: JsonPath): Value {
  let left = withValueAt(value, path, undefined)
  for (let above = path.slice(0, -1); above.length > 0; above = above.slice(0, -1)) {
    const isNeeded = fieldAt(fields, above)?.isRequired ?? true
    if (isNeeded || !isEmpty(valueAt(left, above))) break
    left = withValueAt(left, above, undefined)
  }
  return left
}

function isEmpty(value: Json | undefined): boolean {
  if (Array.isArray(value)) return value.length === 0
  return isObject(value) && Object.keys(value).length === 0
}
