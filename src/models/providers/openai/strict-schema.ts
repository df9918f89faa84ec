import type { JsonSchema } from '../provider.ts'

/*
 * In strict mode every object is closed and has all of its properties, and only these words are understood; a schema that
 * says more is refused as a whole. One that does not fit is sent without strictness: the model is shown it, and follows it
 * as well as it can.
 */
const understood = new Set([
  '$defs',
  '$ref',
  '$schema',
  'additionalProperties',
  'anyOf',
  'const',
  'definitions',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'title',
  'type',
])

export function isStrictSchema(schema: JsonSchema): boolean {
  return schema['type'] === 'object' && fits(schema)
}

function fits(schema: unknown): boolean {
  if (!isRecord(schema) || !Object.keys(schema).every((word) => understood.has(word))) return false
  const { properties, items, anyOf, $defs, definitions } = schema
  if ((schema['type'] === 'object' || properties !== undefined) && !isClosed(schema)) return false
  const inside = [
    ...valuesOf(properties),
    ...valuesOf($defs),
    ...valuesOf(definitions),
    ...(Array.isArray(anyOf) ? anyOf : []),
    ...(items === undefined ? [] : [items]),
  ]
  return inside.every(fits)
}

function isClosed({
  properties,
  required,
  additionalProperties,
}: Readonly<Record<string, unknown>>): boolean {
  const names = isRecord(properties) ? Object.keys(properties) : []
  const demanded = new Set(Array.isArray(required) ? required : [])
  return additionalProperties === false && names.every((name) => demanded.has(name))
}

function valuesOf(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : []
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
